package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// personalRecordsStory is the part of the story about personal records outside organizations.
func personalRecordsStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	own := f.User.Entity.String()
	wallet := f.Must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum), http.StatusCreated).Header.Get("Location")
	f.Must(t, "PUT", "/v1/wallet/"+apitest.IDOf(wallet), `{"label":"Cold storage"}`, http.StatusOK)
	f.Must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusOK)
	f.Must(t, "GET", wallet, "", http.StatusOK)
	f.Must(t, "DELETE", wallet, "", http.StatusNoContent)
	b, other := f.Server, f.NewPerson(t, "other@example.com")
	grantCredit(t, b, own, 10)
	f.Must(t, "POST", "/v1/credit/transfer", transferOf(own, other.User.Entity.String(), "2.5"), http.StatusOK)
	f.Must(t, "GET", "/v1/entity/"+own+"/history", "", http.StatusOK)
	f.Must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
	f.Must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusOK)
	const company = `{"name":"Acme","website":"acme.example","contactEmail":"cfo@acme.example"}`
	card := f.Must(t, "POST", "/v1/referral/company", company, http.StatusCreated).Text(t, "card")
	f.Must(t, "GET", "/v1/card", "", http.StatusOK)
	f.Must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK)
	f.Must(t, "POST", "/v1/invitation/send", `{"email":"new@example.com"}`, http.StatusCreated)
	f.Must(t, "GET", "/v1/invitation", "", http.StatusOK)
	f.Must(t, "GET", "/v1/external-contacts", "", http.StatusOK)
	f.Must(t, "GET", "/v1/waitlistStats", "", http.StatusOK)
	f.Must(t, "GET", "/v1/profile/"+own, "", http.StatusOK)
	f.Must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 415"}`, http.StatusOK)
	f.Must(t, "PATCH", "/v1/address/"+own, `{"city":"London"}`, http.StatusOK)
	f.Must(t, "GET", "/v1/address/"+own, "", http.StatusOK)
	f.Must(t, "GET", "/v1/user/data", "", http.StatusOK)
	other.Must(t, "POST", "/v1/user/erase", erasureBody("other@example.com"), http.StatusNoContent)
	admin := administrator(t, b, "admin@example.com")
	for _, path := range []string{"test", "user", "statistics", "blocklist"} {
		admin.Must(t, "GET", "/v1/admin/"+path, "", http.StatusOK)
	}
	admin.Must(t, "PUT", "/v1/admin/blocklist/spam.example", "", http.StatusNoContent)
	admin.Must(t, "DELETE", "/v1/admin/blocklist/spam.example", "", http.StatusNoContent)
	shut := b.NewPerson(t, "shut@example.com").User.ID.String()
	admin.Must(t, "POST", "/v1/admin/user/"+shut+"/disable", "", http.StatusOK)
	admin.Must(t, "POST", "/v1/admin/user/"+shut+"/enable", "", http.StatusOK)
}

// changedAddressesStory is the part of the story about new addresses of invited holders.
func changedAddressesStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	path, _ := invitedHolder(t, f, "former@example.com")
	f.Must(t, "PATCH", path, `{"email":"next@example.com"}`, http.StatusOK)
	f.NewPerson(t, "next@example.com").Must(t, "GET", "/v1/invitation/waiting", "", http.StatusOK)
	notice := noticedText(t, f.Server, "former@example.com")
	f.Anonymous().Must(t, "POST", "/v1/address/read", notice, http.StatusOK)
	f.Anonymous().Must(t, "POST", "/v1/address/confirm", notice, http.StatusNoContent)
	enableSecondFactor(t, f.Client)
	path, _ = invitedHolder(t, f, "early@example.com")
	f.Must(t, "PATCH", path, `{"email":"later@example.com"}`, http.StatusOK)
	f.Must(t, "POST", path+"/address/confirm", "", http.StatusOK)
}
