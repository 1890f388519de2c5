package http_test

import (
	"context"
	"net/http"
	"testing"

	equityhttp "equity/http"
)

func withRoom(room equityhttp.RoomSettings) func(*equityhttp.Settings, *equityhttp.Services) {
	return func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Room = room }
}

func mustBeFull(t *testing.T, got answer) {
	t.Helper()
	if got.text(t, "code") != "overloaded" || got.header.Get("Retry-After") == "" {
		t.Errorf("%v %s", got.header, got.body)
	}
}

func TestWaitingRoomBoundsRequests(t *testing.T) {
	t.Parallel()
	n := setupNodes(t, withRoom(equityhttp.RoomSettings{Requests: 1}))
	n.first.set(false)
	arrived, release := make(chan struct{}), make(chan struct{})
	n.link.outcome = func(_ int64, answer *http.Response) (*http.Response, error) {
		close(arrived)
		<-release
		return answer, nil
	}
	waiting := make(chan answer)
	other := n.copy()
	go func() { waiting <- other.send(t, "POST", n.home+"/legend", `{"name":"A","text":"B."}`) }()
	<-arrived
	mustBeFull(t, n.must(t, "POST", n.home+"/legend", `{"name":"C","text":"D."}`, http.StatusServiceUnavailable))
	n.must(t, "GET", n.home+"/captable", "", http.StatusOK)
	close(release)
	if got := <-waiting; got.status != http.StatusCreated {
		t.Errorf("the waiting request: %d %s", got.status, got.body)
	}
	n.link.outcome = nil
	n.must(t, "POST", n.home+"/legend", `{"name":"C","text":"D."}`, http.StatusCreated)
}

func TestWaitingRoomBoundsBodies(t *testing.T) {
	t.Parallel()
	n := setupNodes(t, withRoom(equityhttp.RoomSettings{Bytes: 30}))
	n.first.set(false)
	for range 2 { // a refused body leaves
		mustBeFull(t, n.must(t, "POST", n.home+"/legend", `{"name":"Longer","text":"than 30 bytes."}`, http.StatusServiceUnavailable))
		n.must(t, "POST", n.home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated)
	}
}

func TestStalledForwardedBodyHoldsNoPlace(t *testing.T) {
	t.Parallel()
	n := setupNodes(t, withRoom(equityhttp.RoomSettings{Requests: 1}))
	n.first.set(false)
	s := newStaller(t, n.bundle)
	body, kind := spreadsheet(t, "notes.txt", "Notes")
	s.stall("POST", n.home+"/document", body[:len(body)/2], kind, n.cookie, -1)
	n.must(t, "POST", n.home+"/document", body, http.StatusCreated, "Content-Type", kind)
}

func TestForwardedRequestCountsOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	n.must(t, "POST", n.home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated)
	if got := n.counted(t)["POST /organization/{organization}/legend 201"]; got != 1 {
		t.Errorf("the first server counts %v requests", got)
	}
	if got := requestsCounted(t, n.counts, "equity_http_requests_total"); len(got) > 0 {
		t.Errorf("the other server counts answers to callers: %v", got)
	}
	if got := requestsCounted(t, n.counts, "equity_cluster_forwarded_requests_total"); got["201"] != 1 || len(got) != 1 {
		t.Errorf("the other server counts the attempts %v", got)
	}
}

func TestTraceOfAClientIsNotForwarded(t *testing.T) {
	t.Parallel()
	const theirs = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for name, own := range map[string]string{"without traces": "", "with traces": "own"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := setupNodes(t, func(_ *equityhttp.Settings, parts *equityhttp.Services) {
				if own != "" {
					parts.Propagate = func(_ context.Context, header http.Header) { header.Set("Traceparent", own) }
				}
			})
			n.first.set(false)
			n.must(t, "POST", n.home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated, "Traceparent", theirs)
			if len(n.link.traces) != 1 || n.link.traces[0] != own {
				t.Errorf("the other server receives %q", n.link.traces)
			}
		})
	}
}
