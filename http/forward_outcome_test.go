package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestOutcomeOfAForwardedUpload sends a body that can be sent to the owner only once.
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
		{"refused by the owner", refused.Result(), nil, "unavailable"},
		{"lost", nil, errLost, "outcomeUnknown"},
	} {
		before := n.link.sent.Load()
		n.link.outcome = func(int64, *http.Response) (*http.Response, error) { return test.answer, test.err }
		got := n.must(t, "POST", n.home+"/import?kind=members", rows, http.StatusServiceUnavailable, "Content-Type", "text/csv")
		if got.text(t, "code") != test.code || n.link.sent.Load() != before+1 {
			t.Errorf("%s: %d attempts, %s", test.claim, n.link.sent.Load()-before, got.body)
		}
	}
}
