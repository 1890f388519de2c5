package http_test

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	equityhttp "equity/http"
	"equity/messages"
	"equity/organization"
)

// router is the placement of one server of a cluster of two. All organizations have the same owner.
type router struct {
	mu      sync.Mutex
	self    bool
	changed chan struct{}
}

func newRouter(self bool) *router { return &router{self: self, changed: make(chan struct{})} }

func (r *router) set(self bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.self = self
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *router) Owner(organization.ID) (node messages.Node, epoch uint64, self, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := "other"
	if r.self {
		id = "self"
	}
	return messages.Node{ID: id}, 7, r.self, true
}

func (r *router) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

func (*router) Member(string) bool { return true }
func (*router) Epoch() uint64      { return 7 }
func (*router) Hurry()             {}

// link carries requests to the second server. Before may fail or change an attempt.
type link struct {
	to       *equityhttp.Server
	sent     atomic.Int64
	commands []string
	traces   []string // the header Traceparent of the attempts
	outcome  func(attempt int64, answer *http.Response) (*http.Response, error)
}

func (l *link) Send(_ messages.Node, r *http.Request, _ bool) (*http.Response, error) {
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

// nodes are two servers over one store. The clients of the bundle use the first one.
type nodes struct {
	*firm
	first, second *router
	link          *link
	entity        string
	counts        *prometheus.Registry // of the second server
}

// setupNodes starts the servers. The first one owns the firm until handOver.
func setupNodes(t *testing.T, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *nodes {
	t.Helper()
	n := &nodes{first: newRouter(true), second: newRouter(true), link: &link{}, counts: prometheus.NewRegistry()}
	var settings equityhttp.Settings
	var services equityhttp.Services
	b := setup(t, func(s *equityhttp.Settings, parts *equityhttp.Services) {
		s.TagKey = []byte("the same key at both servers")
		parts.Router, parts.Nodes = n.first, n.link
		for _, change := range changes {
			change(s, parts)
		}
		settings, services = *s, *parts
	})
	services.Router, services.Nodes, services.Metrics, services.Live = n.second, nil, n.counts, b.live
	second, err := equityhttp.NewServer(settings, services)
	if err != nil {
		t.Fatal(err)
	}
	n.link.to = second
	n.firm = b.firm(t, "ada@example.com")
	n.entity = n.holder(t, "Grace Hopper")
	return n
}

func (n *nodes) share() string { return n.issuance(n.entity, "1") }

func (n *nodes) shareholdings(t *testing.T) int {
	t.Helper()
	list, _ := n.must(t, "GET", n.home+"/shareholding?limit=200", "", http.StatusOK).get(t, "data").([]any)
	return len(list)
}

func TestForwardedRequestHasTheAnswerOfTheOwner(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	local := n.must(t, "GET", n.home+"/captable", "", http.StatusOK)
	n.first.set(false)
	far := n.must(t, "GET", n.home+"/captable", "", http.StatusOK)
	if n.link.sent.Load() != 1 || far.body != local.body || far.header.Get("ETag") != local.header.Get("ETag") {
		t.Errorf("%d requests were forwarded; the answers are\n%s\n%s", n.link.sent.Load(), local.body, far.body)
	}
	if far.header.Get("Set-Cookie") == "" {
		t.Error("a forwarded request does not extend the session")
	}
	n.must(t, "GET", n.home+"/captable", "", http.StatusNotModified, "If-None-Match", local.header.Get("ETag"))
	n.must(t, "GET", n.home+"/captable?asOf=never", "", http.StatusBadRequest)
	n.anonymous().must(t, "GET", n.home+"/captable", "", http.StatusUnauthorized)
	n.bundle.person(t, "eve@example.com").must(t, "GET", n.home+"/captable", "", http.StatusForbidden)
}

func TestRequestsWithoutAnOrganizationStay(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	reads := []string{"/v1/user/current", "/v1/organization", "/v1/entity/" + n.user.Entity.String() + "/profile", "/v1/holding"}
	var local []string
	for _, path := range reads {
		local = append(local, n.must(t, "GET", path, "", http.StatusOK).body)
	}
	n.first.set(false)
	for i, path := range reads {
		if far := n.must(t, "GET", path, "", http.StatusOK).body; far != local[i] {
			t.Errorf("%s: %s, as the owner %s", path, far, local[i])
		}
	}
	for _, result := range n.ask(t, [2]string{"getOrganization", `"organization":"` + n.id + `"`}, [2]string{"listOrganizations", ""}) {
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
	n.anonymous().must(t, "GET", n.home+"/captable", "", http.StatusUnauthorized, "Equity-Caller", forged)
	n.first.set(false)
	n.anonymous().must(t, "GET", n.home+"/captable", "", http.StatusUnauthorized, "Equity-Caller", forged)
	before := n.shareholdings(t)
	for range 2 { // the id of a client is replaced
		n.must(t, "POST", n.home+"/shareholding", n.share(), http.StatusCreated, "Equity-Command", "mine")
	}
	if added := n.shareholdings(t) - before; added != 2 {
		t.Errorf("%d shareholdings were added; want 2", added)
	}
}

var errLost = errors.New("the connection ended")

func TestLostWriteIsSentAgainAndHappensOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	before := n.shareholdings(t)
	n.first.set(false)
	n.link.outcome = func(attempt int64, answer *http.Response) (*http.Response, error) {
		if attempt == 1 {
			return nil, errLost
		}
		return answer, nil
	}
	got := n.must(t, "POST", n.home+"/shareholding", n.share(), http.StatusCreated)
	if got.header.Get("Idempotency-Replayed") != "" {
		t.Error("the caller is told of a key that they did not send")
	}
	if n.link.sent.Load() != 2 || n.link.commands[0] == "" || n.link.commands[0] != n.link.commands[1] {
		t.Errorf("the attempts had the ids %q", n.link.commands)
	}
	n.link.outcome = nil
	if added := n.shareholdings(t) - before; added != 1 {
		t.Errorf("%d shareholdings were added; want 1", added)
	}
}

func TestLostWriteHappensOnceAtTheNextOwner(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	before := n.shareholdings(t)
	n.first.set(false)
	n.link.outcome = func(int64, *http.Response) (*http.Response, error) {
		n.first.set(true)
		return nil, errLost
	}
	got := n.must(t, "POST", n.home+"/shareholding", n.share(), http.StatusCreated)
	if got.header.Get("Idempotency-Replayed") != "" {
		t.Error("the caller is told of a key that they did not send")
	}
	if added := n.shareholdings(t) - before; added != 1 {
		t.Errorf("%d shareholdings were added; want 1", added)
	}
}

func TestReadIsAnsweredHereIfTheOwnerIsLost(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	n.link.outcome = func(int64, *http.Response) (*http.Response, error) { return nil, errLost }
	n.must(t, "GET", n.home+"/captable", "", http.StatusOK)
	if n.link.sent.Load() != 1 {
		t.Errorf("%d attempts", n.link.sent.Load())
	}
}

func TestMisdirectedRequestFollowsTheOwner(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	n.second.set(false)
	n.link.outcome = func(attempt int64, answer *http.Response) (*http.Response, error) {
		if answer.StatusCode != http.StatusMisdirectedRequest || answer.Header.Get("Equity-Epoch") != "7" {
			t.Errorf("attempt %d: status %d, epoch %q", attempt, answer.StatusCode, answer.Header.Get("Equity-Epoch"))
		}
		if attempt == 3 {
			n.first.set(true)
		}
		return answer, nil
	}
	before := n.link.sent.Load()
	n.must(t, "POST", n.home+"/shareholding", n.share(), http.StatusCreated)
	if attempts := n.link.sent.Load() - before; attempts != 3 {
		t.Errorf("%d attempts; want 3", attempts)
	}
}
