package http_test

import (
	"net/http"
	"testing"
)

// personalRecords is the part of the story about personal records outside organizations.
func (f *firm) personalRecords(t *testing.T) {
	t.Helper()
	own := f.user.Entity.String()
	wallet := f.must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum), http.StatusCreated).header.Get("Location")
	f.must(t, "PUT", "/v1/wallet/"+last(wallet), `{"label":"Cold storage"}`, http.StatusOK)
	f.must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusOK)
	f.must(t, "GET", wallet, "", http.StatusOK)
	f.must(t, "DELETE", wallet, "", http.StatusNoContent)
	b, other := f.bundle, f.person(t, "other@example.com")
	b.grant(t, own, 10)
	f.must(t, "POST", "/v1/credit/transfer", transferOf(own, other.user.Entity.String(), "2.5"), http.StatusOK)
	f.must(t, "GET", "/v1/entity/"+own+"/history", "", http.StatusOK)
	f.must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
	f.must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusOK)
	const company = `{"name":"Acme","website":"acme.example","contactEmail":"cfo@acme.example"}`
	card := f.must(t, "POST", "/v1/referral/company", company, http.StatusCreated).text(t, "card")
	f.must(t, "GET", "/v1/card", "", http.StatusOK)
	f.must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK)
	f.must(t, "POST", "/v1/invitation/send", `{"email":"new@example.com"}`, http.StatusCreated)
	f.must(t, "GET", "/v1/invitation", "", http.StatusOK)
	f.must(t, "GET", "/v1/external-contacts", "", http.StatusOK)
	f.must(t, "GET", "/v1/waitlistStats", "", http.StatusOK)
	f.must(t, "GET", "/v1/profile/"+own, "", http.StatusOK)
	f.must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 415"}`, http.StatusOK)
	f.must(t, "PATCH", "/v1/address/"+own, `{"city":"London"}`, http.StatusOK)
	f.must(t, "GET", "/v1/address/"+own, "", http.StatusOK)
	f.must(t, "GET", "/v1/user/data", "", http.StatusOK)
	other.must(t, "POST", "/v1/user/erase", erasureBody("other@example.com"), http.StatusNoContent)
	admin := b.administrator(t, "admin@example.com")
	for _, path := range []string{"test", "user", "statistics", "blocklist"} {
		admin.must(t, "GET", "/v1/admin/"+path, "", http.StatusOK)
	}
	admin.must(t, "PUT", "/v1/admin/blocklist/spam.example", "", http.StatusNoContent)
	admin.must(t, "DELETE", "/v1/admin/blocklist/spam.example", "", http.StatusNoContent)
	shut := b.person(t, "shut@example.com").user.ID.String()
	admin.must(t, "POST", "/v1/admin/user/"+shut+"/disable", "", http.StatusOK)
	admin.must(t, "POST", "/v1/admin/user/"+shut+"/enable", "", http.StatusOK)
}

// changedAddresses is the part of the story about new addresses of invited holders.
func (f *firm) changedAddresses(t *testing.T) {
	t.Helper()
	path, _ := f.invitedHolder(t, "former@example.com")
	f.must(t, "PATCH", path, `{"email":"next@example.com"}`, http.StatusOK)
	f.person(t, "next@example.com").must(t, "GET", "/v1/invitation/waiting", "", http.StatusOK)
	notice := f.noticed(t, "former@example.com")
	f.anonymous().must(t, "POST", "/v1/address/read", notice, http.StatusOK)
	f.anonymous().must(t, "POST", "/v1/address/confirm", notice, http.StatusNoContent)
	f.enableSecondFactor(t)
	path, _ = f.invitedHolder(t, "early@example.com")
	f.must(t, "PATCH", path, `{"email":"later@example.com"}`, http.StatusOK)
	f.must(t, "POST", path+"/address/confirm", "", http.StatusOK)
}
