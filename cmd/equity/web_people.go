package main

import (
	"context"
	"time"

	"equity/actors/mail"
	equityhttp "equity/http"
	"equity/messages"
	"equity/persistence"
)

// peopleStores returns the stores for the data of users outside organizations.
func (a *assembly) peopleStores() equityhttp.PeopleStores {
	referrals := persistence.NewReferrals(a.db)
	return equityhttp.PeopleStores{
		Wallets: persistence.NewWallets(a.db), Credit: persistence.NewCredit(a.db),
		Referrals: webReferrals{referrals, a.courier}, Waitlist: referrals,
		Profiles: persistence.NewProfiles(a.db), ProfileFiles: persistence.NewProfileFiles(a.db), Administration: a.users, Blocklist: persistence.NewBlocklist(a.db), Erasure: a.users,
	}
}

// webReferrals wakes the courier after mail was stored.
type webReferrals struct {
	*persistence.Referrals
	courier *mail.Courier
}

func (w webReferrals) Invite(
	ctx context.Context, once messages.Once, wish messages.Invitation, m messages.Mail, cooldown time.Duration,
) (messages.Invitation, bool, error) {
	made, replayed, err := w.Referrals.Invite(ctx, once, wish, m, cooldown)
	w.courier.Knock()
	return made, replayed, err
}
