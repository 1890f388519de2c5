package chattest

import (
	"context"
	"net/http"
	"testing"

	"equity/app"
	"equity/features/chat"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// GatewayToken authorizes the gateway.
const GatewayToken = "the token of the gateway"

// scripted is a chat server for the tests of other features.
type scripted struct{}

func (scripted) Open(context.Context, *messages.View, organization.UserID) (chat.Session, error) {
	return chat.Session{Token: "t", BaseURL: "https://chat.example.com", TeamName: "org-1", ChatUser: "u"}, nil
}

func (scripted) Sync(context.Context, *messages.View) (int, error) { return 1, nil }

func (scripted) CheckToken(context.Context, organization.UserID) (chat.TokenState, error) {
	return chat.TokenValid, nil
}

// Room returns the room with a scripted chat server.
func Room() apitest.Room {
	room := chat.Room()
	room.New = func(core app.Core) (app.Feature, error) { return chat.NewFeature(core, scripted{}), nil }
	return apitest.Room{
		Room: room, Values: map[string]string{"CHAT_URL": "https://chat.example.com", "SERVICE_GATEWAY_TOKEN": GatewayToken},
		Records: records, Story: story,
	}
}

// records returns the ids of a team and of an account that do not exist.
func records(_ testing.TB, f *apitest.Firm, name string) map[string]string {
	return map[string]string{"organizationId": f.ID, "teamId": "team-" + name, "chatUserId": "account-" + name}
}

// story uses every operation.
func story(t *testing.T, f *apitest.Firm) {
	t.Helper()
	f.Must(t, "GET", "/v1/chat/config", "", http.StatusOK)
	f.Must(t, "POST", "/v1/chat/session", `{"organizationId":"`+f.ID+`"}`, http.StatusOK)
	f.Must(t, "GET", "/v1/chat/token-health", "", http.StatusOK)
	f.Must(t, "POST", "/v1/chat/sync-org/"+f.ID, "", http.StatusOK)
	if _, err := chat.NewTeams(f.DB).Link(t.Context(), apitest.OrganizationID(t, f.ID), "team1"); err != nil {
		t.Fatal(err)
	}
	gateway := []string{"Authorization", "Bearer " + GatewayToken}
	f.Anonymous().Must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusOK, gateway...)
	f.Anonymous().Must(t, "GET", "/v1/chat/user-mapping/account1", "", http.StatusOK, gateway...)
}
