package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// A member with editMembers may act for members without an account. A holder can therefore be
// added only by callers who already edit that holder.
//
//nolint:tparallel // one scenario builds on another
func TestForeignEntitiesCannotBeAddedAsMembers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.firm(t, "ada@example.com"), b.firm(t, "mallory@example.com")
	trust := ours.holder(t, "A trust")
	auditor, second := b.person(t, "auditor@example.com"), ours.company(t)
	ours.join(t, ours.home, auditor, "Auditor")
	enlist := func(entity string) string { return `{"fullName":"X","roles":[],"entity":"` + entity + `"}` }
	run(t, []scenario{
		{
			claim: "a foreign holder is refused", as: theirs.client, method: "POST", path: theirs.home + "/member", body: enlist(trust), status: 400,
			has: []string{`"pointer":"/entity","code":"unknownReference"`},
		},
		{
			claim: "another person is refused", as: theirs.client, method: "POST", path: theirs.home + "/member",
			body: enlist(ours.user.Entity.String()), status: 400,
		},
		{
			claim: "another organization is refused", as: theirs.client, method: "POST", path: theirs.home + "/member",
			body: enlist(ours.id), status: 400,
		},
		{
			claim: "an unknown entity is refused", as: theirs.client, method: "POST", path: theirs.home + "/member",
			body: enlist(theirs.common), status: 400,
		},
		{
			claim: "an auditor of the holder is refused", as: auditor, method: "POST", path: auditor.company(t) + "/member",
			body: enlist(trust), status: 400,
		},
		{
			claim: "an editor of the holder adds it", as: ours.client, method: "POST", path: second + "/member", body: enlist(trust),
			status: 201, has: []string{trust},
		},
		{claim: "an owner adds their own organization", as: ours.client, method: "POST", path: second + "/member", body: enlist(ours.id), status: 201},
	})
	wallets := "/v1/entity/" + trust + "/wallet"
	ours.must(t, "POST", "/v1/wallet", walletBody(trust, "ethereum", onEthereum), http.StatusCreated)
	theirs.must(t, "GET", wallets, "", http.StatusNotFound)
	if got := ours.must(t, "GET", wallets, "", http.StatusOK); !strings.Contains(got.body, onEthereum) {
		t.Errorf("%s", got.body)
	}
}
