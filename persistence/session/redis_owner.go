package session

import (
	"context"
	"fmt"
	"time"

	"github.com/gomodule/redigo/redis"
)

// indexed returns the keys in the user's index, including ended sessions.
func (b *redisBackend) indexed(ctx context.Context, user string) ([]string, error) {
	conn, err := b.conn(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := redis.Strings(conn.Do("ZRANGE", b.userKey(user), 0, -1))
	return keys, closing(conn, err)
}

// list returns the user's sessions with the time of their last use, which follows from the remaining
// time to live.
func (b *redisBackend) list(ctx context.Context, user string) ([]stored, error) {
	keys, err := b.indexed(ctx, user)
	if err != nil || len(keys) == 0 {
		return nil, wrapped("list sessions", err)
	}
	conn, err := b.conn(ctx)
	if err != nil {
		return nil, wrapped("list sessions", err)
	}
	list, err := b.fetch(conn, keys)
	return list, wrapped("list sessions", closing(conn, err))
}

// fetch reads the sessions in one round trip. The time of the last use follows from the remaining time to live, because
// every use renews it.
func (b *redisBackend) fetch(conn redis.Conn, keys []string) ([]stored, error) {
	for _, key := range keys {
		if err := conn.Send("GET", b.prefix+key); err != nil {
			return nil, err
		}
		if err := conn.Send("PTTL", b.prefix+key); err != nil {
			return nil, err
		}
	}
	if err := conn.Flush(); err != nil {
		return nil, err
	}
	now := b.clock()
	var list []stored
	for _, key := range keys {
		value, err := conn.Receive()
		if err != nil {
			return nil, err
		}
		left, err := redis.Int64(conn.Receive())
		if err != nil {
			return nil, err
		}
		if sealed, alive := value.([]byte); alive {
			unused := time.Duration(b.idle)*time.Second - time.Duration(left)*time.Millisecond
			list = append(list, stored{key, sealed, now.Add(-max(unused, 0))})
		}
	}
	return list, nil
}

// end ends the session with the handle, which is a part of its key, so all sessions of the user are searched.
func (b *redisBackend) end(ctx context.Context, user string, h handle) (bool, error) {
	keys, err := b.indexed(ctx, user)
	if err != nil {
		return false, wrapped("end session", err)
	}
	for _, key := range keys {
		if handleOf(key) != h {
			continue
		}
		conn, err := b.conn(ctx)
		if err != nil {
			return false, wrapped("end session", err)
		}
		ended, err := redis.Int(conn.Do("DEL", b.prefix+key))
		if err == nil {
			_, err = conn.Do("ZREM", b.userKey(user), key)
		}
		return ended > 0, wrapped("end session", closing(conn, writeFailure(err)))
	}
	return false, nil
}

// revoke removes only the sessions that it has ended from the index, so that a concurrently created session stays indexed.
func (b *redisBackend) revoke(ctx context.Context, user string) error {
	keys, err := b.indexed(ctx, user)
	if err != nil || len(keys) == 0 {
		return wrapped("revoke sessions", err)
	}
	ended, gone := redis.Args{}, redis.Args{b.userKey(user)}
	for _, key := range keys {
		ended, gone = append(ended, b.prefix+key), append(gone, key)
	}
	return wrapped("revoke sessions", b.pipeline(ctx, command{"DEL", ended}, command{"ZREM", gone}))
}

// wrapped wraps a non-nil error with the operation.
func wrapped(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
