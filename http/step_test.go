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
	"equity/messages"
	"equity/persistence"
)

func TestChangeThatGivesAuthorityIsConfirmedInASession(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		token := f.program(t, `"read","write","destructive"`)
		session := b.connect(t, token.token)
		before := f.journalLength(t)
		proposed := calls(t, session, "addMember", map[string]any{
			"organization": f.id, "body": map[string]any{"fullName": "Grace Hopper", "email": "eve@evil.example", "roles": []string{"Owner"}},
		}, false)
		for _, part := range []string{`"personRequired":true`, `"value":"eve@evil.example","mark":"address"`, `"value":"\"Owner\"","mark":"role"`} {
			if !strings.Contains(proposed.body, part) {
				t.Errorf("the proposal lacks %s: %s", part, proposed.body)
			}
		}
		step := map[string]any{"stepId": proposed.text(t, "stepId")}
		if got := calls(t, session, "confirmStep", step, true); got.text(t, "code") != "personRequired" || f.journalLength(t) != before {
			t.Error(got.body)
		}
		eve := b.firm(t, "eve@example.com")
		if got := eve.must(t, "GET", "/v1/agent/step", "", http.StatusOK).list(t, "data"); len(got) != 0 {
			t.Errorf("another user sees %v", got)
		}
		if got := eve.confirms(t, proposed.text(t, "stepId"), "true"); got.status != http.StatusNotFound {
			t.Errorf("another user: %d %s", got.status, got.body)
		}
		waiting := f.must(t, "GET", "/v1/agent/step", "", http.StatusOK)
		if got := waiting.list(t, "data"); len(got) != 1 || field(got[0], "stepId") != proposed.text(t, "stepId") || field(got[0], "token") != token.id ||
			!strings.Contains(waiting.body, `"mark":"address"`) || !strings.Contains(waiting.body, `"personRequired":true`) {
			t.Error(waiting.body)
		}
		if got := f.confirms(t, proposed.text(t, "stepId"), "true"); got.text(t, "status") != "executed" || f.journalLength(t) != before+1 {
			t.Errorf("%d %s", got.status, got.body)
		}
		if got := calls(t, session, "confirmStep", step, false); got.text(t, "status") != "executed" {
			t.Errorf("the program reads the result: %s", got.body)
		}
		if got := f.must(t, "GET", "/v1/agent/step", "", http.StatusOK).list(t, "data"); len(got) != 0 {
			t.Errorf("after the confirmation: %v", got)
		}
	})
}

func TestNameOfARecordIsShownOnlyToItsReaders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	member := f.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com"}`, http.StatusCreated).text(t, "entity")
	f.must(t, "POST", f.home+"/role", `{"name":"Clerk","permissions":["editCapTable"]}`, http.StatusCreated)
	clerk := b.person(t, "bob@example.com")
	f.join(t, f.home, clerk, "Clerk")
	body := `{"entity":"` + member + `","security":"` + f.common + `","shares":"5","issueDate":"2024-01-01","comments":["` + f.id + `"]}`
	full := f.must(t, "POST", f.home+"/shareholding?dryRun=true", body, http.StatusOK)
	if !strings.Contains(full.body, `"kind":"member","name":"Grace Hopper, grace@example.com","mark":"recipient"`) || !strings.Contains(full.body, `"kind":"security","name":"Common Stock"`) {
		t.Error(full.body)
	}
	part := clerk.must(t, "POST", f.home+"/shareholding?dryRun=true", body, http.StatusOK)
	if strings.Contains(part.body, "grace@example.com") || !strings.Contains(part.body, `"kind":"member","name":"Grace Hopper","mark":"recipient"`) {
		t.Error(part.body)
	}
	unknown := f.send(t, "POST", f.home+"/block?dryRun=true", `{"name":"`+"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"+`"}`)
	if strings.Contains(unknown.body, `"kind":"unknown"`) { // a text, not a reference
		t.Error(unknown.body)
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
	b := setup(t)
	e := b.estate(t, "zora")
	steps := persistence.NewSteps(b.db)
	quiet := slog.New(slog.DiscardHandler)
	ended := assistant.NewChanges(forgetful{steps}, true, b.clock.Now, newID, quiet)
	next := assistant.NewChanges(steps, true, b.clock.Now, newID, quiet)
	recorded := 0
	for _, d := range b.contract.all() {
		if !d.tool || d.reads {
			continue
		}
		arguments, err := json.Marshal(e.arguments(t, &d))
		if err != nil {
			t.Fatal(err)
		}
		users := []messages.User{e.user, e.holder.user}
		if strings.HasSuffix(d.id, "Wallet") { // only their owner may change wallets
			slices.Reverse(users)
		}
		for _, user := range users {
			by := b.server.StepCaller(messages.Step{ID: newID(), User: user.ID, Credential: "a session"})
			outcome, err := ended.Run(t.Context(), by, d.id, arguments)
			if err != nil || outcome.Step == nil { // an earlier change of this test, or another user, may prevent it
				continue
			}
			step, before := outcome.Step, e.journalLength(t)
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
			after := e.journalLength(t)
			b.clock.advance(2 * time.Minute)
			if err := next.Settle(t.Context(), b.server.StepCaller); err != nil {
				t.Error(err)
			}
			found, err = next.Step(t.Context(), user.ID, step.ID)
			if err != nil || e.journalLength(t) != after {
				t.Errorf("%s: %v, %d events were recorded again", d.id, err, e.journalLength(t)-after)
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
