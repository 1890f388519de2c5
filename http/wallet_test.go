package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
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
	c := apitest.Setup(t).NewPerson(t, "ada@example.com")
	own := c.User.Entity.String()
	list := "/v1/entity/" + own + "/wallet"
	if got := c.Must(t, "GET", list, "", http.StatusOK); strings.TrimSpace(got.Body) != `{"data":[]}` {
		t.Errorf("new account: %s", got.Body)
	}
	made := c.Must(t, "POST", "/v1/wallet", walletBody(own, " ethereum ", onEthereum), http.StatusCreated)
	if made.Text(t, "address") != onEthereum || made.Text(t, "network") != "ethereum" || made.Header.Get("Location") != list+"/"+made.Text(t, "id") {
		t.Errorf("%v %s", made.Header, made.Body)
	}
	if got := c.Must(t, "GET", made.Header.Get("Location"), "", http.StatusOK); got.Body != made.Body {
		t.Errorf("%s is not %s", got.Body, made.Body)
	}
	got := c.Must(t, "PUT", "/v1/wallet/"+made.Text(t, "id"), `{"label":"Cold"}`, http.StatusOK)
	if got.Text(t, "label") != "Cold" || got.Text(t, "address") != onEthereum {
		t.Errorf("%s", got.Body)
	}
	c.Must(t, "DELETE", made.Header.Get("Location"), "", http.StatusNoContent)
	c.Must(t, "GET", made.Header.Get("Location"), "", http.StatusNotFound)
	c.Must(t, "PUT", "/v1/wallet/"+made.Text(t, "id"), `{"label":"Cold"}`, http.StatusNotFound)
}

func TestInvalidWalletsAreRefused(t *testing.T) {
	t.Parallel()
	c := apitest.Setup(t).NewPerson(t, "ada@example.com")
	own := c.User.Entity.String()
	id := c.Must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum), http.StatusCreated).Text(t, "id")
	other := c.Must(t, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum2), http.StatusCreated).Text(t, "id")
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "every wrong field is named", As: c, Method: "POST", Path: "/v1/wallet", Status: 400,
			Body: `{"entity":"me","network":" ","x":1}`,
			Has:  []string{`"/entity"`, `"/network","code":"pattern"`, `"/address","code":"required"`, `"/x","code":"unknownField"`},
		},
		{
			Claim: "a wrong checksum is refused", As: c, Method: "POST", Path: "/v1/wallet", Status: 400,
			Body: walletBody(own, "ethereum", strings.ToUpper(onEthereum[2:])), Has: []string{`"/address","code":"invalidAddress"`},
		},
		{
			Claim: "a duplicate address in another spelling is refused", As: c, Method: "POST", Path: "/v1/wallet", Status: 409,
			Body: walletBody(own, "Ethereum", strings.ToLower(onEthereum)), Has: []string{`"code":"conflict"`},
		},
		{
			Claim: "a change to a duplicate address is refused", As: c, Method: "PUT", Path: "/v1/wallet/" + other, Status: 409,
			Body: `{"address":"` + onEthereum + `"}`, Has: []string{`"code":"conflict"`},
		},
		{
			Claim: "a change that invalidates the address is refused", As: c, Method: "PUT", Path: "/v1/wallet/" + id, Status: 400,
			Body: `{"network":"bitcoin"}`, Has: []string{`"/address","code":"invalidAddress"`},
		},
		{
			Claim: "a required field cannot be cleared", As: c, Method: "PUT", Path: "/v1/wallet/" + id, Status: 400,
			Body: `{"network":null}`, Has: []string{`"/network"`},
		},
		{Claim: "refused changes keep the wallet", As: c, Method: "GET", Path: "/v1/entity/" + own + "/wallet/" + id, Status: 200, Has: []string{onEthereum, `"ethereum"`}},
	})
}

func TestForeignWalletsAreHidden(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, eve := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
	own := ada.User.Entity.String()
	made := ada.Must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
	at, id := made.Header.Get("Location"), made.Text(t, "id")
	eve.Must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusNotFound)
	eve.Must(t, "GET", at, "", http.StatusNotFound)
	eve.Must(t, "GET", "/v1/entity/"+eve.User.Entity.String()+"/wallet/"+id, "", http.StatusNotFound)
	eve.Must(t, "DELETE", "/v1/entity/"+eve.User.Entity.String()+"/wallet/"+id, "", http.StatusNotFound)
	eve.Must(t, "DELETE", at, "", http.StatusNotFound)
	eve.Must(t, "PUT", "/v1/wallet/"+id, `{"label":"mine"}`, http.StatusNotFound)
	eve.Must(t, "POST", "/v1/wallet", walletBody(own, "near", "eve.near"), http.StatusForbidden)
	if got := ada.Must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusOK); !strings.Contains(got.Body, `"label":"Main"`) {
		t.Errorf("%s", got.Body)
	}
}

func TestEditorManagesWalletsOfTheOrganizationAndItsHolders(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	holder := f.NewHolder(t, "Zoe")
	for _, entity := range []string{f.ID, holder} {
		f.Must(t, "POST", "/v1/wallet", walletBody(entity, "near", "it.near"), http.StatusCreated)
		f.Must(t, "GET", "/v1/entity/"+entity+"/wallet", "", http.StatusOK)
		guest.Must(t, "GET", "/v1/entity/"+entity+"/wallet", "", http.StatusNotFound)
		guest.Must(t, "POST", "/v1/wallet", walletBody(entity, "near", "other.near"), http.StatusForbidden)
	}
	f.Must(t, "GET", "/v1/entity/"+guest.User.Entity.String()+"/wallet", "", http.StatusNotFound)
}

func TestRepeatedKeyAddsOneWallet(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	wish := walletBody(c.User.Entity.String(), "near", "ada.near")
	first := c.Must(t, "POST", "/v1/wallet", wish, http.StatusCreated, "Idempotency-Key", "k")
	again := c.Must(t, "POST", "/v1/wallet", wish, http.StatusCreated, "Idempotency-Key", "k")
	if again.Body != first.Body || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%v %s, want %s", again.Header, again.Body, first.Body)
	}
	other := c.Must(t, "POST", "/v1/wallet", strings.Replace(wish, "ada.near", "b.near", 1), http.StatusConflict, "Idempotency-Key", "k")
	if other.Text(t, "code") != "idempotencyKeyReused" {
		t.Errorf("%s", other.Body)
	}
}
