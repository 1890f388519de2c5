package main

import (
	"context"
	"net/url"
	"time"

	"equity/actors/chat"
	"equity/actors/consumer"
	"equity/config"
	httpchat "equity/http/chat"
	"equity/persistence"
)

// chatConsumers returns the consumer of team chat, or none if it is not configured.
func (a *assembly) chatConsumers(p program, breakers *consumer.Breakers) []consumer.Consumer {
	if !a.config.HasChat() {
		a.log.Info("team chat is off (set CHAT_URL and CHAT_ADMIN_BOT_TOKEN to use a Mattermost server)")
		return nil
	}
	provisioner, err := chat.NewProvisioner(chat.Options{
		URL: a.config.ChatURL, Token: a.config.ChatAdminBotToken.Reveal(), MaxTokenAge: a.config.ChatTokenMaxAge,
		Accounts: persistence.NewChatAccounts(a.db), Teams: persistence.NewChatTeams(a.db), Users: a.users, Memberships: a.journal,
		Organizations: func() chat.Organizations { return a.organizations },
		Breakers:      breakers, Log: a.log, Now: p.now, Random: p.random,
	})
	if err != nil { // CHAT_URL was checked
		a.log.Error("team chat is off", "cause", err)
		return nil
	}
	a.chat = provisioner
	return []consumer.Consumer{chat.NewConsumer(provisioner)}
}

const chatPingWithin = 10 * time.Second

// startChat starts the departures of disabled and erased users. It warns once if the chat server cannot be used, beside the start of the
// server.
func (a *assembly) startChat(ctx context.Context) {
	if a.chat == nil {
		return
	}
	departures := chat.NewDepartures(ctx, a.chat, persistence.NewChatAccounts(a.db))
	a.closeWith(func(context.Context) error {
		departures.Stop()
		return nil
	})
	go func() {
		limited, cancel := context.WithTimeout(ctx, chatPingWithin)
		defer cancel()
		if err := a.chat.Ping(limited); err != nil && ctx.Err() == nil {
			a.log.Warn("the chat server cannot be used", "address", a.config.ChatURL, "cause", err)
		}
	}()
}

// chatServices returns the dependencies of the operations of team chat.
func (a *assembly) chatServices(p program) httpchat.Services {
	services := httpchat.Services{
		Users: persistence.NewChatAccounts(a.db), Teams: persistence.NewChatTeams(a.db), BaseURL: a.config.ChatURL,
		CookieDomain: a.config.ChatCookieDomain, Now: p.now,
	}
	if a.chat != nil { // an interface with a nil pointer is not nil
		services.Provisioner = a.chat
	}
	return services
}

// chatOrigin returns the origin of the chat server, which the app shows in a frame; empty without one.
func chatOrigin(c config.Config) string {
	address, err := url.Parse(c.ChatURL)
	if err != nil || address.Host == "" {
		return ""
	}
	return address.Scheme + "://" + address.Host
}
