package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/boj/redistore"
	"github.com/gomodule/redigo/redis"
	"github.com/gorilla/sessions"

	"equity/messages"
)

// Limits of the pool of connections to Redis.
const (
	redisTimeout = 2 * time.Second
	redisIdle    = 8
	redisActive  = 32
	redisRest    = 4 * time.Minute // idle time after which a connection is closed
	redisTrusted = 5 * time.Second // idle time after which a connection is tested before use
)

// NewPool returns a bounded pool of connections to the Redis at address (redis://… or rediss://…). Each step of an exchange
// ends within the limit.
func NewPool(address string, limit time.Duration) *redis.Pool {
	limits := []redis.DialOption{
		redis.DialConnectTimeout(limit), redis.DialReadTimeout(limit), redis.DialWriteTimeout(limit),
	}
	return &redis.Pool{
		MaxIdle: redisIdle, MaxActive: redisActive, Wait: true, IdleTimeout: redisRest,
		DialContext: func(ctx context.Context) (redis.Conn, error) {
			return redis.DialURLContext(ctx, address, limits...)
		},
		// The context bounds the test of all idle connections together. Otherwise a server that does not answer would cost the
		// limit for each of them.
		TestOnBorrowContext: func(ctx context.Context, conn redis.Conn, since time.Time) error {
			if time.Since(since) < redisTrusted {
				return nil
			}
			_, err := redis.DoContext(conn, ctx, "PING")
			return err
		},
	}
}

// redisBackend stores sessions in Redis 6.2 or newer. Sessions are created by redistore. The other operations are implemented
// here, because redistore would restore ended sessions, adopt unknown identifiers and not extend the expiry on reads.
type redisBackend struct {
	pool   *redis.Pool
	inner  *redistore.RediStore // with its own pool, see newInner
	saving chan struct{}        // limits concurrent saves through inner
	limit  time.Duration
	loader *loader
	prefix string
	idle   int // seconds
	max    int // seconds
	touch  time.Duration
	clock  func() time.Time
	watch  *watch
}

// NewRedis returns a store on Redis whose keys start with the prefix. It fails if Redis does not answer. The caller
// closes the pool after the store.
func NewRedis(pool *redis.Pool, prefix string, o Options) (*Store, error) {
	s, err := newStore(o)
	if err != nil {
		return nil, err
	}
	inner, err := s.newInner(pool, prefix)
	if err != nil {
		return nil, fmt.Errorf("session store: %w", err)
	}
	attributes := s.options.attributes()
	s.backend = &redisBackend{
		pool: pool, inner: inner, saving: make(chan struct{}, redisActive), limit: s.options.Timeout, prefix: prefix,
		idle: attributes.MaxAge, max: seconds(s.options.Absolute), clock: s.options.Clock,
		loader: newLoader(pool, prefix, attributes.MaxAge), touch: s.options.touch(),
		watch: startWatch(pool.DialContext, prefix, s.options.Timeout, s.recent),
	}
	return s, nil
}

// newInner returns the redistore. It takes connections without a context and would wait without limit for an
// exhausted pool. Its own pool never blocks: the number of concurrent writers is bounded outside, with a deadline.
func (s *Store) newInner(pool *redis.Pool, prefix string) (*redistore.RediStore, error) {
	inner, err := redistore.NewRediStoreWithPool(&redis.Pool{
		MaxIdle: redisIdle, IdleTimeout: redisTrusted, DialContext: pool.DialContext,
	})
	if err != nil {
		return nil, err
	}
	attributes := s.options.attributes()
	inner.Codecs, inner.Options = s.codecs, &attributes
	inner.DefaultMaxAge = attributes.MaxAge
	inner.SetKeyPrefix(prefix)
	inner.SetMaxLength(maxValueBytes + idLength)
	inner.SetSerializer(s.sealer)
	return inner, nil
}

// conn takes a connection from the pool within the limit.
func (b *redisBackend) conn(ctx context.Context) (redis.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	return b.pool.GetContext(ctx)
}

// headers is a response that is dropped: redistore would send a cookie with the key.
type headers struct{ http.ResponseWriter }

// Header returns headers that are not sent.
func (headers) Header() http.Header { return http.Header{} }

// save stores a new session through redistore.
func (b *redisBackend) save(r *http.Request, s *sessions.Session) error {
	limit := time.NewTimer(b.limit)
	defer limit.Stop()
	select {
	case b.saving <- struct{}{}:
		defer func() { <-b.saving }()
		return writeFailure(b.inner.Save(r, headers{}, s))
	case <-limit.C:
		return errCrowded
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

var errCrowded = errors.New("too many sessions are being saved")

// writeFailure returns the error of a command that was sent. It wraps messages.ErrUnknownOutcome unless Redis refused the
// command or no connection was made.
func writeFailure(err error) error {
	_, refused := errors.AsType[redis.Error](err)
	fault, isNet := errors.AsType[*net.OpError](err)
	if err == nil || refused || isNet && fault.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, err)
}

// load ignores the caller's context: the round trip is shared with other callers and has its own limits. It extends the expiry
// at most once in the time of touch, because each extension is a change that Redis reports to all servers.
func (b *redisBackend) load(_ context.Context, key string) ([]byte, time.Duration, bool, error) {
	data, left, err := b.loader.load(key, false) //nolint:contextcheck // see the comment of the function
	if err != nil || data == nil {
		return nil, 0, false, err
	}
	unused := time.Duration(b.idle)*time.Second - left
	if unused >= 0 && unused < b.touch {
		return data, b.touch - unused, true, nil
	}
	extended, _, err := b.loader.load(key, true) //nolint:contextcheck // as above
	if _, refused := errors.AsType[redis.Error](err); refused {
		// Such as of a full disk or a replica: the session is valid until its present expiry.
		return data, max(0, min(left, probeEvery)), true, nil
	}
	return extended, b.touch, extended != nil, err
}

// userKey returns the key of the index of a user's sessions: their keys, scored by the end of their absolute age.
func (b *redisBackend) userKey(user string) string { return b.prefix + "user:" + user }

// create adds the session to its user's index first, because only indexed sessions can be revoked.
func (b *redisBackend) create(r *http.Request, s *sessions.Session, user string, createdAt time.Time) error {
	if user != "" {
		index, now := b.userKey(user), createdAt.Unix()
		err := b.pipeline(r.Context(),
			command{"ZREMRANGEBYSCORE", redis.Args{index, "-inf", now}},
			command{"ZADD", redis.Args{index, now + int64(b.max), s.ID}},
			command{"EXPIRE", redis.Args{index, b.max + b.idle}})
		if err != nil {
			return fmt.Errorf("index session: %w", err)
		}
	}
	if s.Options.MaxAge == 0 {
		s.Options.MaxAge = b.idle // redistore would delete
	}
	if err := b.save(r, s); err != nil {
		return fmt.Errorf("create session: %w", err)
	}
	return nil
}

// update uses SET … XX, which has no effect if the key does not exist.
func (b *redisBackend) update(ctx context.Context, key string, sealed []byte) (bool, error) {
	conn, err := b.conn(ctx)
	if err != nil {
		return false, fmt.Errorf("update session: %w", err)
	}
	reply, err := conn.Do("SET", b.prefix+key, sealed, "XX", "EX", b.idle)
	if err := closing(conn, writeFailure(err)); err != nil {
		return false, fmt.Errorf("update session: %w", err)
	}
	return reply != nil, nil
}

func (b *redisBackend) destroy(ctx context.Context, key string) error {
	if err := b.pipeline(ctx, command{"DEL", redis.Args{b.prefix + key}}); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// sweep has no effect: Redis removes expired keys.
func (b *redisBackend) sweep(context.Context) error { return nil }

func (b *redisBackend) close() error {
	b.watch.close()
	return errors.Join(b.loader.close(), b.inner.Close())
}

// command is one command of a pipeline.
type command struct {
	name      string
	arguments redis.Args
}

// pipeline sends commands together and waits for all replies.
func (b *redisBackend) pipeline(ctx context.Context, commands ...command) error {
	conn, err := b.conn(ctx)
	if err != nil {
		return err
	}
	for _, c := range commands {
		if err := conn.Send(c.name, c.arguments...); err != nil {
			return closing(conn, writeFailure(err))
		}
	}
	_, err = conn.Do("") // flushes and reads all replies
	return closing(conn, writeFailure(err))
}
