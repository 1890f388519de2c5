package main

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// exposed is a server with the demo company and a database behind a proxy that the test can interrupt. Its sessions are in
// Redis.
type exposed struct {
	*running
	proxy  *storetest.Proxy
	cookie string
	home   string // the path of the company
}

func serveExposed(t *testing.T, settings ...string) *exposed {
	t.Helper()
	s := setupServices(t)
	address, err := url.Parse(s.variables["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	e := &exposed{proxy: storetest.NewProxy(t, address.Host)}
	address.Host = e.proxy.Address()
	s.variables["DATABASE_URL"], s.variables["STORE_TIMEOUT"] = address.String(), "1s"
	for i := 0; i < len(settings); i += 2 {
		s.variables[settings[i]] = settings[i+1]
	}
	e.running = s.serve(t, "--demo")
	response, _ := e.send(t, http.MethodPost, "/v1/user/login", demoLogin)
	e.cookie, _, _ = strings.Cut(response.Header.Get("Set-Cookie"), ";")
	_, body := e.send(t, http.MethodGet, "/v1/organization", "")
	_, rest, _ := strings.Cut(body, `"id":"`)
	e.home = "/v1/organization/" + rest[:36]
	if response, body := e.send(t, http.MethodGet, e.home+"/captable", ""); response.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	return e
}

func (e *exposed) send(t *testing.T, method, path, body string) (reply, string) {
	t.Helper()
	return send(t, http.DefaultClient, method, e.url+path, body, e.cookie)
}

// write creates a class of shares.
func (e *exposed) write(t *testing.T, name string) (reply, string) {
	t.Helper()
	return e.send(t, http.MethodPost, e.home+"/security",
		`{"name":"`+name+`","shareType":"common","prefix":"`+name+`","authorizedShares":"1000"}`)
}

func TestReadsContinueWithAgeWhileDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	e := serveExposed(t)
	if response, _ := e.send(t, http.MethodGet, e.home+"/captable", ""); response.Header.Get("Age") != "" {
		t.Errorf("a current answer has Age %s", response.Header.Get("Age"))
	}
	e.proxy.Refuse(true)
	for i := range 12 {
		if response, body := e.write(t, "W"+strconv.Itoa(i)); response.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("a write: %d %s", response.StatusCode, body)
		}
		response, body := e.send(t, http.MethodGet, e.home+"/captable", "")
		if _, err := strconv.Atoi(response.Header.Get("Age")); err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("a read after %d failed writes: %d, Age %q %s", i+1, response.StatusCode, response.Header.Get("Age"), body)
		}
	}
	e.proxy.Refuse(false)
	for begin := time.Now(); ; {
		response, _ := e.send(t, http.MethodGet, e.home+"/captable", "")
		if response.StatusCode == http.StatusOK && response.Header.Get("Age") == "" {
			break
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatal("reads are stale although the database answers")
		}
	}
	if response, body := e.write(t, "BACK"); response.StatusCode != http.StatusCreated {
		t.Errorf("a write after the outage: %d %s", response.StatusCode, body)
	}
}

// silentLimit is the maximum duration of an answer and of a stop while the database is silent: eight times the store
// timeout of the tests. The documented limit is twice that timeout; the rest is for a busy machine.
const silentLimit = 8 * time.Second

// TestEachRequestIsAnsweredWhileDatabaseIsSilent sends the requests concurrently. Each answer states the outcome.
func TestEachRequestIsAnsweredWhileDatabaseIsSilent(t *testing.T) {
	t.Parallel()
	e := serveExposed(t)
	_, body := e.send(t, http.MethodGet, "/v1/user/current", "")
	_, rest, _ := strings.Cut(body, `"entity":"`)
	own := rest[:36]
	e.proxy.Freeze(true)
	var requests sync.WaitGroup
	for name, send := range map[string]func() (reply, string){
		"a sign-in": func() (reply, string) {
			return e.send(t, http.MethodPost, "/v1/user/login", `{"email":"`+demoEmail+`","password":"`+demoPassword+`"}`)
		},
		"a transfer": func() (reply, string) {
			return e.send(t, http.MethodPost, "/v1/credit/transfer", `{"fromEntity":"`+own+`","toEntity":"`+e.home[len(e.home)-36:]+`","amount":1}`)
		},
		"a list":  func() (reply, string) { return e.send(t, http.MethodGet, "/v1/organization", "") },
		"a write": func() (reply, string) { return e.write(t, "X") },
	} {
		requests.Go(func() {
			begin := time.Now()
			response, body := send()
			took, stated := time.Since(begin), strings.Contains(body, `"code":"unavailable"`) || strings.Contains(body, `"code":"outcomeUnknown"`)
			if response.StatusCode != http.StatusServiceUnavailable || !stated || took > silentLimit {
				t.Errorf("%s after %v: %d %s", name, took, response.StatusCode, body)
			}
		})
	}
	requests.Wait()
	response, body := e.send(t, http.MethodGet, e.home+"/captable", "")
	if _, err := strconv.Atoi(response.Header.Get("Age")); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("a read: %d, Age %q %s", response.StatusCode, response.Header.Get("Age"), body)
	}
	e.proxy.Freeze(false) // so that the server stops without an error
}

func TestServerStopsWhileDatabaseIsSilent(t *testing.T) {
	t.Parallel()
	const drain = 4 * time.Second // a question before the stop may wait for the database, for one second
	e := serveExposed(t, "DRAIN_DELAY", drain.String())
	e.proxy.Freeze(true)
	e.write(t, "X")
	begin := time.Now()
	e.stop()
	for { // the listener is open for the drain delay
		if status, body := e.get(t, e.url+"/readyz"); status == http.StatusServiceUnavailable && strings.Contains(body, "stopping") {
			break
		}
	}
	select {
	case <-e.status:
	case <-time.After(time.Minute):
		t.Fatal("the server does not stop")
	}
	if took := time.Since(begin); took < drain || took > drain-time.Second+silentLimit { // the limit includes a second of draining
		t.Errorf("stopping took %v", took)
	}
	e.status = nil
}

func TestStoppingServerIsNotReadyBeforeItsListenerCloses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["DRAIN_DELAY"] = "2s"
	r := s.serve(t)
	r.stop()
	for {
		status, body := r.get(t, r.url+"/readyz") // fails if the listener closes first
		if status == http.StatusServiceUnavailable && strings.Contains(body, "stopping") {
			break
		}
	}
	if status, _ := r.get(t, r.url+"/healthz"); status != http.StatusOK {
		t.Errorf("a server that drains answers %d", status)
	}
	response, err := http.Get(r.url + "/v1/organization")
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || !response.Close {
		t.Errorf("an answer while draining keeps its connection: %v %v", response.Header, err)
	}
	if status, _ := r.post(t, "/v1/user/login", `{"email": "nobody@example.com", "password": "correct horse battery"}`); status != http.StatusBadRequest {
		t.Errorf("a request while draining is answered %d", status)
	}
}
