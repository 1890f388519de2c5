package session_test

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/session"
	"equity/persistence/session/sessiontest"
	"equity/persistence/storetest"
)

func TestStoreOnSQL(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sessiontest.Store(t, func(t *testing.T) sessiontest.Bench {
				t.Helper()
				return onSQL(storetest.Open(t, factory(t)))
			})
		})
	}
}

func TestStoreOnRedis(t *testing.T) {
	t.Parallel()
	sessiontest.Store(t, onRedis)
}

// onSQL needs no Age function: the store uses the test's clock. Closing the store has no effect, so the database is closed.
func onSQL(db *persistence.Database) sessiontest.Bench {
	return sessiontest.Bench{
		Age: func(*testing.T, time.Duration) {},
		Open: func(t *testing.T, options session.Options) *session.Store {
			t.Helper()
			made, err := session.NewSQL(db.Reader(), db.Writer(), options)
			if err != nil {
				t.Fatal(err)
			}
			return made
		},
	}
}

func onRedis(t *testing.T) sessiontest.Bench {
	t.Helper()
	address, prefix := storetest.Redis(t)
	pool := session.NewPool(address, 2*time.Second)
	storetest.Cleanup(t, func() { _ = pool.Close() })
	return sessiontest.Bench{
		Open: func(t *testing.T, options session.Options) *session.Store {
			t.Helper()
			made, err := session.NewRedis(pool, prefix, options)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Cleanup(t, func() { _ = made.Close() })
			return made
		},
		// Redis has its own clock, so expiry times are shortened instead.
		Age: func(t *testing.T, by time.Duration) {
			t.Helper()
			each(t, pool, prefix, func(conn redis.Conn, key string) {
				left, err := redis.Int64(conn.Do("PTTL", key))
				if err != nil || left < 0 {
					t.Errorf("%s has no expiry: %d %v", key, left, err)
				}
				_, _ = conn.Do("PEXPIRE", key, left-by.Milliseconds())
			})
		},
	}
}

func each(t *testing.T, pool *redis.Pool, prefix string, do func(conn redis.Conn, key string)) {
	t.Helper()
	conn := pool.Get()
	defer func() { _ = conn.Close() }()
	keys, err := redis.Strings(conn.Do("KEYS", prefix+"*"))
	if err != nil {
		t.Error(err)
	}
	for _, key := range keys {
		do(conn, key)
	}
}

func options() session.Options {
	return session.Options{Keys: [][]byte{make([]byte, 32)}, Clock: time.Now, Random: rand.Reader}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*session.Options){
		"no key":        func(o *session.Options) { o.Keys = nil },
		"a short key":   func(o *session.Options) { o.Keys = append(o.Keys, []byte("short")) },
		"no clock":      func(o *session.Options) { o.Clock = nil },
		"no randomness": func(o *session.Options) { o.Random = nil },
		"a tiny age":    func(o *session.Options) { o.Idle = time.Millisecond },
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			t.Parallel()
			changed := options()
			change(&changed)
			if _, err := session.NewSQL(nil, nil, changed); err == nil {
				t.Fatal("accepted")
			}
		})
	}
}

// TestRedisFaults uses a proxy that the test can interrupt.
func TestRedisFaults(t *testing.T) {
	t.Parallel()
	address, prefix := storetest.Redis(t)
	host := strings.TrimSuffix(strings.TrimPrefix(address, "redis://"), "/0")
	proxy := storetest.NewProxy(t, host)
	pool := session.NewPool("redis://"+proxy.Address()+"/0", 2*time.Second)
	storetest.Cleanup(t, func() { _ = pool.Close() })
	store, err := session.NewRedis(pool, prefix, options())
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	made, err := store.Create(w, r, messages.SignIn{User: storetest.NewID[organization.User]()})
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
	if _, found, err := store.Load(r); err != nil || !found {
		t.Fatal(found, err)
	}
	proxy.Cut() // like a restart of Redis: the connection is replaced without an error
	if _, found, err := store.Load(r); err != nil || !found {
		t.Fatalf("after the connection broke: %t %v", found, err)
	}
	if err := store.Ready(t.Context()); err != nil {
		t.Fatalf("not ready while Redis answers: %v", err)
	}
	proxy.Refuse(true)
	if err := store.Ready(t.Context()); err == nil {
		t.Fatal("ready while Redis is away")
	}
	if _, found, err := store.Load(r); err == nil || found {
		t.Fatalf("while Redis is away: %t %v", found, err)
	}
	if _, err := store.Get(r, "connect.sid"); err == nil {
		t.Fatal("while Redis is away, gorilla sees an empty session")
	}
	if err := store.Destroy(httptest.NewRecorder(), r); err == nil {
		t.Fatal("signing out succeeded while Redis is away")
	}
	proxy.Refuse(false)
	if _, found, err := store.Load(r); err != nil || !found {
		t.Fatalf("after the recovery of Redis: %t %v", found, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
