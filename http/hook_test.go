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
	"equity/http/apitest"
	"equity/messages"
	"equity/persistence"
)

// viaActors passes the hooks of a gateway to the actors, as the program does.
type viaActors struct {
	*apitest.Server
	organizations *actors.Organizations
}

func (v viaActors) Wake(ctx context.Context, wake messages.HookWake) error {
	_, err := v.organizations.Hook(ctx, messages.Hook{ID: uuid.UUID(apitest.NewID()).String(), At: v.Clock.Now(), Wake: &wake})
	return err
}

func (v viaActors) Agent(ctx context.Context, agent messages.HookAgent) (string, error) {
	receipt, err := v.organizations.Hook(ctx, messages.Hook{ID: agent.RunID, At: v.Clock.Now(), Agent: &agent})
	return receipt.ID, err
}

// hookedFirm returns a firm with a hook token, and a function that sends hooks with it.
func hookedFirm(t *testing.T) (f *apitest.Firm, token string, send func(token, path, body string) *httptest.ResponseRecorder) {
	t.Helper()
	var served *actors.Organizations
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { served = s.Organizations.(*actors.Organizations) })
	f = b.NewFirm(t, "ada@example.com")
	gateway, err := hooks.New(hooks.Config{Enabled: true, Token: "hook-secret", Presets: []string{"gmail"}}, viaActors{b, served}, hooks.Options{
		Organization: apitest.OrganizationID(t, f.ID), Tokens: persistence.NewHooks(b.DB), Now: b.Clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	token = f.Must(t, "POST", f.Home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).Text(t, "token")
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
	listed := f.Must(t, "GET", f.Home+"/hook-token", "", http.StatusOK)
	journal := f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK)
	if strings.Contains(listed.Body+journal.Body, token) || !strings.Contains(journal.Body, `"hookTokenCreated"`) || !strings.Contains(listed.Body, `"CI"`) {
		t.Errorf("%s", listed.Body)
	}
}

func TestRepeatedCreationReturnsTheSameHookToken(t *testing.T) {
	t.Parallel()
	f, _, send := hookedFirm(t)
	first := f.Must(t, "POST", f.Home+"/hook-token", `{"name":"Next"}`, http.StatusCreated, "Idempotency-Key", "k")
	again := f.Must(t, "POST", f.Home+"/hook-token", `{"name":"Next"}`, http.StatusCreated, "Idempotency-Key", "k")
	if first.Text(t, "token") != again.Text(t, "token") || first.Text(t, "id") != again.Text(t, "id") {
		t.Errorf("%s and %s", first.Body, again.Body)
	}
	if w := send(first.Text(t, "token"), "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f.MustFail(t, "POST", f.Home+"/hook-token", `{"name":"Third"}`, http.StatusConflict, "limitReached")
	f.MustFail(t, "POST", f.Home+"/hook-token", `{"name":" "}`, http.StatusBadRequest, "required")
}

func TestRevokedHookTokenIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	if w := send(token, "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	id := f.Must(t, "GET", f.Home+"/hook-token", "", http.StatusOK).List(t, "data")[0].(map[string]any)["id"].(string)
	f.Must(t, "DELETE", f.Home+"/hook-token/"+id+"?dryRun=true", "", http.StatusOK)
	f.Must(t, "DELETE", f.Home+"/hook-token/"+id, "", http.StatusNoContent)
	if w := send(token, "/hooks/wake", `{"text":"a"}`); w.Code != http.StatusUnauthorized {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f.MustFail(t, "GET", f.Home+"/hook-token/"+id, "", http.StatusNotFound, "resourceNotFound")
}

func TestHooksAreInTheAgentSessionOfTheirOrganization(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	other := f.NewFirm(t, "bob@example.com")
	if got := f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK); strings.TrimSpace(got.Body) != `{"events":[],"heartbeatRequestedAt":null,"runs":[]}` {
		t.Errorf("%s", got.Body)
	}
	send(token, "/hooks/wake", `{"text":"Ping","mode":"next-heartbeat"}`)
	run := send("hook-secret", "/hooks/gmail", `{"messages":[{"id":"m1","from":"Ada","subject":"Hello","snippet":"Hi","body":"B"}]}`)
	if run.Code != http.StatusAccepted {
		t.Fatalf("%d %s", run.Code, run.Body)
	}
	f.Eventually(t, "the run ends", func() bool {
		return strings.Contains(f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK).Body, "Hook Gmail: done")
	})
	session := f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK)
	first := session.List(t, "runs")[0].(map[string]any)
	if first["sessionKey"] != "hook:gmail:m1" || first["status"] != "ok" || first["summary"] != "done" || first["delivered"] != false ||
		first["reason"] != messages.HookNotConfigured || first["message"] != "New email from Ada\nSubject: Hello\nHi\nB" ||
		!strings.Contains(run.Body.String(), first["runId"].(string)) {
		t.Errorf("%v", first)
	}
	if events := session.List(t, "events"); len(events) != 2 || events[0].(map[string]any)["text"] != "Ping" || session.Text(
		t, "heartbeatRequestedAt",
	) == "" {
		t.Errorf("%s", session.Body)
	}
	if got := other.Must(t, "GET", other.Home+"/agent/session", "", http.StatusOK); strings.Contains(got.Body, "Ping") {
		t.Errorf("%s", got.Body)
	}
}

func TestHookOperationsNeedTheFeature(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(
		t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Features[api.FeatureHooks] = false },
	).NewFirm(t, "ada@example.com")
	f.MustFail(t, "GET", f.Home+"/agent/session", "", http.StatusNotFound, "resourceNotFound")
	f.MustFail(t, "POST", f.Home+"/hook-token", `{"name":"a"}`, http.StatusNotFound, "resourceNotFound")
}
