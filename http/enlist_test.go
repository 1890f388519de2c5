package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// A member with editMembers may act for members without an account. A holder can therefore be
// added only by callers who already edit that holder.
func TestForeignEntitiesCannotBeAddedAsMembers(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ours, theirs := b.NewFirm(t, "ada@example.com"), b.NewFirm(t, "mallory@example.com")
	trust := ours.NewHolder(t, "A trust")
	auditor, second := b.NewPerson(t, "auditor@example.com"), ours.NewOrganization(t)
	ours.Join(t, ours.Home, auditor, "Auditor")
	enlist := func(entity string) string { return `{"fullName":"X","roles":[],"entity":"` + entity + `"}` }
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a foreign holder is refused", As: theirs.Client, Method: "POST", Path: theirs.Home + "/member", Body: enlist(trust), Status: 400,
			Has: []string{`"pointer":"/entity","code":"unknownReference"`},
		},
		{
			Claim: "another person is refused", As: theirs.Client, Method: "POST", Path: theirs.Home + "/member",
			Body: enlist(ours.User.Entity.String()), Status: 400,
		},
		{
			Claim: "another organization is refused", As: theirs.Client, Method: "POST", Path: theirs.Home + "/member",
			Body: enlist(ours.ID), Status: 400,
		},
		{
			Claim: "an unknown entity is refused", As: theirs.Client, Method: "POST", Path: theirs.Home + "/member",
			Body: enlist(theirs.Common), Status: 400,
		},
		{
			Claim: "an auditor of the holder is refused", As: auditor, Method: "POST", Path: auditor.NewOrganization(t) + "/member",
			Body: enlist(trust), Status: 400,
		},
		{
			Claim: "an editor of the holder adds it", As: ours.Client, Method: "POST", Path: second + "/member", Body: enlist(trust),
			Status: 201, Has: []string{trust},
		},
		{Claim: "an owner adds their own organization", As: ours.Client, Method: "POST", Path: second + "/member", Body: enlist(ours.ID), Status: 201},
	})
	wallets := "/v1/entity/" + trust + "/wallet"
	ours.Must(t, "POST", "/v1/wallet", walletBody(trust, "ethereum", onEthereum), http.StatusCreated)
	theirs.Must(t, "GET", wallets, "", http.StatusNotFound)
	if got := ours.Must(t, "GET", wallets, "", http.StatusOK); !strings.Contains(got.Body, onEthereum) {
		t.Errorf("%s", got.Body)
	}
}
