package session_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// manualClock is a clock that advances only on request.
type manualClock struct {
	mu  sync.Mutex
	now time.Time
}

func (w *manualClock) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *manualClock) pass(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(by)
}

// graced is a store on Redis with a grace period of a minute and a freshly verified session.
type graced struct {
	*session.Store
	proxy   *storetest.Proxy
	clock   *manualClock
	user    organization.UserID
	made    messages.Session
	request *http.Request
}

func newGraced(t *testing.T) *graced {
	t.Helper()
	address, prefix := storetest.Redis(t)
	proxy := storetest.NewProxy(t, strings.TrimSuffix(strings.TrimPrefix(address, "redis://"), "/0"))
	const limit = 200 * time.Millisecond
	pool := session.NewPool("redis://"+proxy.Address()+"/0", limit)
	storetest.Cleanup(t, func() { _ = pool.Close() })
	g := &graced{proxy: proxy, clock: &manualClock{now: time.Now()}, user: storetest.NewID[organization.User]()}
	chosen := options()
	chosen.Clock, chosen.Grace, chosen.Timeout = g.clock.Now, time.Minute, limit
	var err error
	if g.Store, err = session.NewRedis(pool, prefix, chosen); err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = g.Close() })
	g.request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if g.made, err = g.Create(httptest.NewRecorder(), g.request, messages.SignIn{User: g.user}); err != nil {
		t.Fatal(err)
	}
	g.request.AddCookie(&http.Cookie{Name: "connect.sid", Value: g.made.Token})
	untilFromMemory(t, g.Store, g.request)
	return g
}

// untilUnverified waits until the session is accepted without a confirmation: until the watch has ended.
func untilUnverified(t *testing.T, g *graced) {
	t.Helper()
	eventually(t, "the session is still accepted as verified", func() bool {
		found, ok, err := g.Load(g.request)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return !found.VerifiedAt.IsZero()
	})
}

func TestRecentlyVerifiedSessionIsAcceptedWhileStoreIsSilent(t *testing.T) {
	t.Parallel()
	g := newGraced(t)
	g.proxy.Freeze(true)
	untilUnverified(t, g)
	g.clock.pass(50 * time.Second)
	found, ok, err := g.Load(g.request)
	if err != nil || !ok || found.VerifiedAt.IsZero() || found.User != g.user || found.Token != g.made.Token {
		t.Fatalf("%+v %t %v", found.VerifiedAt, ok, err)
	}
	begin := time.Now()
	if _, ok, err := g.Load(g.request); err != nil || !ok || time.Since(begin) > 100*time.Millisecond {
		t.Errorf("the call waited for a silent store: %v %t %v", time.Since(begin), ok, err)
	}
	g.clock.pass(11 * time.Second)
	if _, ok, err := g.Load(g.request); err == nil || ok {
		t.Errorf("accepted after the grace period: %t %v", ok, err)
	}
}

func TestEndedSessionIsNotAcceptedWhileStoreIsSilent(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(g *graced){
		"signed out": func(g *graced) { _ = g.Destroy(httptest.NewRecorder(), g.request) },
		"ended":      func(g *graced) { _, _ = g.End(g.request.Context(), g.user, g.made.Handle) },
		"revoked":    func(g *graced) { _ = g.RevokeUser(g.request.Context(), g.user) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGraced(t)
			g.proxy.Freeze(true)
			end(g)
			if _, ok, err := g.Load(g.request); err == nil || ok {
				t.Errorf("accepted: %t %v", ok, err)
			}
		})
	}
}

func TestStoreIsQueriedAgainAfterRecovery(t *testing.T) {
	t.Parallel()
	g := newGraced(t)
	g.proxy.Refuse(true)
	untilUnverified(t, g)
	g.proxy.Refuse(false)
	for begin := time.Now(); ; {
		g.clock.pass(time.Second)
		found, ok, err := g.Load(g.request)
		if err == nil && ok && found.VerifiedAt.IsZero() {
			return
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatal("the session is still read from memory", ok, err)
		}
	}
}
