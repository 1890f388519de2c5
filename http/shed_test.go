package http_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// shedding starts a server behind a listener that refuses by itself. Handled counts the requests that reached
// the server.
func shedding(t *testing.T, refused func(group, caller string) bool) (b *apitest.Server, address string, handled *atomic.Int64) {
	t.Helper()
	return sheddingUntil(t, refused, func() bool { return false })
}

// sheddingUntil is shedding until the server is stopping.
func sheddingUntil(t *testing.T, refused func(group, caller string) bool, stopping func() bool) (b *apitest.Server, address string, handled *atomic.Int64) {
	t.Helper()
	b, handled = apitest.Setup(t), new(atomic.Int64)
	equityhttp.RefuseArrivals(b.HTTP, refused)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handled.Add(1)
		b.HTTP.ServeHTTP(w, r)
	}))
	server.Listener = b.HTTP.Shedding(equityhttp.StrictFraming(server.Listener), stopping)
	server.Start()
	storetest.Cleanup(t, server.Close)
	return b, server.Listener.Addr().String(), handled
}

func everybody(string, string) bool { return true }

const listOrganizations = "GET /v1/organization HTTP/1.1\r\nHost: a\r\n\r\n"

func TestConnectionRefusesWithoutTheServer(t *testing.T) {
	t.Parallel()
	_, address, handled := shedding(t, everybody)
	statuses, _ := exchange(t, address, 1, listOrganizations)
	if statuses[0] != http.StatusServiceUnavailable || handled.Load() != 0 {
		t.Errorf("status %d, %d requests reached the server", statuses[0], handled.Load())
	}
}

func TestConnectionOfAStoppingServerLeavesRequestsToIt(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	_, address, handled := sheddingUntil(t, func(string, string) bool { return stopping.Swap(true) || true }, stopping.Load)
	if exchange(t, address, 2, listOrganizations+listOrganizations); handled.Load() != 1 {
		t.Errorf("%d of 2 requests reached the server, instead of the one after its stop began", handled.Load())
	}
}

// TestConnectionRefusesAsTheServerDoes compares the refusal with that of the server's own path.
func TestConnectionRefusesAsTheServerDoes(t *testing.T) {
	t.Parallel()
	_, address, _ := shedding(t, everybody)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/v1/organization", strings.NewReader(`{"name":"A"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Request-Id", "mine")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	var body map[string]string
	if err := json.NewDecoder(got.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	usual := setupSerial(t, 1)
	equityhttp.TakeSlots(usual.HTTP, 1)
	expected := usual.Anonymous().Must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable, "X-Request-Id", "mine")
	for _, name := range []string{"code", "error", "requestId"} {
		if body[name] != expected.Text(t, name) {
			t.Errorf("%s is %q, not %q", name, body[name], expected.Text(t, name))
		}
	}
	expected.Header.Del("Content-Length") // of another length of the request id
	for name := range expected.Header {
		if name != "Retry-After" && got.Header.Get(name) != expected.Header.Get(name) {
			t.Errorf("%s is %q, not %q", name, got.Header.Get(name), expected.Header.Get(name))
		}
	}
	if after := got.Header.Get("Retry-After"); after != "2" {
		t.Errorf("Retry-After %q, not 2", after)
	}
}

func TestConnectionStaysUsableAfterARefusal(t *testing.T) {
	t.Parallel()
	var calm atomic.Bool
	_, address, handled := shedding(t, func(string, string) bool { return !calm.Swap(true) })
	statuses, _ := exchange(t, address, 2, listOrganizations+listOrganizations)
	if statuses[0] != http.StatusServiceUnavailable || statuses[1] != http.StatusUnauthorized || handled.Load() != 1 {
		t.Errorf("statuses %v, %d requests reached the server", statuses, handled.Load())
	}
}

func TestConnectionRefusesEachOfSeveralRequests(t *testing.T) {
	t.Parallel()
	_, address, handled := shedding(t, everybody)
	statuses, _ := exchange(t, address, 3, strings.Repeat(listOrganizations, 3))
	if handled.Load() != 0 || statuses[2] != http.StatusServiceUnavailable {
		t.Errorf("statuses %v, %d requests reached the server", statuses, handled.Load())
	}
}

// TestServerDecidesAboutOtherRequests sends requests that need more than the decision of the queue.
func TestServerDecidesAboutOtherRequests(t *testing.T) {
	t.Parallel()
	for name, pieces := range map[string][]string{
		"page":              {"GET /login HTTP/1.1\r\nHost: a\r\n\r\n"},
		"contract":          {"GET /v1/openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"},
		"escaped path":      {"GET /v1/organization%2f HTTP/1.1\r\nHost: a\r\n\r\n"},
		"other origin":      {"GET /v1/organization HTTP/1.1\r\nHost: a\r\nOrigin: https://evil.example\r\n\r\n"},
		"other site":        {"GET /v1/organization HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-site\r\n\r\n"},
		"large body":        {"POST /v1/organization HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n", strings.Repeat("a", 70000)},
		"closed connection": {"GET /v1/organization HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"},
		"chunks":            {"POST /v1/organization HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
		"HTTP/1.0":          {"GET /v1/organization HTTP/1.0\r\nHost: a\r\n\r\n"},
		"ambiguous length":  {"POST /v1/organization HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, address, _ := shedding(t, everybody)
			if statuses, _ := exchange(t, address, 1, pieces...); statuses[0] == http.StatusServiceUnavailable {
				t.Error("the connection refused it")
			}
		})
	}
}

// TestConnectionRefusesByFlow lets a known caller pass and refuses strangers of the same network.
func TestConnectionRefusesByFlow(t *testing.T) {
	t.Parallel()
	var crowded atomic.Bool
	b, address, _ := shedding(t, func(group, _ string) bool { return crowded.Load() && strings.ContainsAny(group, ".:") })
	owner := b.NewPerson(t, "owner@example.com")
	owner.Must(t, "GET", "/v1/organization", "", http.StatusOK)
	crowded.Store(true)
	known := "GET /v1/organization HTTP/1.1\r\nHost: a\r\nCookie: " + owner.Cookie + "\r\n\r\n"
	callers, _ := exchange(t, address, 1, known)
	strangers, _ := exchange(t, address, 1, listOrganizations)
	if callers[0] != http.StatusOK || strangers[0] != http.StatusServiceUnavailable {
		t.Errorf("statuses %v and %v: the caller's must be 200, the stranger's 503", callers, strangers)
	}
}

// TestConnectionRefusesBeforeTheBody sends the body after the head, as many programs do, and the next request behind it.
func TestConnectionRefusesBeforeTheBody(t *testing.T) {
	t.Parallel()
	_, address, handled := shedding(t, everybody)
	body := strings.Repeat("a", 9000)
	statuses, _ := exchange(
		t, address, 2, "POST /v1/organization HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n", body[:10], body[10:]+listOrganizations,
	)
	if handled.Load() != 0 || statuses[0] != http.StatusServiceUnavailable || statuses[1] != http.StatusServiceUnavailable {
		t.Errorf("statuses %v, %d requests reached the server", statuses, handled.Load())
	}
}

// TestServerReadsTheRequestAfterARefusedBody admits the second request.
func TestServerReadsTheRequestAfterARefusedBody(t *testing.T) {
	t.Parallel()
	var calm atomic.Bool
	_, address, handled := shedding(t, func(string, string) bool { return !calm.Swap(true) })
	statuses, _ := exchange(
		t, address, 2, "POST /v1/organization HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n", strings.Repeat("a", 9000),
		listOrganizations,
	)
	if handled.Load() != 1 || statuses[0] != http.StatusServiceUnavailable || statuses[1] != http.StatusUnauthorized {
		t.Errorf("statuses %v, %d requests reached the server", statuses, handled.Load())
	}
}

func TestConnectionRefusesRequestsOfItsOwnPages(t *testing.T) {
	t.Parallel()
	_, address, handled := shedding(t, everybody)
	statuses, _ := exchange(t, address, 1, "POST /v1/organization HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 2\r\n\r\n{}")
	if statuses[0] != http.StatusServiceUnavailable || handled.Load() != 0 {
		t.Errorf("status %d, %d requests reached the server", statuses[0], handled.Load())
	}
}
