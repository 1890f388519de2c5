package sessiontest

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
)

// Bench is a store and a way to advance its time.
type Bench struct {
	// Open returns a store on the same sessions. Two calls return two servers.
	Open func(t *testing.T, options session.Options) *session.Store
	// Age makes stored sessions older, for a backend with its own clock.
	Age func(t *testing.T, by time.Duration)
}

// Factory returns a fresh, empty Bench.
type Factory func(t *testing.T) Bench

// clock is a time that only the test advances.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// server is one store under test.
type server struct {
	*session.Store
	bench Bench
	clock *clock
}

func setup(t *testing.T, factory Factory, change func(*session.Options)) server {
	t.Helper()
	bench := factory(t)
	now := &clock{now: time.Now()}
	options := session.Options{Keys: [][]byte{key(1)}, Clock: now.Now, Random: rand.Reader}
	if change != nil {
		change(&options)
	}
	return server{bench.Open(t, options), bench, now}
}

func key(n byte) []byte {
	made := make([]byte, 32)
	made[0] = n
	return made
}

// pass advances the time.
func (s server) pass(t *testing.T, by time.Duration) {
	t.Helper()
	s.clock.mu.Lock()
	s.clock.now = s.clock.now.Add(by)
	s.clock.mu.Unlock()
	s.bench.Age(t, by)
}

// browser stores a cookie like a browser.
type browser struct {
	server server
	cookie *http.Cookie
}

func newUser() organization.UserID { return organization.UserID(uuid.Must(uuid.NewV7())) }

func (b *browser) request(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	return r
}

// receive stores and returns the cookie of a response; nil if the response sets none.
func (b *browser) receive(w *httptest.ResponseRecorder) *http.Cookie {
	var set *http.Cookie
	for _, cookie := range w.Result().Cookies() {
		set = cookie
		if b.cookie = cookie; cookie.MaxAge < 0 {
			b.cookie = nil
		}
	}
	return set
}

// signIn signs in a new user.
func (b *browser) signIn(t *testing.T) messages.Session {
	t.Helper()
	return b.signInAs(t, newUser())
}

func (b *browser) signInAs(t *testing.T, user organization.UserID) messages.Session {
	t.Helper()
	w := httptest.NewRecorder()
	made, err := b.server.Create(w, b.request(t), messages.SignIn{User: user})
	if err != nil {
		t.Fatal(err)
	}
	b.receive(w)
	return made
}

// signedIn reports whether the store accepts the browser's cookie.
func (b *browser) signedIn(t *testing.T) bool {
	t.Helper()
	_, found, err := b.server.Load(b.request(t))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (b *browser) signOut(t *testing.T) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := b.server.Destroy(w, b.request(t)); err != nil {
		t.Fatal(err)
	}
	b.receive(w)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustBe(t *testing.T, what string, got, want bool) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %t", what, got)
	}
}

// identifierOf returns the identifier of a session: the part of the cookie before the signature.
func identifierOf(made messages.Session) string {
	id, _, _ := strings.Cut(made.Token, ".")
	return id
}
