package http_test

import (
	"net/http"
	"strings"
	"testing"
)

const (
	onEthereum  = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	onEthereum2 = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
)

// walletBody returns the body of a new wallet.
func walletBody(entity, network, address string) string {
	return `{"entity":"` + entity + `","network":"` + network + `","address":"` + address + `","label":"Main"}`
}

func TestPersonManagesTheirWallets(t *testing.T) {
	t.Parallel()
	c := setup(t).person(t, "ada@example.com")
	own := c.user.Entity.String()
	list := "/v1/entity/" + own + "/wallet"
	if got := c.must(t, "GET", list, "", http.StatusOK); strings.TrimSpace(got.body) != `{"data":[]}` {
		t.Errorf("new account: %s", got.body)
	}
	made := c.must(t, "POST", "/v1/wallet", walletBody(own, " ethereum ", onEthereum), http.StatusCreated)
	if made.text(t, "address") != onEthereum || made.text(t, "network") != "ethereum" || made.header.Get("Location") != list+"/"+made.text(t, "id") {
		t.Errorf("%v %s", made.header, made.body)
	}
	if got := c.must(t, "GET", made.header.Get("Location"), "", http.StatusOK); got.body != made.body {
		t.Errorf("%s is not %s", got.body, made.body)
	}
	got := c.must(t, "PUT", "/v1/wallet/"+made.text(t, "id"), `{"label":"Cold"}`, http.StatusOK)
	if got.text(t, "label") != "Cold" || got.text(t, "address") != onEthereum {
		t.Errorf("%s", got.body)
	}
	c.must(t, "DELETE", made.header.Get("Location"), "", http.StatusNoContent)
	c.must(t, "GET", made.header.Get("Location"), "", http.StatusNotFound)
	c.must(t, "PUT", "/v1/wallet/"+made.text(t, "id"), `{"label":"Cold"}`, http.StatusNotFound)
}

//nolint:tparallel // one scenario builds on another
func TestInvalidWalletsAreRefused(t *testing.T) {
	t.Parallel()
	c := setup(t).person(t, "ada@example.com")
	own := c.user.Entity.String()
	id := c.must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum), http.StatusCreated).text(t, "id")
	other := c.must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum2), http.StatusCreated).text(t, "id")
	run(t, []scenario{
		{
			claim: "every wrong field is named", as: c, method: "POST", path: "/v1/wallet", status: 400,
			body: `{"entity":"me","network":" ","x":1}`,
			has:  []string{`"/entity"`, `"/network","code":"pattern"`, `"/address","code":"required"`, `"/x","code":"unknownField"`},
		},
		{
			claim: "a wrong checksum is refused", as: c, method: "POST", path: "/v1/wallet", status: 400,
			body: walletBody(own, "ethereum", strings.ToUpper(onEthereum[2:])), has: []string{`"/address","code":"invalidAddress"`},
		},
		{
			claim: "a duplicate address in another spelling is refused", as: c, method: "POST", path: "/v1/wallet", status: 409,
			body: walletBody(own, "Ethereum", strings.ToLower(onEthereum)), has: []string{`"code":"conflict"`},
		},
		{
			claim: "a change to a duplicate address is refused", as: c, method: "PUT", path: "/v1/wallet/" + other, status: 409,
			body: `{"address":"` + onEthereum + `"}`, has: []string{`"code":"conflict"`},
		},
		{
			claim: "a change that invalidates the address is refused", as: c, method: "PUT", path: "/v1/wallet/" + id, status: 400,
			body: `{"network":"bitcoin"}`, has: []string{`"/address","code":"invalidAddress"`},
		},
		{
			claim: "a required field cannot be cleared", as: c, method: "PUT", path: "/v1/wallet/" + id, status: 400,
			body: `{"network":null}`, has: []string{`"/network"`},
		},
		{claim: "refused changes keep the wallet", as: c, method: "GET", path: "/v1/entity/" + own + "/wallet/" + id, status: 200, has: []string{onEthereum, `"ethereum"`}},
	})
}

func TestForeignWalletsAreHidden(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
	own := ada.user.Entity.String()
	made := ada.must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
	at, id := made.header.Get("Location"), made.text(t, "id")
	eve.must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusNotFound)
	eve.must(t, "GET", at, "", http.StatusNotFound)
	eve.must(t, "GET", "/v1/entity/"+eve.user.Entity.String()+"/wallet/"+id, "", http.StatusNotFound)
	eve.must(t, "DELETE", "/v1/entity/"+eve.user.Entity.String()+"/wallet/"+id, "", http.StatusNotFound)
	eve.must(t, "DELETE", at, "", http.StatusNotFound)
	eve.must(t, "PUT", "/v1/wallet/"+id, `{"label":"mine"}`, http.StatusNotFound)
	eve.must(t, "POST", "/v1/wallet", walletBody(own, "near", "eve.near"), http.StatusForbidden)
	if got := ada.must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusOK); !strings.Contains(got.body, `"label":"Main"`) {
		t.Errorf("%s", got.body)
	}
}

func TestEditorManagesWalletsOfTheOrganizationAndItsHolders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	holder := f.holder(t, "Zoe")
	for _, entity := range []string{f.id, holder} {
		f.must(t, "POST", "/v1/wallet", walletBody(entity, "near", "it.near"), http.StatusCreated)
		f.must(t, "GET", "/v1/entity/"+entity+"/wallet", "", http.StatusOK)
		guest.must(t, "GET", "/v1/entity/"+entity+"/wallet", "", http.StatusNotFound)
		guest.must(t, "POST", "/v1/wallet", walletBody(entity, "near", "other.near"), http.StatusForbidden)
	}
	f.must(t, "GET", "/v1/entity/"+guest.user.Entity.String()+"/wallet", "", http.StatusNotFound)
}

func TestRepeatedKeyAddsOneWallet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	wish := walletBody(c.user.Entity.String(), "near", "ada.near")
	first := c.must(t, "POST", "/v1/wallet", wish, http.StatusCreated, "Idempotency-Key", "k")
	again := c.must(t, "POST", "/v1/wallet", wish, http.StatusCreated, "Idempotency-Key", "k")
	if again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%v %s, want %s", again.header, again.body, first.body)
	}
	other := c.must(t, "POST", "/v1/wallet", strings.Replace(wish, "ada.near", "b.near", 1), http.StatusConflict, "Idempotency-Key", "k")
	if other.text(t, "code") != "idempotencyKeyReused" {
		t.Errorf("%s", other.body)
	}
}
