package apitest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	actorhook "equity/actors/hook"
	"equity/http/hook"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// doneRunner ends each run at once.
type doneRunner struct{}

func (doneRunner) Run(context.Context, actorhook.RunRequest) (messages.HookResult, error) {
	return messages.HookResult{Status: messages.HookOK, Summary: "done"}, nil
}

// newHooks returns the consumer of hooks, and the services of its operations.
func newHooks(tb testing.TB, b *Server, log *slog.Logger, organizations func() *actors.Organizations) (consumer.Consumer, hook.Services) {
	tb.Helper()
	store := persistence.NewHooks(b.DB)
	wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
	b.intake = actorhook.NewIntake(store, actorhook.Limits{}, wake, log)
	executor := actorhook.NewConsumer(actorhook.Options{
		Store: store, Tokens: store, Runner: doneRunner{}, Wake: wake, Now: b.Clock.Now,
		NewID: func() string { return uuid.UUID(NewID()).String() }, Log: log,
	})
	storetest.Cleanup(tb, func() {
		b.intake.Close()
		executor.Stop()
	})
	return executor, hook.Services{
		Tokens: actorhook.NewTokens([]byte("the key of hook tokens"), store, b.Clock.Now), Sessions: store, Log: log, NewID: NewID,
	}
}
