package chat_test

import (
	"log/slog"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/features/chat"
	"equity/features/chat/chattest"
	"equity/http/apitest"
	"equity/persistence"
	"equity/persistence/storetest"
)

// chatted is a server with the chat server of the tests behind a proxy.
type chatted struct {
	*apitest.Server
	chat  *chattest.Server
	proxy *chattest.Proxy
}

// chatSetup starts a server with its own chat cookies on the store.
func chatSetup(t *testing.T, store string) *chatted {
	t.Helper()
	c := &chatted{chat: chattest.Open(t)}
	c.proxy = c.chat.NewProxy(t)
	room := chat.Room()
	room.New = func(core app.Core) (app.Feature, error) { return chat.NewFeatureIn(core, "example.com") }
	c.Server = apitest.SetupWith(t, store, []apitest.Room{{
		Room: room, Values: map[string]string{
			"CHAT_URL": c.proxy.URL, "CHAT_ADMIN_BOT_TOKEN": c.chat.Token, "SERVICE_GATEWAY_TOKEN": chattest.GatewayToken,
		},
	}})
	clock := consumer.NewClock(
		t.Context(), persistence.NewConsumers(c.DB), c.Organizations.Wake, c.Clock.Now, slog.New(slog.DiscardHandler),
	)
	storetest.Cleanup(t, clock.Stop)
	return c
}

// eventually waits like [apitest.Server.Eventually], while the clock advances. An attempt that came too early or failed is
// repeated after a delay.
func (c *chatted) eventually(t *testing.T, claim string, reached func() bool) {
	t.Helper()
	c.Eventually(t, claim, func() bool {
		c.Clock.Advance(5 * time.Second)
		return reached()
	})
}

// members returns the accounts in the team of the organization.
func (c *chatted) members(t *testing.T, team string) map[string]bool {
	t.Helper()
	found, _, err := c.chat.Admin.GetTeamByName(t.Context(), team, "")
	if err != nil {
		t.Fatal(err)
	}
	return c.chat.Members(t, found.Id)
}
