package http_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// serveOnSocket serves on a real socket with a short grace period for slow readers. The
// channel receives a value for each closed connection.
func serveOnSocket(t *testing.T, b *apitest.Server) (address string, ended chan struct{}) {
	t.Helper()
	const grace, rate, buffer, most = 300 * time.Millisecond, 1 << 20, 4 << 10, 1000
	server := httptest.NewUnstartedServer(equityhttp.Paced(b.HTTP, equityhttp.Pace{Grace: grace, BodyGrace: grace, BytesPerSecond: rate}))
	server.Listener = equityhttp.SmallBuffers(server.Listener, buffer)
	ended = make(chan struct{}, most)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			ended <- struct{}{}
		}
	}
	server.Start()
	storetest.Cleanup(t, server.Close)
	return server.Listener.Addr().String(), ended
}

// ask sends a request on a new socket and never reads the answer.
func ask(t *testing.T, address, path, cookie string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = conn.Close() })
	if small, ok := conn.(*net.TCPConn); ok {
		_ = small.SetReadBuffer(4 << 10)
	}
	if _, err := conn.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: x\r\nCookie: " + cookie + "\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
}

// answers sends a request on a new connection and returns the status, within a minute.
func answers(t *testing.T, method, address, path, body, cookie string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", cookie)
	r.Close = true
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return statusOf(got)
}

func statusOf(r *http.Response) int {
	_ = r.Body.Close()
	return r.StatusCode
}

// growJournal adds legends until the journal exceeds the buffers of a socket.
func growJournal(t *testing.T, f *apitest.Firm) {
	t.Helper()
	for i := range 60 {
		f.NewLegend(t, `{"name":"Legend `+strconv.Itoa(i)+`","text":"`+strings.Repeat("Not registered. ", 600)+`"}`)
	}
}

// Clients that request the proof and never read it must not hold a store connection, with or
// without a limit on exports. Their connections are closed.
func TestStalledReadersDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	for claim, change := range map[string]func(*equityhttp.Settings, *equityhttp.Services){
		"bounded": func(*equityhttp.Settings, *equityhttp.Services) {}, "unbounded": unboundedExports,
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
				t.Helper()
				f := b.NewFirm(t, "owner@example.com")
				growJournal(t, f)
				address, ended := serveOnSocket(t, b)
				const silent = 30
				for range silent {
					ask(t, address, f.Home+"/journal/proof", f.Cookie)
				}
				for range 5 {
					if status := answers(t, "GET", address, "/v1/user/current", "", f.Cookie); status != http.StatusOK {
						t.Errorf("session check: %d", status)
					}
				}
				login := `{"email":"owner@example.com","password":"` + apitest.Password + `"}`
				if status := answers(t, "POST", address, "/v1/user/login", login, ""); status != http.StatusOK {
					t.Errorf("sign-in: %d", status)
				}
				if claim == "bounded" { // refused connections stay open for another request
					return
				}
				const quick = 6
				for n := range silent + quick {
					select {
					case <-ended:
					case <-time.After(time.Minute):
						t.Fatalf("%d connections ended", n)
					}
				}
			}, change)
		})
	}
}

// Every operation that returns a file counts: a caller with too many concurrent exports receives
// 429, and other callers are not affected.
func TestExportsAreBoundedForEachCaller(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	const most = 4
	blocked := func(ctx context.Context, _ *api.Call) (api.Answer, error) { //nolint:unparam // the signature is that of a Handler
		entered <- struct{}{}
		select {
		case <-release:
		case <-ctx.Done():
		}
		return api.Answer{Rendered: []byte("x"), ContentType: "text/csv", ETag: `"x"`}, nil
	}
	b := apitest.Setup(t, func(s *equityhttp.Settings, v *equityhttp.Services) {
		s.ExportsParallel = most + 1
		v.Replace = map[string]api.Handler{"exportCapTable": blocked}
	})
	e := newEstate(t, b, "zenobia")
	other := e.member(t, "other", "Owner")
	done := make(chan apitest.Answer)
	begin := func(person *apitest.Client) {
		go func() { done <- person.Copy().Send(t, "GET", e.Home+"/captable?format=csv", "") }()
		<-entered
	}
	for range most {
		begin(e.Client)
	}
	files := 0
	for _, d := range declaredOperations(b.Contract) {
		if !d.onlyFiles || d.content { // bytes are sent as they are read, and are no work
			continue
		}
		files++
		got := e.wish(t, &d).as(t, e.Copy())
		if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q", d.id, got.Status, got.Header.Get("Retry-After"))
		}
	}
	if files == 0 {
		t.Error("the contract has no operation that returns a file")
	}
	begin(other)
	close(release)
	for range most + 1 {
		if got := <-done; got.Status != http.StatusOK {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if got := e.Send(t, "GET", e.Home+"/journal/proof", ""); got.Status != http.StatusOK {
		t.Errorf("export after the release: %d", got.Status)
	}
}

// unboundedExports removes the limits on concurrent exports, but not the number of slots.
func unboundedExports(_ *equityhttp.Settings, services *equityhttp.Services) {
	services.ExportSlots = admission.New(admission.Settings{Parallel: 1, Wait: 10 * time.Second, Patient: true, Returning: true})
}
