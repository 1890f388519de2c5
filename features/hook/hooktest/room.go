// Package hooktest has the room of inbound hooks for tests of the API.
package hooktest

import (
	"context"
	"net/http"
	"testing"

	"equity/app"
	"equity/features/hook"
	"equity/hooks"
	"equity/http/apitest"
)

// done answers each message at once.
type done struct{}

func (done) Answer(context.Context, app.Question) (string, error) { return "done", nil }

// Room returns the room, whose runs end at once.
func Room() apitest.Room {
	room := hook.Room()
	open := room.New
	room.New = func(core app.Core) (app.Feature, error) {
		core.Assistant = done{}
		return open(core)
	}
	return apitest.Room{
		Room: room, Values: map[string]string{"HOOKS_ENABLED": "true", "HOOKS_TOKEN": "the token of the operator"},
		Records: records, Lists: lists, Story: story,
	}
}

// records creates a token and an event of the session.
func records(tb testing.TB, f *apitest.Firm, name string) map[string]string {
	tb.Helper()
	id := f.Must(tb, "POST", f.Home+"/hook-token", `{"name":"`+name+`"}`, http.StatusCreated).Text(tb, "id")
	source := hooks.Source{Organization: apitest.OrganizationID(tb, f.ID)}
	_, err := hook.NewStore(f.DB).Accept(context.Background(), []hook.Hook{{
		ID: apitest.NewUUID(), At: f.Clock.Now(), Wake: &hooks.Wake{Source: source, Text: name, Mode: hooks.Now},
	}}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]string{"hookToken": id}
}

// lists creates two tokens.
func lists(t *testing.T, f *apitest.Firm) map[string]string {
	t.Helper()
	for _, name := range []string{"One", "Two"} {
		f.Must(t, "POST", f.Home+"/hook-token", `{"name":"`+name+`"}`, http.StatusCreated)
	}
	return map[string]string{"listHookTokens": f.Home + "/hook-token"}
}

// story uses every operation.
func story(t *testing.T, f *apitest.Firm) {
	t.Helper()
	at := f.Must(t, "POST", f.Home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", f.Home+"/hook-token", "", http.StatusOK)
	f.Must(t, "GET", at, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK)
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
}
