package session_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// ownRedis starts a Redis for the test, which may change its configuration, and returns its pool and its folder.
func ownRedis(t *testing.T) (pool *redis.Pool, folder string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "redis") //nolint:usetesting // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	data, socket := filepath.Join(folder, "data"), filepath.Join(folder, "socket")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), "redis-server", "--port", "0", "--unixsocket", socket, "--dir", data, "--save", "3600 1")
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	pool = &redis.Pool{MaxIdle: 8, DialContext: func(ctx context.Context) (redis.Conn, error) {
		return redis.DialContext(ctx, "unix", socket)
	}}
	storetest.Cleanup(t, func() {
		_ = pool.Close()
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = os.RemoveAll(folder)
	})
	for begin := time.Now(); ; {
		conn := pool.Get()
		_, err := conn.Do("PING")
		_ = conn.Close()
		if err == nil {
			return pool, data
		}
		if time.Since(begin) > time.Minute {
			t.Fatal(err)
		}
	}
}

// TestSessionThatRedisCannotExtendStillReads makes Redis refuse writes in the ways in which it does so by itself.
func TestSessionThatRedisCannotExtendStillReads(t *testing.T) {
	t.Parallel()
	for refusal, stop := range map[string]func(t *testing.T, do func(command string, arguments ...any) error, folder string){
		"NOREPLICAS": func(t *testing.T, do func(string, ...any) error, _ string) {
			t.Helper()
			must(t, do("CONFIG", "SET", "min-replicas-to-write", "1"))
		},
		"READONLY": func(t *testing.T, do func(string, ...any) error, _ string) {
			t.Helper()
			must(t, do("REPLICAOF", "127.0.0.1", "1"))
		},
		"MISCONF": func(t *testing.T, do func(string, ...any) error, folder string) {
			t.Helper()
			must(t, os.RemoveAll(folder)) // as if the disk were gone
			if err := do("SAVE"); err == nil {
				t.Fatal("Redis saved its data without a folder")
			}
			must(t, do("BGSAVE"))
			for do("SET", "x", "y") == nil { // until the child process has failed
				continue
			}
		},
	} {
		t.Run(refusal, func(t *testing.T) {
			t.Parallel()
			pool, folder := ownRedis(t)
			do := func(command string, arguments ...any) error {
				conn := pool.Get()
				defer func() { _ = conn.Close() }()
				_, err := conn.Do(command, arguments...)
				return err
			}
			store, err := session.NewRedis(pool, "s:", options())
			must(t, err)
			storetest.Cleanup(t, func() { _ = store.Close() })
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			made, err := store.Create(httptest.NewRecorder(), request, messages.SignIn{User: storetest.NewID[organization.User]()})
			must(t, err)
			request.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
			const left = time.Minute // so that the session must be extended
			each(t, pool, "s:", func(conn redis.Conn, key string) {
				_, _ = conn.Do("PEXPIRE", key, left.Milliseconds())
			})
			stop(t, do, folder)
			if err := do("SET", "x", "y"); err == nil {
				t.Fatal("Redis accepts writes")
			}
			if found, ok, err := store.Load(request); err != nil || !ok || found.User != made.User {
				t.Errorf("%t %v", ok, err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
