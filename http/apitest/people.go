package apitest

import (
	equityhttp "equity/http"
	"equity/persistence"
)

// personalStores returns the stores of personal records outside organizations.
func personalStores(db *persistence.Database) equityhttp.PeopleStores {
	referrals := persistence.NewReferrals(db)
	return equityhttp.PeopleStores{
		Wallets: persistence.NewWallets(db), Credit: persistence.NewCredit(db), Referrals: referrals, Waitlist: referrals,
		Profiles: persistence.NewProfiles(db), ProfileFiles: persistence.NewProfileFiles(db), Administration: persistence.NewUsers(db, departures()...),
		Blocklist: persistence.NewBlocklist(db), Erasure: persistence.NewUsers(db, departures()...),
	}
}
