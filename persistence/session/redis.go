package session

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/boj/redistore"
	"github.com/gomodule/redigo/redis"
	"github.com/gorilla/sessions"
)

// Limits of the pool of connections to Redis.
const (
	redisTimeout = 2 * time.Second
	redisIdle    = 8
	redisActive  = 32
	redisRest    = 4 * time.Minute // a connection unused for so long is closed
	redisTrusted = 5 * time.Second // a connection unused for so long is asked whether it lives before it is used
)

// NewPool makes a bounded pool of connections to the Redis at address (redis://… or rediss://…), every step of which
// has a time limit.
func NewPool(address string) *redis.Pool {
	limits := []redis.DialOption{
		redis.DialConnectTimeout(redisTimeout), redis.DialReadTimeout(redisTimeout), redis.DialWriteTimeout(redisTimeout),
	}
	return &redis.Pool{
		MaxIdle: redisIdle, MaxActive: redisActive, Wait: true, IdleTimeout: redisRest,
		DialContext: func(ctx context.Context) (redis.Conn, error) {
			return redis.DialURLContext(ctx, address, limits...)
		},
		TestOnBorrow: func(conn redis.Conn, since time.Time) error {
			if time.Since(since) < redisTrusted {
				return nil
			}
			_, err := conn.Do("PING")
			return err
		},
	}
}

// redisBackend keeps sessions in Redis, version 6.2 or newer. Creating goes through redistore; the rest is ours, for
// redistore would bring ended sessions back, adopt unknown identifiers and not roll the expiry when it reads.
type redisBackend struct {
	inner  *redistore.RediStore
	loader *loader
	prefix string
	idle   int // seconds
	max    int // seconds
	clock  func() time.Time
}

// NewRedis makes a store on Redis whose keys begin with the prefix. It fails when Redis does not answer. The pool is
// the caller's to close, after the store.
func NewRedis(pool *redis.Pool, prefix string, o Options) (*Store, error) {
	s, err := newStore(o)
	if err != nil {
		return nil, err
	}
	inner, err := redistore.NewRediStoreWithPool(pool)
	if err != nil {
		return nil, fmt.Errorf("session store: %w", err)
	}
	attributes := s.options.attributes()
	inner.Codecs, inner.Options = s.codecs, &attributes
	inner.DefaultMaxAge = attributes.MaxAge
	inner.SetKeyPrefix(prefix)
	inner.SetMaxLength(longestValue)
	inner.SetSerializer(serializer{})
	s.backend = &redisBackend{
		inner: inner, prefix: prefix, idle: attributes.MaxAge, max: seconds(s.options.Absolute), clock: s.options.Clock,
		loader: newLoader(pool, prefix, attributes.MaxAge),
	}
	return s, nil
}

// load takes no notice of the caller's context: others share the round trip, which has limits of its own.
func (b *redisBackend) load(_ context.Context, id string) ([]byte, bool, error) {
	return b.loader.load(id) //nolint:contextcheck // see above
}

// userKey is where the identifiers of a user's sessions are kept, each with the moment of its absolute age as score.
func (b *redisBackend) userKey(user string) string { return b.prefix + "user:" + user }

// create enters the session into its user's index first: a session that cannot be found there cannot be revoked.
func (b *redisBackend) create(
	r *http.Request, w http.ResponseWriter, s *sessions.Session, user string, createdAt time.Time,
) error {
	if user != "" {
		key, now := b.userKey(user), createdAt.Unix()
		err := b.pipeline(r.Context(),
			command{"ZREMRANGEBYSCORE", redis.Args{key, "-inf", now}},
			command{"ZADD", redis.Args{key, now + int64(b.max), s.ID}},
			command{"EXPIRE", redis.Args{key, b.max + b.idle}})
		if err != nil {
			return fmt.Errorf("index session: %w", err)
		}
	}
	if s.Options.MaxAge == 0 {
		s.Options.MaxAge = b.idle // redistore would delete
	}
	if err := b.inner.Save(r, w, s); err != nil {
		return fmt.Errorf("create session: %w", err)
	}
	return nil
}

// update uses SET … XX, which does nothing when the key is gone.
func (b *redisBackend) update(ctx context.Context, id string, data []byte) (bool, error) {
	conn, err := b.inner.Pool.GetContext(ctx)
	if err != nil {
		return false, fmt.Errorf("update session: %w", err)
	}
	reply, err := conn.Do("SET", b.prefix+id, data, "XX", "EX", b.idle)
	if err := closing(conn, err); err != nil {
		return false, fmt.Errorf("update session: %w", err)
	}
	return reply != nil, nil
}

func (b *redisBackend) destroy(ctx context.Context, id string) error {
	if err := b.pipeline(ctx, command{"DEL", redis.Args{b.prefix + id}}); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// sweep has nothing to do: Redis removes what has expired.
func (b *redisBackend) sweep(context.Context) error { return nil }

func (b *redisBackend) close() error { return b.loader.close() }

// command is one of a pipeline.
type command struct {
	name      string
	arguments redis.Args
}

// pipeline sends commands together and waits for all their answers.
func (b *redisBackend) pipeline(ctx context.Context, commands ...command) error {
	conn, err := b.inner.Pool.GetContext(ctx)
	if err != nil {
		return err
	}
	for _, c := range commands {
		if err := conn.Send(c.name, c.arguments...); err != nil {
			return closing(conn, err)
		}
	}
	_, err = conn.Do("") // flushes, and reads every answer
	return closing(conn, err)
}
