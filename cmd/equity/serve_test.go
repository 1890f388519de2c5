package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"equity/config"
	"equity/persistence/storetest"
)

// running is a server in the process of the test.
type running struct {
	url, metrics string
	out, log     *safeBuffer
	stop         context.CancelFunc
	status       chan int
}

var serving = regexp.MustCompile(`msg=serving address=(\S+) metrics=(\S+)/metrics`)

// serve starts `equity serve` and waits for its address. The server is stopped in order
// at the end of the test and must exit without an error.
func (s *shell) serve(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	r := &running{out: &safeBuffer{}, log: &safeBuffer{}, stop: stop, status: make(chan int, 1)}
	if s.variables["LOG_LEVEL"] == "warn" {
		s.variables["LOG_LEVEL"] = "info"
	}
	p := s.program("", r.out, r.log)
	go func() { r.status <- p.run(ctx, append([]string{"serve"}, args...)) }()
	deadline := time.Now().Add(time.Minute)
	for serving.FindString(r.log.String()) == "" {
		select {
		case status := <-r.status:
			t.Fatalf("the server ended with status %d\n%s", status, r.log.String())
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server did not log its address\n%s", r.log.String())
		}
	}
	found := serving.FindStringSubmatch(r.log.String())
	r.url, r.metrics = found[1], found[2]
	storetest.Cleanup(t, func() { r.end(t) })
	return r
}

// end stops the server in order. A second call has no effect.
func (r *running) end(t *testing.T) {
	t.Helper()
	if r.status == nil {
		return
	}
	r.stop()
	select {
	case status := <-r.status:
		if status != statusDone {
			t.Errorf("the server ended with status %d\n%s", status, r.log.String())
		}
	case <-time.After(time.Minute):
		t.Errorf("the server does not stop\n%s", r.log.String())
	}
	r.status = nil
}

// reply is the header of a response whose body was read.
type reply struct {
	StatusCode int
	Header     http.Header
}

// send sends a request with a JSON body and an optional cookie, and returns the response and its body.
func send(t *testing.T, client *http.Client, method, url, body, cookie string) (reply, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header}, string(text)
}

func (r *running) do(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	response, text := send(t, http.DefaultClient, method, url, body, "")
	return response.StatusCode, text
}

func (r *running) get(t *testing.T, url string) (int, string) {
	t.Helper()
	return r.do(t, http.MethodGet, url, "")
}

func (r *running) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	return r.do(t, http.MethodPost, r.url+path, body)
}

func TestServerStartsOnAnEmptyFolderAndStops(t *testing.T) {
	t.Parallel()
	s := setup(t)
	r := s.serve(t, "--demo")
	mustContain(t, r.log.String(), "records are stored in the SQLite file", "sessions are stored", "mail is written to files")
	mustContain(t, r.out.String(), demoEmail, demoPassword)
	for _, url := range []string{r.url + "/healthz", r.url + "/readyz", r.metrics + "/healthz", r.metrics + "/readyz"} {
		if status, body := r.get(t, url); status != http.StatusOK {
			t.Errorf("%s answers %d %s", url, status, body)
		}
	}
	if status, body := r.post(t, "/v1/user/login", `{"email": "`+demoEmail+`", "password": "`+demoPassword+`"}`); status != http.StatusOK {
		t.Errorf("the demo's user cannot sign in: %d %s", status, body)
	}
	_, metrics := r.get(t, r.metrics+"/metrics")
	mustContain(t, metrics, "go_goroutines", "equity_journal_events_total", "equity_organizations_live 1")
	if status, _ := r.get(t, r.url+"/metrics"); status != http.StatusNotFound {
		t.Errorf("the public port answers %d to /metrics", status)
	}
	r.end(t)
	if _, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://")); err == nil {
		t.Error("the stopped server still listens")
	}
	again := s.serve(t, "--demo")
	mustContain(t, again.out.String(), demoEmail)
	mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
}

func TestRunningRequestIsAnsweredBeforeTheStop(t *testing.T) {
	t.Parallel()
	r := setup(t).serve(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	body := `{"email": "nobody@example.com", "password": "correct horse battery"}`
	_, err = fmt.Fprintf(
		conn, "POST /v1/user/login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body),
		body[:10],
	)
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := r.get(t, r.url+"/healthz"); status != http.StatusOK { // the server has accepted the first request by now
		t.Fatal(status)
	}
	r.stop()
	for !strings.Contains(r.log.String(), "msg=stopping") {
		time.Sleep(time.Millisecond)
	}
	if _, err := io.WriteString(conn, body[10:]); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), "invalidCredentials") {
		t.Errorf("answered %q, %v", answer, err)
	}
	r.end(t)
}

func TestUsedAddressIsReported(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, setting := range []string{"LISTEN", "METRICS_LISTEN"} {
		s := setup(t)
		s.variables[setting] = taken.Addr().String()
		mustContain(t, s.refused(t, statusFailed, "serve"), "equity: "+setting+": ", "address already in use")
	}
}

func TestUnreachableServicesAreReported(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/none?connect_timeout=1"
	mustContain(t, s.refused(t, statusFailed, "serve"), "equity: DATABASE_URL: ")
	delete(s.variables, "DATABASE_URL")
	s.variables["REDIS_URL"] = "redis://127.0.0.1:1/0"
	mustContain(t, s.refused(t, statusFailed, "serve"), "REDIS_URL: ")
}

func TestLogIsJSONInProduction(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	logger := setup(t).program("", &safeBuffer{}, &log).logger(config.Config{LogFormat: config.LogJSON})
	logger.Debug("quiet")
	logger.Info("said", "a", 1)
	var line map[string]any
	if err := json.Unmarshal([]byte(log.String()), &line); err != nil || line["msg"] != "said" {
		t.Errorf("%s: %v", log.String(), err)
	}
}

func TestPublicURLIsReachable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		set    string
		listen net.IP
		want   string
	}{
		{"", net.IPv4(127, 0, 0, 1), "http://127.0.0.1:80"},
		{"", net.IPv4zero, "http://localhost:80"},
		{"", net.IPv6zero, "http://localhost:80"},
		{"", net.IPv6loopback, "http://[::1]:80"},
		{"https://equity.example.com", net.IPv4zero, "https://equity.example.com"},
	} {
		listener := listenerAt{&net.TCPAddr{IP: test.listen, Port: 80}}
		if got := publicURL(config.Config{PublicURL: test.set}, listener); got != test.want {
			t.Errorf("listening on %s: %s, want %s", test.listen, got, test.want)
		}
	}
}

type listenerAt struct{ address net.Addr }

func (l listenerAt) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (l listenerAt) Close() error              { return nil }
func (l listenerAt) Addr() net.Addr            { return l.address }

func TestStopEndsWithinItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, conn := net.Pipe()
		arrived, release := make(chan struct{}), make(chan struct{})
		server := newHTTPServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(arrived); <-release }), slog.New(slog.DiscardHandler))
		connections := make(chan net.Conn, 1)
		connections <- conn
		go func() { _ = server.Serve(pipes{connections}) }()
		go func() { _, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n") }()
		<-arrived
		started := time.Now()
		if err := stop(t.Context(), []*http.Server{server}, time.Minute); err == nil {
			t.Error("a stop with an aborted request returns no error")
		}
		if waited := time.Since(started); waited < time.Minute || waited > 2*time.Minute {
			t.Errorf("stopped after %s", waited)
		}
		close(release)
		_, _ = client.Close(), server.Close()
	})
}

// pipes is a listener with connections from a channel.
type pipes struct{ connections chan net.Conn }

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p.connections
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error { close(p.connections); return nil }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }
