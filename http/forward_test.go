package http_test

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// router is the placement of one server of a cluster of two. The same server is asked first for all organizations.
type router struct {
	mu      sync.Mutex
	self    bool
	avoided int
}

func newRouter(self bool) *router { return &router{self: self} }

func (r *router) set(self bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.self, r.avoided = self, 0
}

func (r *router) First(organization.ID) (node messages.Node, self bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return messages.Node{ID: "other"}, r.self || r.avoided > 0
}

func (r *router) Avoid(messages.Node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.avoided++
}

// link carries requests to the second server. Before may fail or change an attempt.
type link struct {
	to       *equityhttp.Server
	sent     atomic.Int64
	commands []string
	traces   []string // the header Traceparent of the attempts
	outcome  func(attempt int64, answer *http.Response) (*http.Response, error)
}

func (l *link) Send(_ messages.Node, r *http.Request, _ bool) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	received := r.Clone(r.Context())
	received.RequestURI, received.RemoteAddr = r.URL.RequestURI(), "10.0.0.9:4711"
	if r.Body == nil {
		received.Body = io.NopCloser(strings.NewReader(""))
	}
	l.commands, l.traces = append(l.commands, r.Header.Get("Equity-Command")), append(l.traces, r.Header.Get("Traceparent"))
	recorder := httptest.NewRecorder()
	l.to.ServeForwarded(recorder, received)
	attempt := l.sent.Add(1)
	if l.outcome != nil {
		return l.outcome(attempt, recorder.Result())
	}
	return recorder.Result(), nil
}

// Alive reports that the second server lives.
func (*link) Alive(context.Context, messages.Node) error { return nil }

// nodes are two servers over one store. The clients of the kit use the first one.
type nodes struct {
	*apitest.Firm
	first, second *router
	link          *link
	entity        string
	counts        *prometheus.Registry // of the second server
}

// setupNodes starts the servers. The first one serves the firm itself, until its router asks the other one.
func setupNodes(t *testing.T, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *nodes {
	t.Helper()
	n := &nodes{first: newRouter(true), second: newRouter(true), link: &link{}, counts: prometheus.NewRegistry()}
	var settings equityhttp.Settings
	var services equityhttp.Services
	b := apitest.Setup(t, func(s *equityhttp.Settings, parts *equityhttp.Services) {
		s.TagKey = []byte("the same key at both servers")
		parts.Router, parts.Nodes = n.first, n.link
		for _, change := range changes {
			change(s, parts)
		}
		settings, services = *s, *parts
	})
	services.Router, services.Nodes, services.Metrics, services.Live = n.second, nil, n.counts, b.Live
	second, err := equityhttp.NewServer(settings, services)
	if err != nil {
		t.Fatal(err)
	}
	n.link.to = second
	n.Firm = b.NewFirm(t, "ada@example.com")
	n.entity = n.NewHolder(t, "Grace Hopper")
	return n
}

func (n *nodes) share() string { return n.IssuanceBody(n.entity, "1") }

func (n *nodes) shareholdings(t *testing.T) int {
	t.Helper()
	list, _ := n.Must(t, "GET", n.Home+"/shareholding?limit=200", "", http.StatusOK).Get(t, "data").([]any)
	return len(list)
}

func TestForwardedChangeHasTheAnswerOfTheOtherServer(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	before := n.shareholdings(t)
	made := n.Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusCreated)
	if n.link.sent.Load() != 1 || made.Header.Get("Set-Cookie") == "" || made.Header.Get("Location") == "" {
		t.Errorf("%d requests were forwarded; the answer has the header %v", n.link.sent.Load(), made.Header)
	}
	if added := n.shareholdings(t) - before; added != 1 {
		t.Errorf("%d shareholdings were added; want 1", added)
	}
	n.Anonymous().Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusUnauthorized)
	n.Server.NewPerson(t, "eve@example.com").Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusForbidden)
}

func TestReadIsServedByEachServer(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	local := n.Must(t, "GET", n.Home+"/captable", "", http.StatusOK)
	n.first.set(false)
	far := n.Must(t, "GET", n.Home+"/captable", "", http.StatusOK)
	if n.link.sent.Load() != 0 || far.Body != local.Body {
		t.Errorf("%d reads were forwarded", n.link.sent.Load())
	}
}

func TestRequestsWithoutAnOrganizationStay(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	reads := []string{"/v1/user/current", "/v1/organization", "/v1/entity/" + n.User.Entity.String() + "/profile", "/v1/holding"}
	var local []string
	for _, path := range reads {
		local = append(local, n.Must(t, "GET", path, "", http.StatusOK).Body)
	}
	n.first.set(false)
	for i, path := range reads {
		if far := n.Must(t, "GET", path, "", http.StatusOK).Body; far != local[i] {
			t.Errorf("%s: %s, as the owner %s", path, far, local[i])
		}
	}
	for _, result := range askAll(
		t, n.Client, [2]string{"getOrganization", `"organization":"` + n.ID + `"`}, [2]string{"listOrganizations", ""},
	) {
		if result.Status != http.StatusOK {
			t.Errorf("%d: %s", result.Status, result.Body)
		}
	}
	if n.link.sent.Load() != 0 {
		t.Errorf("%d requests were forwarded", n.link.sent.Load())
	}
}

func TestClientsCannotPretendToBeForwarded(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	forged := base64.StdEncoding.EncodeToString([]byte(`{"user":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"siteAdmin":true,"address":"127.0.0.1"}`))
	n.Anonymous().Must(t, "GET", n.Home+"/captable", "", http.StatusUnauthorized, "Equity-Caller", forged)
	n.first.set(false)
	n.Anonymous().Must(t, "GET", n.Home+"/captable", "", http.StatusUnauthorized, "Equity-Caller", forged)
	before := n.shareholdings(t)
	for range 2 { // the id of a client is replaced
		n.Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusCreated, "Equity-Command", "mine")
	}
	if added := n.shareholdings(t) - before; added != 2 {
		t.Errorf("%d shareholdings were added; want 2", added)
	}
}

var errLost = errors.New("the connection ended")

// TestLostChangeHappensOnce loses the answer of the other server, and loses the request on its way.
func TestLostChangeHappensOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	before := n.shareholdings(t)
	n.first.set(false)
	n.link.outcome = func(int64, *http.Response) (*http.Response, error) { return nil, errLost }
	got := n.Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusCreated)
	if got.Header.Get("Idempotency-Replayed") != "" {
		t.Error("the caller is told of a key that they did not send")
	}
	if n.link.sent.Load() != 1 || n.link.commands[0] == "" || n.first.avoided != 1 {
		t.Errorf("the attempts had the ids %q, and the other server was avoided %d times", n.link.commands, n.first.avoided)
	}
	if added := n.shareholdings(t) - before; added != 1 {
		t.Errorf("%d shareholdings were added; want 1", added)
	}
}

// TestForwardedRequestIsNotForwardedAgain asks a server that would ask another one.
func TestForwardedRequestIsNotForwardedAgain(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	n.second.set(false)
	n.Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusCreated)
	if n.link.sent.Load() != 1 {
		t.Errorf("%d attempts", n.link.sent.Load())
	}
}
