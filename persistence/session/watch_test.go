package session_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// eventually repeats the condition, which makes round trips or waits, until it holds.
func eventually(t *testing.T, failure string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); {
		if time.Since(begun) > 20*time.Second {
			t.Fatal(failure)
		}
	}
}

// untilFromMemory checks a valid session until it is answered from memory.
func untilFromMemory(t *testing.T, s *session.Store, r *http.Request) {
	t.Helper()
	before, _ := s.Checks()
	eventually(t, "the session is not read from memory", func() bool {
		if found, ok, err := s.Load(r); err != nil || !ok || !found.VerifiedAt.IsZero() {
			t.Fatal(found.VerifiedAt, ok, err)
		}
		memory, _ := s.Checks()
		return memory > before
	})
}

// pair is two servers with the same sessions, and a session of a user. The second one is connected through a proxy.
type pair struct {
	first, second *session.Store
	proxy         *storetest.Proxy
	pool          *redis.Pool
	key           string // of the session
	prefix        string
	clock         *manualClock
	user          organization.UserID
	made          messages.Session
	request       *http.Request
}

const pairLimit = 400 * time.Millisecond

func newPair(t *testing.T) *pair {
	t.Helper()
	address, prefix := storetest.Redis(t)
	p := &pair{prefix: prefix, clock: &manualClock{now: time.Now()}, user: storetest.NewID[organization.User]()}
	p.proxy = storetest.NewProxy(t, strings.TrimSuffix(strings.TrimPrefix(address, "redis://"), "/0"))
	chosen := options()
	chosen.Clock, chosen.Timeout = p.clock.Now, pairLimit
	open := func(address string) (*redis.Pool, *session.Store) {
		pool := session.NewPool(address, pairLimit)
		storetest.Cleanup(t, func() { _ = pool.Close() })
		made, err := session.NewRedis(pool, prefix, chosen)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Cleanup(t, func() { _ = made.Close() })
		return pool, made
	}
	p.pool, p.first = open(address)
	_, p.second = open("redis://" + p.proxy.Address() + "/0")
	p.request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	var err error
	if p.made, err = p.first.Create(httptest.NewRecorder(), p.request, messages.SignIn{User: p.user}); err != nil {
		t.Fatal(err)
	}
	p.request.AddCookie(&http.Cookie{Name: "connect.sid", Value: p.made.Token})
	id, _, _ := strings.Cut(p.made.Token, ".")
	sum := sha256.Sum256([]byte(id))
	p.key = prefix + base64.RawURLEncoding.EncodeToString(sum[:])
	untilFromMemory(t, p.second, p.request)
	return p
}

// do executes a command at Redis, not through the proxy.
func (p *pair) do(t *testing.T, command string, arguments ...any) any {
	t.Helper()
	conn := p.pool.Get()
	defer func() { _ = conn.Close() }()
	reply, err := conn.Do(command, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func TestSessionFromMemoryNeedsNoQuery(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	begun := time.Now()
	_, before := p.second.Checks()
	for range 1000 {
		if found, ok, err := p.second.Load(p.request); err != nil || !ok || found.User != p.user || found.Token != p.made.Token {
			t.Fatal(found, ok, err)
		}
	}
	// A paused process loses its watch, which is right: then the count is not meaningful.
	if _, after := p.second.Checks(); after != before && time.Since(begun) < pairLimit/4 {
		t.Errorf("%d queries", after-before)
	}
}

func TestSessionThatEndsOnOneServerEndsOnAnother(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(ctx context.Context, p *pair) error{
		"sign out": func(_ context.Context, p *pair) error { return p.first.Destroy(httptest.NewRecorder(), p.request) },
		"end by handle": func(ctx context.Context, p *pair) error {
			_, err := p.first.End(ctx, p.user, p.made.Handle)
			return err
		},
		"revocation of the user": func(ctx context.Context, p *pair) error { return p.first.RevokeUser(ctx, p.user) },
		"deletion by an operator": func(_ context.Context, p *pair) error {
			conn := p.pool.Get()
			defer func() { _ = conn.Close() }()
			_, err := conn.Do("DEL", p.key)
			return err
		},
		"another session of the browser": func(_ context.Context, p *pair) error {
			_, err := p.first.Create(httptest.NewRecorder(), p.request, messages.SignIn{User: p.user})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			if err := end(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the session is still accepted", func() bool {
				_, ok, err := p.second.Load(p.request)
				if err != nil {
					t.Fatal(err)
				}
				return !ok
			})
		})
	}
}

func TestEndedSessionIsRefusedAtOnceOnItsServer(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for range 50 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		made, err := p.second.Create(httptest.NewRecorder(), r, messages.SignIn{User: p.user})
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
		checked := make(chan struct{})
		go func() { // checks during the end
			defer close(checked)
			for found := true; found; {
				_, found, _ = p.second.Load(r)
			}
		}()
		if err := p.second.Destroy(httptest.NewRecorder(), r); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := p.second.Load(r); err != nil || ok {
			t.Fatalf("accepted after the end: %t %v", ok, err)
		}
		<-checked
	}
}

func TestChangedSessionIsReadAgain(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	changed, err := p.first.Get(p.request, "connect.sid")
	if err != nil {
		t.Fatal(err)
	}
	changed.Values["mustChangePassword"] = true
	if err := p.first.Save(p.request, httptest.NewRecorder(), changed); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the earlier values are still returned", func() bool {
		found, ok, err := p.second.Load(p.request)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return found.MustChangePassword
	})
}

func TestLostWatchEmptiesTheMemory(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.proxy.Refuse(true)
	eventually(t, "accepted without a watch", func() bool {
		_, ok, err := p.second.Load(p.request)
		return !ok && err != nil
	})
	if err := p.first.Destroy(httptest.NewRecorder(), p.request); err != nil { // its report is lost
		t.Fatal(err)
	}
	p.proxy.Refuse(false)
	memory, _ := p.second.Checks()
	eventually(t, "Redis is not queried again", func() bool {
		_, ok, err := p.second.Load(p.request)
		if ok {
			t.Fatal("accepted after its end")
		}
		return err == nil
	})
	if now, _ := p.second.Checks(); now != memory {
		t.Errorf("%d checks were answered from memory", now-memory)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	made, err := p.first.Create(httptest.NewRecorder(), r, messages.SignIn{User: p.user})
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
	untilFromMemory(t, p.second, r) // the watch is back
}

func TestSilentWatchIsNotTrustedBeyondTheTimeout(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.proxy.Freeze(true)
	if err := p.first.Destroy(httptest.NewRecorder(), p.request); err != nil {
		t.Fatal(err)
	}
	ended := time.Now()
	var lastAccepted time.Duration
	eventually(t, "accepted although nothing is received", func() bool {
		at := time.Now()
		_, ok, _ := p.second.Load(p.request)
		if ok {
			lastAccepted = at.Sub(ended)
		}
		return !ok
	})
	if lastAccepted > pairLimit {
		t.Errorf("accepted %s after its end", lastAccepted)
	}
	p.proxy.Freeze(false)
	eventually(t, "Redis is not queried again", func() bool {
		_, ok, err := p.second.Load(p.request)
		if ok {
			t.Fatal("accepted after its end")
		}
		return err == nil
	})
}

func TestUseOfACachedSessionExtendsItsExpiry(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	const idle = 7 * 24 * time.Hour
	age := func(by time.Duration) { // Redis has its own clock
		left, _ := p.do(t, "PTTL", p.key).(int64)
		p.do(t, "PEXPIRE", p.key, left-by.Milliseconds())
		p.clock.pass(by)
	}
	for range 3 {
		age(4 * 24 * time.Hour)
		if _, ok, err := p.second.Load(p.request); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if left, _ := p.do(t, "PTTL", p.key).(int64); left < (idle - time.Minute).Milliseconds() {
			t.Fatalf("the session ends in %d ms", left)
		}
		untilFromMemory(t, p.second, p.request)
	}
	age(idle + time.Second)
	if _, ok, err := p.second.Load(p.request); err != nil || ok {
		t.Fatalf("accepted after its expiry: %t %v", ok, err)
	}
}
