package main

import (
	"context"
	"time"

	"equity/actors/mail"
	equityhttp "equity/http"
	"equity/messages"
	"equity/persistence"
)

// newPeopleStores returns the stores for the data of users outside organizations.
func newPeopleStores(db *persistence.Database, users *persistence.Users, courier *mail.Courier) equityhttp.PeopleStores {
	referrals := persistence.NewReferrals(db)
	return equityhttp.PeopleStores{
		Wallets: persistence.NewWallets(db), Credit: persistence.NewCredit(db),
		Referrals: webReferrals{referrals, courier}, Waitlist: referrals,
		Profiles: persistence.NewProfiles(db), ProfileFiles: persistence.NewProfileFiles(db), Administration: users,
		Blocklist: persistence.NewBlocklist(db), Erasure: users,
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
