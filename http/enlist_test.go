package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// Whoever edits the members of an organization acts for those without an account. So
// nobody may name as a member of theirs a holder with whom they have nothing to do.
//
//nolint:tparallel // one scenario builds on another
func TestNobodyEnlistsTheHoldersOfOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.firm(t, "ada@example.com"), b.firm(t, "mallory@example.com")
	trust := ours.holder(t, "A trust")
	auditor, second := b.person(t, "auditor@example.com"), ours.company(t)
	ours.join(t, ours.home, auditor, "Auditor")
	enlist := func(entity string) string { return `{"fullName":"X","roles":[],"entity":"` + entity + `"}` }
	run(t, []scenario{
		{
			claim: "not a stranger", as: theirs.client, method: "POST", path: theirs.home + "/member", body: enlist(trust), status: 400,
			has: []string{`"pointer":"/entity","code":"unknownReference"`},
		},
		{claim: "nor another person", as: theirs.client, method: "POST", path: theirs.home + "/member", body: enlist(ours.user.Entity.String()), status: 400},
		{claim: "nor another organization", as: theirs.client, method: "POST", path: theirs.home + "/member", body: enlist(ours.id), status: 400},
		{claim: "nor whom nobody knows", as: theirs.client, method: "POST", path: theirs.home + "/member", body: enlist(theirs.common), status: 400},
		{claim: "nor who only sees them", as: auditor, method: "POST", path: auditor.company(t) + "/member", body: enlist(trust), status: 400},
		{claim: "but who edits them", as: ours.client, method: "POST", path: second + "/member", body: enlist(trust), status: 201, has: []string{trust}},
		{claim: "and an organization of their own", as: ours.client, method: "POST", path: second + "/member", body: enlist(ours.id), status: 201},
	})
	wallets := "/v1/entity/" + trust + "/wallet"
	ours.must(t, "POST", "/v1/wallet", walletWish(trust, "ethereum", onEthereum), http.StatusCreated)
	theirs.must(t, "GET", wallets, "", http.StatusNotFound)
	if got := ours.must(t, "GET", wallets, "", http.StatusOK); !strings.Contains(got.body, onEthereum) {
		t.Errorf("%s", got.body)
	}
}
