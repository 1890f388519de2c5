package http_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/http/apitest"
	"equity/messages"
	"equity/persistence"
)

// onboarding stores an onboarding of the owner of the estate, and returns its id.
func (e *estate) onboarding(tb testing.TB) string {
	tb.Helper()
	id := uuid.New()
	facts := messages.CompanyFacts{Name: e.name}
	_, _, err := persistence.NewOnboardings(e.DB).Create(context.Background(), messages.Once{}, messages.Onboarding{
		ID: id, User: e.User.ID, Email: e.User.Email, Status: messages.OnboardingAnalyzed, CreatedAt: e.Clock.Now(),
		ExpiresAt:      e.Clock.Now().Add(time.Hour),
		OnboardingWork: messages.OnboardingWork{Prompt: e.name, Facts: &facts, AnalyzedOn: "2026-03-02"},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return id.String()
}

// askAssistant sends a message to the assistant.
func askAssistant(tb testing.TB, f *apitest.Firm, message string) apitest.Answer {
	tb.Helper()
	return f.Must(tb, "POST", "/v1/agent/chat", `{"organization":"`+f.ID+`","message":"`+message+`"}`, http.StatusOK)
}

// proposeStep sends a message that requests one change, and returns the id of its step.
func proposeStep(tb testing.TB, f *apitest.Firm, message string) string {
	tb.Helper()
	steps := askAssistant(tb, f, message).List(tb, "pendingConfirmations")
	if len(steps) != 1 {
		tb.Fatalf("%d steps", len(steps))
	}
	return apitest.Field(steps[0], "stepId")
}

// confirmStep decides about a step.
func confirmStep(tb testing.TB, c *apitest.Client, step, confirmed string) apitest.Answer {
	tb.Helper()
	return c.Send(tb, "POST", "/v1/agent/confirm", `{"stepId":"`+step+`","confirmed":`+confirmed+`}`)
}

// agentsStory uses every operation of the assistant.
func agentsStory(tb testing.TB, f *apitest.Firm) {
	tb.Helper()
	f.Must(tb, "GET", "/v1/agent/status", "", http.StatusOK)
	f.Must(tb, "GET", f.Home+"/agent/context", "", http.StatusOK)
	f.Must(tb, "GET", f.Home+"/agent/tools", "", http.StatusOK)
	step := proposeStep(tb, f, "add a member Agnes Agent agnes.agent@example.com")
	if got := f.Must(tb, "GET", "/v1/agent/step", "", http.StatusOK).List(tb, "data"); len(got) != 1 || apitest.Field(got[0], "stepId") != step {
		tb.Fatalf("waiting: %v", got)
	}
	if got := confirmStep(tb, f.Client, step, "true"); got.Status != http.StatusOK {
		tb.Fatalf("confirm: %d %s", got.Status, got.Body)
	}
	talk := askAssistant(tb, f, "list members").Text(tb, "conversationId")
	f.Must(tb, "GET", f.Home+"/agent/conversation", "", http.StatusOK)
	f.Must(tb, "GET", f.Home+"/agent/conversation/"+talk, "", http.StatusOK)
	f.Must(tb, "DELETE", f.Home+"/agent/conversation/"+talk, "", http.StatusNoContent)
	f.Must(tb, "DELETE", f.Home+"/agent/conversation", "", http.StatusNoContent)
}
