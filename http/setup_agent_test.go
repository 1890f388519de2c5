package http_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/assistant"
	"equity/actors/assistant/embedded"
	httpassistant "equity/http/assistant"
	httponboarding "equity/http/onboarding"
	"equity/messages"
	"equity/onboarding"
	"equity/onboarding/grammar"
	"equity/persistence"
	"equity/persistence/storetest"
)

// toolLimits are the limits of tests.
func toolLimits() messages.ToolLimits {
	return messages.ToolLimits{CallsPerMinute: 30, WritesPerMinute: 10, DestructivePerHour: 5}
}

// newToolSettings returns the settings of the limits of tools.
func newToolSettings(b *bundle) *actors.ToolSettings {
	return &actors.ToolSettings{Limits: toolLimits(), Calls: persistence.NewToolCalls(b.db)}
}

// newAssistant returns the assistant with the embedded provider.
func newAssistant(b *bundle, organizations *actors.Organizations, log *slog.Logger) httpassistant.Services {
	steps, conversations := persistence.NewSteps(b.db), persistence.NewConversations(b.db)
	changes := assistant.NewChanges(steps, true, b.clock.Now, newID, log)
	return httpassistant.Services{
		Engine: assistant.NewEngine(
			assistant.Settings{MaxOutputTokens: 100}, embedded.New(b.clock.Now), changes, conversations, organizations, rand.Reader,
		),
		Changes: changes, Conversations: conversations, Steps: steps, Limits: organizations, ToolLimits: toolLimits(),
		Answers: persistence.NewAnswers(b.db),
	}
}

// newOnboarding returns onboardings with the grammar.
func newOnboarding(tb testing.TB, b *bundle, log *slog.Logger) httponboarding.Services {
	tb.Helper()
	store := persistence.NewOnboardings(b.db)
	service := onboarding.New(onboarding.Services{Store: store, Reader: grammar.New(), Node: "this server", Now: b.clock.Now, Log: log})
	storetest.Cleanup(tb, service.Close)
	return httponboarding.Services{Service: service, Store: store}
}

// onboarding stores an onboarding of the owner of the estate, and returns its id.
func (e *estate) onboarding(tb testing.TB) string {
	tb.Helper()
	id := uuid.New()
	facts := messages.CompanyFacts{Name: e.name}
	_, _, err := persistence.NewOnboardings(e.db).Create(context.Background(), messages.Once{}, messages.Onboarding{
		ID: id, User: e.user.ID, Email: e.user.Email, Status: messages.OnboardingAnalyzed, CreatedAt: e.clock.Now(),
		ExpiresAt:      e.clock.Now().Add(time.Hour),
		OnboardingWork: messages.OnboardingWork{Prompt: e.name, Facts: &facts, AnalyzedOn: "2026-03-02"},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return id.String()
}

// asks sends a message to the assistant.
func (f *firm) asks(tb testing.TB, message string) answer {
	tb.Helper()
	return f.must(tb, "POST", "/v1/agent/chat", `{"organization":"`+f.id+`","message":"`+message+`"}`, http.StatusOK)
}

// proposes sends a message that requests one change, and returns the id of its step.
func (f *firm) proposes(tb testing.TB, message string) string {
	tb.Helper()
	steps := f.asks(tb, message).list(tb, "pendingConfirmations")
	if len(steps) != 1 {
		tb.Fatalf("%d steps", len(steps))
	}
	return field(steps[0], "stepId")
}

// field returns a string field of an object; empty if it is absent.
func field(object any, name string) string {
	fields, _ := object.(map[string]any)
	text, _ := fields[name].(string)
	return text
}

// confirms decides about a step.
func (c *client) confirms(tb testing.TB, step, confirmed string) answer {
	tb.Helper()
	return c.send(tb, "POST", "/v1/agent/confirm", `{"stepId":"`+step+`","confirmed":`+confirmed+`}`)
}

// agents uses every operation of the assistant.
func (f *firm) agents(tb testing.TB) {
	tb.Helper()
	f.must(tb, "GET", "/v1/agent/status", "", http.StatusOK)
	f.must(tb, "GET", f.home+"/agent/context", "", http.StatusOK)
	f.must(tb, "GET", f.home+"/agent/tools", "", http.StatusOK)
	step := f.proposes(tb, "add a member Agnes Agent agnes.agent@example.com")
	if got := f.must(tb, "GET", "/v1/agent/step", "", http.StatusOK).list(tb, "data"); len(got) != 1 || field(got[0], "stepId") != step {
		tb.Fatalf("waiting: %v", got)
	}
	if got := f.confirms(tb, step, "true"); got.status != http.StatusOK {
		tb.Fatalf("confirm: %d %s", got.status, got.body)
	}
	talk := f.asks(tb, "list members").text(tb, "conversationId")
	f.must(tb, "GET", f.home+"/agent/conversation", "", http.StatusOK)
	f.must(tb, "GET", f.home+"/agent/conversation/"+talk, "", http.StatusOK)
	f.must(tb, "DELETE", f.home+"/agent/conversation/"+talk, "", http.StatusNoContent)
	f.must(tb, "DELETE", f.home+"/agent/conversation", "", http.StatusNoContent)
}
