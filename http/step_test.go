package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/actors/assistant"
	"equity/http/apitest"
	"equity/messages"
	"equity/persistence"
)

func TestChangeThatGivesAuthorityIsConfirmedInASession(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		token := newProgram(t, f.Client, `"read","write","destructive"`)
		session := connectMCP(t, b, token.token)
		before := f.JournalLength(t)
		proposed := calls(t, session, "addMember", map[string]any{
			"organization": f.ID, "body": map[string]any{"fullName": "Grace Hopper", "email": "eve@evil.example", "roles": []string{"Owner"}},
		}, false)
		for _, part := range []string{`"personRequired":true`, `"value":"eve@evil.example","mark":"address"`, `"value":"\"Owner\"","mark":"role"`} {
			if !strings.Contains(proposed.Body, part) {
				t.Errorf("the proposal lacks %s: %s", part, proposed.Body)
			}
		}
		step := map[string]any{"stepId": proposed.Text(t, "stepId")}
		if got := calls(t, session, "confirmStep", step, true); got.Text(t, "code") != "personRequired" || f.JournalLength(t) != before {
			t.Error(got.Body)
		}
		eve := b.NewFirm(t, "eve@example.com")
		if got := eve.Must(t, "GET", "/v1/agent/step", "", http.StatusOK).List(t, "data"); len(got) != 0 {
			t.Errorf("another user sees %v", got)
		}
		if got := confirmStep(t, eve.Client, proposed.Text(t, "stepId"), "true"); got.Status != http.StatusNotFound {
			t.Errorf("another user: %d %s", got.Status, got.Body)
		}
		waiting := f.Must(t, "GET", "/v1/agent/step", "", http.StatusOK)
		if got := waiting.List(t, "data"); len(got) != 1 || apitest.Field(got[0], "stepId") != proposed.Text(t, "stepId") || apitest.Field(got[0], "token") != token.id ||
			!strings.Contains(waiting.Body, `"mark":"address"`) || !strings.Contains(waiting.Body, `"personRequired":true`) {
			t.Error(waiting.Body)
		}
		if got := confirmStep(t, f.Client, proposed.Text(t, "stepId"), "true"); got.Text(t, "status") != "executed" || f.JournalLength(t) != before+1 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		if got := calls(t, session, "confirmStep", step, false); got.Text(t, "status") != "executed" {
			t.Errorf("the program reads the result: %s", got.Body)
		}
		if got := f.Must(t, "GET", "/v1/agent/step", "", http.StatusOK).List(t, "data"); len(got) != 0 {
			t.Errorf("after the confirmation: %v", got)
		}
	})
}

func TestNameOfARecordIsShownOnlyToItsReaders(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	member := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com"}`, http.StatusCreated).Text(t, "entity")
	f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["editCapTable"]}`, http.StatusCreated)
	clerk := b.NewPerson(t, "bob@example.com")
	f.Join(t, f.Home, clerk, "Clerk")
	body := `{"entity":"` + member + `","security":"` + f.Common + `","shares":"5","issueDate":"2024-01-01","comments":["` + f.ID + `"]}`
	full := f.Must(t, "POST", f.Home+"/shareholding?dryRun=true", body, http.StatusOK)
	if !strings.Contains(full.Body, `"kind":"member","name":"Grace Hopper, grace@example.com","mark":"recipient"`) || !strings.Contains(full.Body, `"kind":"security","name":"Common Stock"`) {
		t.Error(full.Body)
	}
	part := clerk.Must(t, "POST", f.Home+"/shareholding?dryRun=true", body, http.StatusOK)
	if strings.Contains(part.Body, "grace@example.com") || !strings.Contains(part.Body, `"kind":"member","name":"Grace Hopper","mark":"recipient"`) {
		t.Error(part.Body)
	}
	unknown := f.Send(t, "POST", f.Home+"/block?dryRun=true", `{"name":"`+"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"+`"}`)
	if strings.Contains(unknown.Body, `"kind":"unknown"`) { // a text, not a reference
		t.Error(unknown.Body)
	}
}

// forgetful is a store of steps that loses results.
type forgetful struct{ *persistence.Steps }

var errForgotten = errors.New("the server ended")

// Decide fails after the command of a taken step.
func (s forgetful) Decide(ctx context.Context, from messages.StepStatus, step messages.Step) (bool, error) {
	if from == messages.StepTaken {
		return false, errForgotten
	}
	return s.Steps.Decide(ctx, from, step)
}

// Supersede fails likewise.
func (forgetful) Supersede(context.Context, messages.StepStatus, messages.Step, messages.Step) (bool, error) {
	return false, errForgotten
}

// TestStepOfAnEndedServerIsRecordedOnce ends a server after the command of a step and before its result is stored, for every tool. Another
// server then carries the step out again: the change is recorded once, and the step is not refused.
func TestStepOfAnEndedServerIsRecordedOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zora")
	steps := persistence.NewSteps(b.DB)
	quiet := slog.New(slog.DiscardHandler)
	ended := assistant.NewChanges(forgetful{steps}, true, b.Clock.Now, apitest.NewID, quiet)
	next := assistant.NewChanges(steps, true, b.Clock.Now, apitest.NewID, quiet)
	recorded := 0
	for _, d := range declaredOperations(b.Contract) {
		if !d.tool || d.reads {
			continue
		}
		arguments, err := json.Marshal(e.arguments(t, &d))
		if err != nil {
			t.Fatal(err)
		}
		users := []messages.User{e.User, e.holder.User}
		if strings.HasSuffix(d.id, "Wallet") { // only their owner may change wallets
			slices.Reverse(users)
		}
		for _, user := range users {
			by := b.HTTP.StepCaller(messages.Step{ID: apitest.NewID(), User: user.ID, Credential: "a session"})
			outcome, err := ended.Run(t.Context(), by, d.id, arguments)
			if err != nil || outcome.Step == nil { // an earlier change of this test, or another user, may prevent it
				continue
			}
			step, before := outcome.Step, e.JournalLength(t)
			var decision messages.StepDecision
			for range ended.Remaining(*step) {
				if decision, err = ended.Confirm(t.Context(), by, step.ID, true, ""); err != nil && !errors.Is(err, messages.ErrUnavailable) {
					t.Errorf("%s: %v", d.id, err)
				}
			}
			found, err := next.Step(t.Context(), user.ID, step.ID)
			if err != nil || found.Status != messages.StepTaken {
				t.Errorf("%s: %v %s", d.id, err, found.Status)
			}
			after := e.JournalLength(t)
			b.Clock.Advance(2 * time.Minute)
			if err := next.Settle(t.Context(), b.HTTP.StepCaller); err != nil {
				t.Error(err)
			}
			found, err = next.Step(t.Context(), user.ID, step.ID)
			if err != nil || e.JournalLength(t) != after {
				t.Errorf("%s: %v, %d events were recorded again", d.id, err, e.JournalLength(t)-after)
			}
			if done := decision.Result != nil && decision.Result.Succeeded(); done != (found.Status == messages.StepExecuted) || after != before && !done {
				t.Errorf("%s: first %+v, %d events, then %s", d.id, decision.Result, after-before, found.Status)
			} else if done {
				recorded++
			}
			if _, err := next.Confirm(t.Context(), by, step.ID, false, ""); !errors.Is(err, messages.ErrStepDecided) {
				t.Errorf("%s: rejected after it was taken: %v", d.id, err)
			}
			break
		}
	}
	if recorded < 40 {
		t.Errorf("%d changes were recorded", recorded)
	}
}
