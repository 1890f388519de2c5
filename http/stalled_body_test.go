package http_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/http/member"
)

// halting is a body that ends in a stall after its first bytes.
type halting struct {
	first   io.Reader
	stalls  chan struct{} // closed when the rest is read
	once    sync.Once
	release <-chan struct{}
}

func (s *halting) Read(into []byte) (int, error) {
	if n, err := s.first.Read(into); n > 0 || err == nil {
		return n, nil
	}
	s.once.Do(func() { close(s.stalls) })
	<-s.release
	return 0, io.ErrUnexpectedEOF
}

// staller sends requests whose bodies stall until the end of the test.
type staller struct {
	*apitest.Server
	release chan struct{}
	running sync.WaitGroup
}

func newStaller(t *testing.T, b *apitest.Server) *staller {
	t.Helper()
	s := &staller{Server: b, release: make(chan struct{})}
	t.Cleanup(func() { close(s.release); s.running.Wait() })
	return s
}

// stall begins a request, and returns when it waits for its body or is answered. A length of -1 is undeclared.
func (s *staller) stall(method, path, body, kind, credential string, length int64) {
	reading := &halting{first: strings.NewReader(body), stalls: make(chan struct{}), release: s.release}
	r := httptest.NewRequestWithContext(context.Background(), method, path, reading)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if strings.HasPrefix(credential, "Bearer ") {
		r.Header.Set("Authorization", credential)
	} else {
		r.Header.Set("Cookie", credential)
	}
	r.ContentLength = length
	answered := make(chan struct{})
	s.running.Go(func() { s.HTTP.ServeHTTP(httptest.NewRecorder(), r); close(answered) })
	select {
	case <-reading.stalls:
	case <-answered:
	}
}

// withOneSlot lets the server work on one request and one import at a time.
func withOneSlot(s *equityhttp.Settings, _ *equityhttp.Services) {
	s.Queue = equityhttp.QueueSettings{Parallel: 1, Wait: 2 * time.Second}
	s.Imports = member.ImportSettings{Directory: s.Imports.Directory, Parallel: 1}
}

func TestStalledBodyHoldsNoSlot(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, withOneSlot)
	e := newEstate(t, b, "zenobia")
	other, leaving := b.NewPerson(t, "other@example.com"), b.NewPerson(t, "leaving@example.com")
	bearer := "Bearer " + newProgram(t, e.Client, `"read"`).token
	s := newStaller(t, b)
	free := func(method, path, kind string, length int64) {
		if got := other.Send(t, "GET", "/v1/user/current", ""); got.Status != http.StatusOK {
			t.Fatalf("while %s %s of %s with the length %d sends its body: %d %s", method, path, kind, length, got.Status, got.Body)
		}
	}
	const declared = 1000
	try := func(method, path, body, kind, credential string) {
		for _, length := range []int64{declared, 1 << 19, -1} {
			s.stall(method, path, body, kind, credential, length)
			free(method, path, kind, length)
		}
	}
	bodies := 0
	for _, d := range declaredOperations(b.Contract) {
		if d.body == nil {
			s.stall(d.method, inPath(d.path), "x", "application/json", leaving.Cookie, declared)
			free(d.method, d.path, "no type", declared)
			continue
		}
		bodies++
		w := e.wish(t, &d)
		address := w.path + "?" + w.query.Encode()
		half := w.body[:len(w.body)/2]
		for kind := range d.body.Content {
			if kind == "multipart/form-data" && w.kind != "" {
				kind = w.kind
			}
			try(d.method, address, half, kind, e.Cookie)
		}
		try(d.method, address, "", "text/nonsense", e.Cookie)
		try(d.method, address, half, "application/json", "")
	}
	if bodies < 100 {
		t.Errorf("the contract has %d operations with a body", bodies)
	}
	for _, path := range equityhttp.PathsOutsideContract(b.HTTP) {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			try(method, path, "x", "application/x-www-form-urlencoded", e.Cookie)
			try(method, path, "{", "application/json", bearer)
		}
	}
	login := `{"email":"other@example.com","password":"` + apitest.Password + `"}`
	b.Anonymous().Must(t, "POST", "/v1/user/login", login, http.StatusOK)
	rows := "fullName\nAda Lovelace\n"
	other.Must(t, "POST", other.NewOrganization(t)+"/import?kind=members", rows, http.StatusCreated, "Content-Type", "text/csv")
}
