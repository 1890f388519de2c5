package http_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"equity/http/apitest"
	"equity/messages"
	"equity/persistence"
)

// hooks creates a token and an event of the session.
func (e *estate) hooks(tb testing.TB) {
	tb.Helper()
	e.ids["hookToken"] = e.make(tb, "POST", "/v1/organization/{organization}/hook-token", `{"name":"{name}"}`)
	id := uuid.UUID(apitest.NewID()).String()
	source := messages.HookSource{Organization: apitest.OrganizationID(tb, e.ID)}
	_, err := persistence.NewHooks(e.DB).Accept(context.Background(), []messages.Hook{{
		ID: id, At: e.Clock.Now(), Wake: &messages.HookWake{HookSource: source, Text: e.name, Mode: messages.HookNow},
	}}, nil)
	if err != nil {
		tb.Fatal(err)
	}
}

// hooksStory is the part of the story about inbound hooks.
func hooksStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	at := f.Must(t, "POST", f.Home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", f.Home+"/hook-token", "", http.StatusOK)
	f.Must(t, "GET", at, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK)
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
}
