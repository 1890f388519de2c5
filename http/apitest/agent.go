package apitest

import (
	"crypto/rand"
	"log/slog"
	"testing"

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
func newToolSettings(b *Server) *actors.ToolSettings {
	return &actors.ToolSettings{Limits: toolLimits(), Calls: persistence.NewToolCalls(b.DB)}
}

// newAssistant returns the assistant with the embedded provider.
func newAssistant(b *Server, organizations *actors.Organizations, log *slog.Logger) httpassistant.Services {
	steps, conversations := persistence.NewSteps(b.DB), persistence.NewConversations(b.DB)
	changes := assistant.NewChanges(steps, true, b.Clock.Now, NewID, log)
	return httpassistant.Services{
		Engine: assistant.NewEngine(
			assistant.Settings{MaxOutputTokens: 100}, embedded.New(b.Clock.Now), changes, conversations, organizations, rand.Reader,
		),
		Changes: changes, Conversations: conversations, Steps: steps, Limits: organizations, ToolLimits: toolLimits(),
		Answers: persistence.NewAnswers(b.DB),
	}
}

// newOnboarding returns onboardings with the grammar.
func newOnboarding(tb testing.TB, b *Server, log *slog.Logger) httponboarding.Services {
	tb.Helper()
	store := persistence.NewOnboardings(b.DB)
	service := onboarding.New(onboarding.Services{Store: store, Reader: grammar.New(), Node: "this server", Now: b.Clock.Now, Log: log})
	storetest.Cleanup(tb, service.Close)
	return httponboarding.Services{Service: service, Store: store}
}
