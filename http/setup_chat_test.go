package http_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/chat"
	"equity/actors/chat/chattest"
	"equity/actors/consumer"
	equityhttp "equity/http"
	httpchat "equity/http/chat"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// gatewayToken authorizes the gateway.
const gatewayToken = "the token of the gateway"

// scriptedChat is a chat server for the tests of other features.
type scriptedChat struct{}

func (scriptedChat) Open(context.Context, *messages.View, organization.UserID) (messages.ChatSession, error) {
	return messages.ChatSession{Token: "t", BaseURL: "https://chat.example.com", TeamName: "org-1", ChatUser: "u"}, nil
}

func (scriptedChat) Sync(context.Context, *messages.View) (int, error) { return 1, nil }

func (scriptedChat) CheckToken(context.Context, organization.UserID) (messages.ChatTokenState, error) {
	return messages.ChatTokenValid, nil
}

// scripted returns the services with the scripted chat server.
func scripted(b *bundle, _ *slog.Logger, _ func() *actors.Organizations) (httpchat.Services, []consumer.Consumer) {
	return httpchat.Services{
		Provisioner: scriptedChat{}, Users: persistence.NewChatAccounts(b.db), Teams: persistence.NewChatTeams(b.db),
		BaseURL: "https://chat.example.com", Now: b.clock.Now,
	}, nil
}

// chatted is a server with the chat server of the tests behind a proxy.
type chatted struct {
	*bundle
	chat  *chattest.Server
	proxy *chattest.Proxy
}

// chatSetup starts a server with its own chat cookies on the store.
func chatSetup(t *testing.T, store string) *chatted {
	t.Helper()
	c := &chatted{chat: chattest.Open(t)}
	c.proxy = c.chat.NewProxy(t)
	c.bundle = setupWith(t, store, func(
		b *bundle, log *slog.Logger, organizations func() *actors.Organizations,
	) (httpchat.Services, []consumer.Consumer) {
		newSecrets(t, b) // tokens are stored encrypted
		cursors, accounts, teams := persistence.NewConsumers(b.db), persistence.NewChatAccounts(b.db), persistence.NewChatTeams(b.db)
		provisioner, err := chat.NewProvisioner(chat.Options{
			URL: c.proxy.URL, Token: c.chat.Token, MaxTokenAge: 24 * time.Hour, Accounts: accounts, Teams: teams,
			Users: b.users, Memberships: b.journal, Organizations: func() chat.Organizations { return organizations() },
			Breakers: consumer.NewBreakers(b.clock.Now), Log: log, Now: b.clock.Now, Random: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		departures := chat.NewDepartures(t.Context(), provisioner, accounts)
		wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
		ticking := consumer.NewClock(t.Context(), cursors, wake, b.clock.Now, log)
		storetest.Cleanup(t, func() {
			ticking.Stop()
			departures.Stop()
		})
		return httpchat.Services{
			Provisioner: provisioner, Users: accounts, Teams: teams, BaseURL: c.proxy.URL, CookieDomain: "example.com", Now: b.clock.Now,
		}, []consumer.Consumer{chat.NewConsumer(provisioner)}
	}, func(settings *equityhttp.Settings, _ *equityhttp.Services) {
		settings.ChatCookieDomain = "example.com"
	})
	return c
}

// eventually waits like its namesake, while the clock advances: an attempt that came too early or failed is repeated after a delay.
func (c *chatted) eventually(t *testing.T, claim string, reached func() bool) {
	t.Helper()
	c.bundle.eventually(t, claim, func() bool {
		c.clock.advance(5 * time.Second)
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
