package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"equity/http/apitest"
)

// lost returns the ways in which the answer to a forwarded request is lost.
func lost() map[string]func() (*http.Response, error) {
	return map[string]func() (*http.Response, error){
		"with the connection": func() (*http.Response, error) { return nil, errLost },
		"at the other server": func() (*http.Response, error) {
			uncertain := httptest.NewRecorder()
			uncertain.Header().Set("Equity-Retry", "uncertain")
			uncertain.WriteHeader(http.StatusServiceUnavailable)
			return uncertain.Result(), nil
		},
	}
}

// loseFirst loses the answer to the first attempt, after the function has run.
func (n *nodes) loseFirst(answer func() (*http.Response, error), then func()) {
	n.first.set(false)
	before := n.link.sent.Load()
	n.link.outcome = func(attempt int64, answered *http.Response) (*http.Response, error) {
		if attempt != before+1 {
			return answered, nil
		}
		then()
		return answer()
	}
}

// events returns the number of events of the firm.
func (n *nodes) events(t *testing.T) int {
	t.Helper()
	n.link.outcome = nil
	list, _ := n.Must(t, "GET", n.Home+"/journal?limit=200", "", http.StatusOK).Get(t, "data").([]any)
	return len(list)
}

func TestLostDeletionIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	for name, answer := range lost() { //nolint:bodyclose // no connection is used
		role := n.Must(t, "POST", n.Home+"/role", `{"name":"Spare","permissions":["viewSelf"]}`, http.StatusCreated).Header.Get("Location")
		for _, path := range []string{role, n.Home + "/legend/" + n.NewLegend(t, `{"name":"Spare","text":"None."}`)} {
			before := n.events(t)
			n.loseFirst(answer, func() {})
			n.Must(t, "DELETE", path, "", http.StatusNoContent)
			if added := n.events(t) - before; added != 1 {
				t.Errorf("lost %s: %s: %d events", name, path, added)
			}
			n.Must(t, "DELETE", path, "", http.StatusNotFound)
		}
	}
}

func TestLostPatchIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	legend := n.Home + "/legend/" + n.NewLegend(t, `{"name":"Spare","text":"None."}`)
	for name, answer := range lost() { //nolint:bodyclose // no connection is used
		tag := n.Must(t, "GET", legend, "", http.StatusOK).Header.Get("ETag")
		before := n.events(t)
		n.loseFirst(answer, func() {})
		got := n.Must(t, "PATCH", legend, `{"text":"First, lost `+name+`."}`, http.StatusOK, "If-Match", tag, "Idempotency-Key", "not of this operation")
		if got.Text(t, "text") != "First, lost "+name+"." || got.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("lost %s: %s, %v", name, got.Body, got.Header)
		}
		if added := n.events(t) - before; added != 1 {
			t.Errorf("lost %s: %d events", name, added)
		}
		n.Must(t, "PATCH", legend, `{"text":"Stale."}`, http.StatusPreconditionFailed, "If-Match", tag)
	}
}

func TestLostWriteOfAReadRecordIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	security := n.Home + "/security/" + n.Common
	for name, answer := range lost() { //nolint:bodyclose // no connection is used
		read := n.Must(t, "GET", security, "", http.StatusOK)
		body := strings.Replace(read.Body, `"name":"`+read.Text(t, "name")+`"`, `"name":"Lost `+name+`"`, 1)
		before := n.events(t)
		n.loseFirst(answer, func() {})
		if got := n.Must(t, "PUT", security, body, http.StatusOK).Text(t, "name"); got != "Lost "+name {
			t.Errorf("the answer has %q", got)
		}
		if added := n.events(t) - before; added != 1 {
			t.Errorf("lost %s: %d events", name, added)
		}
		n.Must(t, "PUT", security, body, http.StatusBadRequest)
	}
}

func TestRepeatedPatchKeepsAWriteInBetween(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	legend := n.Home + "/legend/" + n.NewLegend(t, `{"name":"Spare","text":"None."}`)
	n.loseFirst(lost()["with the connection"], func() { //nolint:bodyclose // no connection is used
		n.first.set(true)
		n.Must(t, "PATCH", legend, `{"text":"In between."}`, http.StatusOK)
		n.first.set(false)
	})
	if got := n.Must(t, "PATCH", legend, `{"text":"First."}`, http.StatusOK).Text(t, "text"); got != "First." {
		t.Errorf("the answer has %q", got)
	}
	if got := n.Must(t, "GET", legend, "", http.StatusOK).Text(t, "text"); got != "In between." {
		t.Errorf("the legend has %q", got)
	}
}

func TestRefusalOfARepeatedRequestStands(t *testing.T) {
	t.Parallel()
	n := setupNodes(t)
	n.loseFirst(lost()["with the connection"], func() {}) //nolint:bodyclose // no connection is used
	n.Must(t, "DELETE", n.Home+"/legend/"+n.ID, "", http.StatusNotFound)
	if n.link.sent.Load() != 1 {
		t.Errorf("%d attempts", n.link.sent.Load())
	}
}

// TestOnlyChangesOfJournalsAreRepeatable checks the operations whose changes have no command id.
func TestOnlyChangesOfJournalsAreRepeatable(t *testing.T) {
	t.Parallel()
	outside := map[string]bool{"deleteAgentConversations": true, "deleteAgentConversation": true, "cancelSubscription": true}
	for _, op := range apitest.Setup(t).HTTP.Operations() {
		switch {
		case op.Method == http.MethodPost || op.Reads():
		case op.Repeatable() == outside[op.ID]:
			t.Errorf("%s: repeatable %t", op.ID, op.Repeatable())
		}
	}
}
