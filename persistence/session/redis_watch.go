package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// watch receives the keys of changed sessions from Redis and removes them from a cache
// (https://redis.io/docs/latest/develop/reference/client-side-caching/). It uses one connection in the broadcasting mode, which
// redirects the messages to itself, because the client library does not speak RESP3. The connection's state is thus the whole state
// of the watch: if it is lost, the cache is.
//
// The messages of a connection arrive in order. A reply to a PING therefore proves that all changes before the PING are known, and
// extends the validity of the cache until limit after the PING was sent. Behind a network that silently drops packets, or in a process
// that was paused, a cached session is accepted no longer than that.
type watch struct {
	dial   func(context.Context) (redis.Conn, error)
	prefix string
	limit  time.Duration
	cache  *recent
	stop   context.CancelFunc
	ended  chan struct{}
}

const (
	invalidations = "__redis__:invalidate" // the channel of Redis
	pingsPerLimit = 4
	watchRetry    = time.Second
)

func startWatch(dial func(context.Context) (redis.Conn, error), prefix string, limit time.Duration, cache *recent) *watch {
	ctx, stop := context.WithCancel(context.Background())
	w := &watch{dial: dial, prefix: prefix, limit: limit, cache: cache, stop: stop, ended: make(chan struct{})}
	go w.run(ctx)
	return w
}

// close ends the watch, within the limit.
func (w *watch) close() {
	w.stop()
	<-w.ended
}

// run replaces the connection when it is lost. An error has no other effect: without a watch, each check is a query.
func (w *watch) run(ctx context.Context) {
	defer close(w.ended)
	for {
		_ = w.follow(ctx)
		w.cache.unwatched()
		retry := time.NewTimer(min(watchRetry, w.limit))
		select {
		case <-ctx.Done():
			retry.Stop()
			return
		case <-retry.C:
		}
	}
}

// follow handles the messages of one connection until it is lost.
func (w *watch) follow(ctx context.Context) (err error) {
	conn, err := w.dial(ctx)
	if err != nil {
		return err
	}
	defer func() { err = closing(conn, err) }()
	if err := w.subscribe(conn); err != nil {
		return err
	}
	w.cache.watched()
	begun := time.Now()
	pinging, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.ping(pinging, conn, begun)
	}()
	defer func() { stop(); <-done }()
	for {
		message, err := redis.Values(conn.Receive())
		if err != nil {
			return err
		}
		if err := w.handle(message, begun); err != nil {
			return err
		}
	}
}

// subscribe requests the keys of all changes with the prefix.
func (w *watch) subscribe(conn redis.Conn) error {
	id, err := redis.Int64(conn.Do("CLIENT", "ID"))
	if err != nil {
		return fmt.Errorf("watch sessions: %w", err)
	}
	if _, err := conn.Do("CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST", "PREFIX", w.prefix); err != nil {
		return fmt.Errorf("watch sessions: %w", err)
	}
	if _, err := conn.Do("SUBSCRIBE", invalidations); err != nil {
		return fmt.Errorf("watch sessions: %w", err)
	}
	return nil
}

// ping sends the time since the beginning with each PING, until the context ends or a write fails. It is the only sender.
func (w *watch) ping(ctx context.Context, conn redis.Conn, begun time.Time) {
	ticker := time.NewTicker(w.limit / pingsPerLimit)
	defer ticker.Stop()
	for {
		if conn.Send("PING", strconv.FormatInt(int64(time.Since(begun)), 10)) != nil || conn.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			_ = conn.Send("QUIT") // ends the receiver
			_ = conn.Flush()
			return
		case <-ticker.C:
		}
	}
}

var errUnknownMessage = errors.New("unknown message of Redis")

// handle applies a message: a reply to a PING, or changed keys. Redis sends nil for all keys.
func (w *watch) handle(message []any, begun time.Time) error {
	kind, _ := redis.String(message[0], nil)
	switch {
	case kind == "pong" && len(message) == 2:
		sent, err := redis.Int64(message[1], nil)
		if err != nil {
			return fmt.Errorf("watch sessions: %w", err)
		}
		w.cache.extend(begun.Add(time.Duration(sent) + w.limit))
		return nil
	case kind == "message" && len(message) == 3 && message[2] == nil:
		w.cache.forgetAll()
		return nil
	case kind == "message" && len(message) == 3:
		keys, err := redis.Strings(message[2], nil)
		if err != nil {
			return fmt.Errorf("watch sessions: %w", err)
		}
		for _, key := range keys {
			if changed, ok := strings.CutPrefix(key, w.prefix); ok && len(changed) == idLength {
				w.cache.forgetKey(changed)
			}
		}
		return nil
	default:
		return fmt.Errorf("watch sessions: %w: %q", errUnknownMessage, kind)
	}
}
