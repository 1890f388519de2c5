package http_test

import (
	"context"
	"log/slog"
	"net/http"
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
func newHooks(tb testing.TB, b *bundle, log *slog.Logger, organizations func() *actors.Organizations) (consumer.Consumer, hook.Services) {
	tb.Helper()
	store := persistence.NewHooks(b.db)
	wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
	b.intake = actorhook.NewIntake(store, actorhook.Limits{}, wake, log)
	executor := actorhook.NewConsumer(actorhook.Options{
		Store: store, Tokens: store, Runner: doneRunner{}, Wake: wake, Now: b.clock.Now,
		NewID: func() string { return uuid.UUID(newID()).String() }, Log: log,
	})
	storetest.Cleanup(tb, func() {
		b.intake.Close()
		executor.Stop()
	})
	return executor, hook.Services{
		Tokens: actorhook.NewTokens([]byte("the key of hook tokens"), store, b.clock.Now), Sessions: store, Log: log, NewID: newID,
	}
}

// hooks creates a token and an event of the session.
func (e *estate) hooks(tb testing.TB) {
	tb.Helper()
	e.ids["hookToken"] = e.make(tb, "POST", "/v1/organization/{organization}/hook-token", `{"name":"{name}"}`)
	id := uuid.UUID(newID()).String()
	source := messages.HookSource{Organization: organizationID(tb, e.id)}
	_, err := persistence.NewHooks(e.db).Accept(context.Background(), []messages.Hook{{
		ID: id, At: e.clock.Now(), Wake: &messages.HookWake{HookSource: source, Text: e.name, Mode: messages.HookNow},
	}}, nil)
	if err != nil {
		tb.Fatal(err)
	}
}

// hooks is the part of the story about inbound hooks.
func (f *firm) hooks(t *testing.T) {
	t.Helper()
	at := f.must(t, "POST", f.home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).header.Get("Location")
	f.must(t, "GET", f.home+"/hook-token", "", http.StatusOK)
	f.must(t, "GET", at, "", http.StatusOK)
	f.must(t, "GET", f.home+"/agent/session", "", http.StatusOK)
	f.must(t, "DELETE", at, "", http.StatusNoContent)
}
