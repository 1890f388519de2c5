package processtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

func TestAcknowledgedHookSurvivesAKill(t *testing.T) {
	t.Parallel()
	settings := processtest.Services(t).With("HOOKS_ENABLED", "true").With("HOOKS_TOKEN", "the token of the settings")
	server := processtest.Start(t, settings)
	client := processtest.SignIn(t, server, settings, "hooks@example.com")
	company := client.NewCompany(t, "1000")
	home := "/v1/organization/" + company.ID
	token, _ := client.Must(t, http.StatusCreated, "POST", home+"/hook-token", map[string]any{"name": "CI"})["token"].(string)
	const runs = 10
	ids := map[string]bool{}
	for i := range runs {
		answer := client.Must(t, http.StatusAccepted, "POST", "/hooks/agent", map[string]any{"message": "m", "name": fmt.Sprintf("n%d", i)},
			"Authorization", "Bearer "+token)
		id, _ := answer["runId"].(string)
		ids[id] = true
	}
	repeated := map[string]any{"message": "again", "idempotencyKey": "k"}
	first := client.Must(t, http.StatusAccepted, "POST", "/hooks/agent", repeated, "Authorization", "Bearer "+token)
	server.Kill()

	restarted := processtest.Start(t, settings)
	client.URL = restarted.URL
	again := client.Must(t, http.StatusAccepted, "POST", "/hooks/agent", repeated, "Authorization", "Bearer "+token)
	if first["runId"] != again["runId"] {
		t.Errorf("a repetition has the run %v, not %v", again["runId"], first["runId"])
	}
	var session map[string]any
	for deadline := time.Now().Add(2 * time.Minute); ; {
		session = client.Must(t, http.StatusOK, "GET", home+"/agent/session", nil)
		ended := 0
		for _, run := range list(session, "runs") {
			if run["endedAt"] != nil {
				ended++
			}
		}
		if ended == runs+1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d runs ended: %v", ended, runs+1, session)
		}
		<-time.After(100 * time.Millisecond) // polls another process
	}
	if events := list(session, "events"); len(events) != runs+1 {
		t.Errorf("%d events", len(events))
	}
	for _, run := range list(session, "runs") {
		id, _ := run["runId"].(string)
		delete(ids, id)
		if run["status"] != "error" || !strings.Contains(fmt.Sprint(run["summary"]), "assistant is off") {
			t.Errorf("%v", run)
		}
	}
	if len(ids) > 0 {
		t.Errorf("lost runs: %v", ids)
	}
}

// A gateway has the secrets of the server, which sign the tokens of organizations.
func TestGatewayAcceptsTheTokensOfTheServer(t *testing.T) {
	t.Parallel()
	settings := processtest.Services(t).With("HOOKS_ENABLED", "true").With("HOOKS_TOKEN", "the token of the settings")
	server := processtest.Start(t, settings)
	client := processtest.SignIn(t, server, settings, "gateway@example.com")
	company := client.NewCompany(t, "1000")
	home := "/v1/organization/" + company.ID
	token, _ := client.Must(t, http.StatusCreated, "POST", home+"/hook-token", map[string]any{"name": "CI"})["token"].(string)
	gateway := client.At(processtest.StartGateway(t, settings))
	hook := map[string]any{"message": "m"}
	run, _ := gateway.Must(t, http.StatusAccepted, "POST", "/hooks/agent", hook, "Authorization", "Bearer "+token)["runId"].(string)
	answer, err := gateway.Do(t.Context(), "POST", "/hooks/agent", hook, "Authorization", "Bearer "+token+"x")
	if answer.Status != http.StatusUnauthorized {
		t.Errorf("another token: %d, %v", answer.Status, err)
	}
	runs := list(client.Must(t, http.StatusOK, "GET", home+"/agent/session", nil), "runs")
	if len(runs) != 1 || runs[0]["runId"] != run {
		t.Errorf("the server has the runs %v, not %s", runs, run)
	}
}

// list returns the objects in a list of an answer.
func list(answer map[string]any, name string) (objects []map[string]any) {
	items, _ := answer[name].([]any)
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
