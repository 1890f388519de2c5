package http_test

import (
	"context"
	"net/http"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
)

func withRoom(room equityhttp.RoomSettings) func(*equityhttp.Settings, *equityhttp.Services) {
	return func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Room = room }
}

func mustBeFull(t *testing.T, got apitest.Answer) {
	t.Helper()
	if got.Text(t, "code") != "overloaded" || got.Header.Get("Retry-After") == "" {
		t.Errorf("%v %s", got.Header, got.Body)
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
	waiting := make(chan apitest.Answer)
	other := n.Copy()
	go func() { waiting <- other.Send(t, "POST", n.Home+"/legend", `{"name":"A","text":"B."}`) }()
	<-arrived
	mustBeFull(t, n.Must(t, "POST", n.Home+"/legend", `{"name":"C","text":"D."}`, http.StatusServiceUnavailable))
	n.Must(t, "GET", n.Home+"/captable", "", http.StatusOK)
	close(release)
	if got := <-waiting; got.Status != http.StatusCreated {
		t.Errorf("the waiting request: %d %s", got.Status, got.Body)
	}
	n.link.outcome = nil
	n.Must(t, "POST", n.Home+"/legend", `{"name":"C","text":"D."}`, http.StatusCreated)
}

func TestWaitingRoomBoundsBodies(t *testing.T) {
	t.Parallel()
	n := setupNodes(t, withRoom(equityhttp.RoomSettings{Bytes: 30}))
	n.first.set(false)
	for range 2 { // a refused body leaves
		mustBeFull(t, n.Must(t, "POST", n.Home+"/legend", `{"name":"Longer","text":"than 30 bytes."}`, http.StatusServiceUnavailable))
		n.Must(t, "POST", n.Home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated)
	}
}

func TestStalledForwardedBodyHoldsNoPlace(t *testing.T) {
	t.Parallel()
	n := setupNodes(t, withRoom(equityhttp.RoomSettings{Requests: 1}))
	n.first.set(false)
	s := newStaller(t, n.Server)
	body, kind := spreadsheet(t, "notes.txt", "Notes")
	s.stall("POST", n.Home+"/document", body[:len(body)/2], kind, n.Cookie, -1)
	n.Must(t, "POST", n.Home+"/document", body, http.StatusCreated, "Content-Type", kind)
}

func TestForwardedRequestCountsOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	n.Must(t, "POST", n.Home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated)
	if got := countedStatuses(t, n.Server)["POST /organization/{organization}/legend 201"]; got != 1 {
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
			n.Must(t, "POST", n.Home+"/legend", `{"name":"A","text":"B."}`, http.StatusCreated, "Traceparent", theirs)
			if len(n.link.traces) != 1 || n.link.traces[0] != own {
				t.Errorf("the other server receives %q", n.link.traces)
			}
		})
	}
}
