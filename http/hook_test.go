package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"equity/actors"
	"equity/hooks"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
	"equity/persistence"
)

// viaActors passes the hooks of a gateway to the actors, as the program does.
type viaActors struct {
	*bundle
	organizations *actors.Organizations
}

func (v viaActors) Wake(ctx context.Context, wake messages.HookWake) error {
	_, err := v.organizations.Hook(ctx, messages.Hook{ID: uuid.UUID(newID()).String(), At: v.clock.Now(), Wake: &wake})
	return err
}

func (v viaActors) Agent(ctx context.Context, agent messages.HookAgent) (string, error) {
	receipt, err := v.organizations.Hook(ctx, messages.Hook{ID: agent.RunID, At: v.clock.Now(), Agent: &agent})
	return receipt.ID, err
}

// hookedFirm returns a firm with a hook token, and a function that sends hooks with it.
func hookedFirm(t *testing.T) (f *firm, token string, send func(token, path, body string) *httptest.ResponseRecorder) {
	t.Helper()
	var served *actors.Organizations
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { served = s.Organizations.(*actors.Organizations) })
	f = b.firm(t, "ada@example.com")
	gateway, err := hooks.New(hooks.Config{Enabled: true, Token: "hook-secret", Presets: []string{"gmail"}}, viaActors{b, served}, hooks.Options{
		Organization: organizationID(t, f.id), Tokens: persistence.NewHooks(b.db), Now: b.clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	token = f.must(t, "POST", f.home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).text(t, "token")
	return f, token, func(token, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		gateway.ServeHTTP(w, r)
		return w
	}
}

func TestHookTokenIsShownOnce(t *testing.T) {
	t.Parallel()
	f, token, _ := hookedFirm(t)
	if !regexp.MustCompile(`^eqh_[A-Za-z0-9_-]{43}$`).MatchString(token) {
		t.Errorf("token %q", token)
	}
	listed := f.must(t, "GET", f.home+"/hook-token", "", http.StatusOK)
	journal := f.must(t, "GET", f.home+"/journal", "", http.StatusOK)
	if strings.Contains(listed.body+journal.body, token) || !strings.Contains(journal.body, `"hookTokenCreated"`) || !strings.Contains(listed.body, `"CI"`) {
		t.Errorf("%s", listed.body)
	}
}

func TestRepeatedCreationReturnsTheSameHookToken(t *testing.T) {
	t.Parallel()
	f, _, send := hookedFirm(t)
	first := f.must(t, "POST", f.home+"/hook-token", `{"name":"Next"}`, http.StatusCreated, "Idempotency-Key", "k")
	again := f.must(t, "POST", f.home+"/hook-token", `{"name":"Next"}`, http.StatusCreated, "Idempotency-Key", "k")
	if first.text(t, "token") != again.text(t, "token") || first.text(t, "id") != again.text(t, "id") {
		t.Errorf("%s and %s", first.body, again.body)
	}
	if w := send(first.text(t, "token"), "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f.fails(t, "POST", f.home+"/hook-token", `{"name":"Third"}`, http.StatusConflict, "limitReached")
	f.fails(t, "POST", f.home+"/hook-token", `{"name":" "}`, http.StatusBadRequest, "required")
}

func TestRevokedHookTokenIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	if w := send(token, "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	id := f.must(t, "GET", f.home+"/hook-token", "", http.StatusOK).list(t, "data")[0].(map[string]any)["id"].(string)
	f.must(t, "DELETE", f.home+"/hook-token/"+id+"?dryRun=true", "", http.StatusOK)
	f.must(t, "DELETE", f.home+"/hook-token/"+id, "", http.StatusNoContent)
	if w := send(token, "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusUnauthorized {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f.fails(t, "GET", f.home+"/hook-token/"+id, "", http.StatusNotFound, "resourceNotFound")
}

func TestHooksAreInTheAgentSessionOfTheirOrganization(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	other := f.firm(t, "bob@example.com")
	if got := f.must(t, "GET", f.home+"/agent/session", "", http.StatusOK); strings.TrimSpace(got.body) != `{"events":[],"heartbeatRequestedAt":null,"runs":[]}` {
		t.Errorf("%s", got.body)
	}
	send(token, "/hooks/wake", `{"text":"Ping","mode":"next-heartbeat"}`)
	run := send("hook-secret", "/hooks/gmail", `{"messages":[{"id":"m1","from":"Ada","subject":"Hello","snippet":"Hi","body":"B"}]}`)
	if run.Code != http.StatusAccepted {
		t.Fatalf("%d %s", run.Code, run.Body)
	}
	f.eventually(t, "the run ends", func() bool {
		return strings.Contains(f.must(t, "GET", f.home+"/agent/session", "", http.StatusOK).body, "Hook Gmail: done")
	})
	session := f.must(t, "GET", f.home+"/agent/session", "", http.StatusOK)
	first := session.list(t, "runs")[0].(map[string]any)
	if first["sessionKey"] != "hook:gmail:m1" || first["status"] != "ok" || first["summary"] != "done" || first["delivered"] != false ||
		first["reason"] != messages.HookNotConfigured || first["message"] != "New email from Ada\nSubject: Hello\nHi\nB" ||
		!strings.Contains(run.Body.String(), first["runId"].(string)) {
		t.Errorf("%v", first)
	}
	if events := session.list(t, "events"); len(events) != 2 || events[0].(map[string]any)["text"] != "Ping" || session.text(
		t, "heartbeatRequestedAt",
	) == "" {
		t.Errorf("%s", session.body)
	}
	if got := other.must(t, "GET", other.home+"/agent/session", "", http.StatusOK); strings.Contains(got.body, "Ping") {
		t.Errorf("%s", got.body)
	}
}

func TestHookOperationsNeedTheFeature(t *testing.T) {
	t.Parallel()
	f := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Features[api.FeatureHooks] = false }).firm(t, "ada@example.com")
	f.fails(t, "GET", f.home+"/agent/session", "", http.StatusNotFound, "resourceNotFound")
	f.fails(t, "POST", f.home+"/hook-token", `{"name":"a"}`, http.StatusNotFound, "resourceNotFound")
}
