package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
)

// tornOrganizations execute the next commands, and do not learn of their outcomes.
type tornOrganizations struct {
	api.Organizations

	next *atomic.Int64
}

func (o tornOrganizations) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	reply, err := o.Organizations.Do(ctx, command)
	if err == nil && o.next.Add(-1) >= 0 {
		return messages.Reply{}, messages.ErrOutcomeUnknown
	}
	return reply, err
}

func TestUnknownOutcomeOfTheOtherServerIsResolved(t *testing.T) {
	t.Parallel()
	next := &atomic.Int64{}
	n := setupNodes(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Organizations = tornOrganizations{s.Organizations, next}
	})
	before := n.shareholdings(t)
	n.first.set(false)
	next.Store(1)
	n.Must(t, "POST", n.Home+"/shareholding", n.share(), http.StatusCreated)
	if sent := n.link.sent.Load(); sent != 1 {
		t.Errorf("%d attempts", sent)
	}
	if added := n.shareholdings(t) - before; added != 1 {
		t.Errorf("%d shareholdings were added; want 1", added)
	}
}

// TestOutcomeOfAForwardedUpload sends a body that can be sent only once.
func TestOutcomeOfAForwardedUpload(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.first.set(false)
	rows := "fullName,title\n" + strings.Repeat("Holder,"+strings.Repeat("x", 900)+"\n", 400)
	refused := httptest.NewRecorder()
	refused.Header().Set("Equity-Retry", "1")
	refused.WriteHeader(http.StatusServiceUnavailable)
	for _, test := range []struct {
		claim  string
		answer *http.Response
		err    error
		code   string
	}{
		{"refused by the other server", refused.Result(), nil, "unavailable"},
		{"lost", nil, errLost, "outcomeUnknown"},
	} {
		before := n.link.sent.Load()
		n.link.outcome = func(int64, *http.Response) (*http.Response, error) { return test.answer, test.err }
		got := n.Must(t, "POST", n.Home+"/import?kind=members", rows, http.StatusServiceUnavailable, "Content-Type", "text/csv")
		if got.Text(t, "code") != test.code || n.link.sent.Load() != before+1 {
			t.Errorf("%s: %d attempts, %s", test.claim, n.link.sent.Load()-before, got.Body)
		}
	}
}
