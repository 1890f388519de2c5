package chat

import (
	"context"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/features/chat/team"
	"equity/http/api"
)

// switchName reports to the app whether team chat is configured. The operations are always present.
const switchName = "chat"

// Room returns the room for the list of a program.
func Room() app.Room {
	extension := team.Extension()
	return app.Room{Extension: &extension, Settings: describedSettings(), New: newFeature, Check: check, Departure: departure}
}

func newFeature(core app.Core) (app.Feature, error) {
	return featureOf(core, config.Of[settings](core.Config))
}

func featureOf(core app.Core, s settings) (app.Feature, error) {
	if !s.complete() {
		core.Log.Info("team chat is off (set CHAT_URL and CHAT_ADMIN_BOT_TOKEN to use a Mattermost server)")
		return operating(core, s, nil), nil
	}
	provisioner, err := NewProvisioner(Options{
		URL: s.url, Token: s.token.Reveal(), MaxTokenAge: s.tokenMaxAge,
		Accounts: NewAccounts(core.Database), Teams: NewTeams(core.Database), Users: core.Users, Memberships: core.Memberships,
		Organizations: core.Organizations, Breakers: core.Breakers, Log: core.Log, Now: core.Now, Random: core.Random,
	})
	if err != nil {
		return app.Feature{}, err
	}
	feature := operating(core, s, provisioner)
	feature.Consumers = []consumer.Consumer{NewConsumer(provisioner)}
	feature.Start = provisioner.start
	feature.Deliver = provisioner.Deliver
	return feature, nil
}

// NewFeature returns a feature with the operations only.
func NewFeature(core app.Core, opener Opener) app.Feature {
	return operating(core, config.Of[settings](core.Config), opener)
}

// operating returns the feature with its operations. The opener is nil if team chat is not configured.
func operating(core app.Core, s settings, opener Opener) app.Feature {
	accounts := NewAccounts(core.Database)
	return app.Feature{
		API: api.Room{
			Operations: func(kernel *api.Kernel) map[string]api.Handler {
				return handlers{kernel, opener, s, accounts, NewTeams(core.Database), core.Now}.operations()
			},
			Statuses:      statuses(),
			SessionsEnded: accounts.EndToken,
			EndedCookies:  expiredCookies(s.cookieDomain),
		},
		Switches:     map[string]bool{switchName: opener != nil},
		Integration:  consumerName,
		GatewayToken: s.gatewayToken.Reveal(),
		Frame:        s.frame(),
	}
}

// pingTime bounds the first call of the chat server.
const pingTime = 10 * time.Second

// start runs the departures of disabled and erased users. It warns once if the chat server cannot be used.
func (p *Provisioner) start(ctx context.Context) {
	defer NewDepartures(ctx, p).Stop()
	limited, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	if err := p.Ping(limited); err != nil && ctx.Err() == nil {
		p.Log.Warn("the chat server cannot be used", "address", p.URL, "cause", err)
	}
	<-ctx.Done()
}

// check examines the token of the administrator.
func check(ctx context.Context, core app.Core) []doctor.Finding {
	const check = "team chat"
	s := config.Of[settings](core.Config)
	if !s.complete() {
		return nil
	}
	provisioner, err := NewProvisioner(Options{URL: s.url, Token: s.token.Reveal(), Breakers: core.Breakers, Log: core.Log, Now: core.Now})
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, "check CHAT_URL", "%v", err)}
	}
	administers, err := provisioner.IsAdministrator(ctx)
	switch {
	case err != nil:
		return []doctor.Finding{doctor.Fail(check, "check CHAT_URL and CHAT_ADMIN_BOT_TOKEN", "%v", err)}
	case !administers:
		return []doctor.Finding{
			doctor.Fail(check, "grant the account of CHAT_ADMIN_BOT_TOKEN the role system_admin", "the account is not an administrator"),
		}
	}
	return []doctor.Finding{doctor.Good(check, "%s accepts the token of its administrator", s.host())}
}
