package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestUserDownloadsTheirOwnData(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	own := f.User.Entity.String()
	f.Must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
	f.Must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 415"}`, http.StatusOK)
	grantCredit(t, b, own, 10)
	got := f.Must(t, "GET", "/v1/user/data", "", http.StatusOK)
	for _, part := range []string{`"ada.near"`, `"+1 415"`, `"10.00"`, `"owner@example.com"`, `"roles":["Owner"]`} {
		if !strings.Contains(got.Body, part) {
			t.Errorf("%s is missing in %s", part, got.Body)
		}
	}
	if !strings.Contains(
		got.Header.Get("Content-Disposition"), "equity.json",
	) || got.Header.Get("Cache-Control") != "no-store" || strings.Contains(got.Body, "argon2id") {
		t.Errorf("%v", got.Header)
	}
}

// erasureBody returns the body that confirms an erasure.
func erasureBody(email string) string {
	return `{"email":"` + email + `","password":"` + apitest.Password + `"}`
}

// An erasure is irreversible, so an open session alone must not be enough.
func TestErasureRequiresCredentials(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	refused := func(body, key string) {
		t.Helper()
		if got := ada.Must(t, "POST", "/v1/user/erase", body, http.StatusBadRequest); got.Text(t, "key") != key {
			t.Errorf("%s: %s", body, got.Body)
		}
	}
	refused(`{"email":"ada@example.com"}`, "invalidCredentials")
	refused(`{"email":"ada@example.com","password":"a guess"}`, "invalidCredentials")
	seed, _ := enableSecondFactor(t, ada)
	refused(erasureBody("ada@example.com"), "invalidTwoFactorToken")
	ada.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	code := codeAt(seed, b.Clock.Now())
	ada.Must(t, "POST", "/v1/user/erase", strings.Replace(erasureBody("ada@example.com"), "}", `,"twoFactorToken":"`+code+`"}`, 1), http.StatusNoContent)
	ada.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestErasureRemovesPersonalDataAndAccess(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
		own := ada.User.Entity.String()
		member := f.Join(t, f.Home, ada, "Guest")
		f.Must(t, "PATCH", f.Home+"/member/"+member, `{"phone":"+1 415"}`, http.StatusOK)
		held := f.Issue(t, ada.Holder, "10")
		ada.Must(t, "POST", "/v1/wallet", walletBody(ada.Holder, "near", "holder.near"), http.StatusCreated)
		ada.Must(t, "PATCH", "/v1/profile/"+ada.Holder, `{"phone":"+1 417"}`, http.StatusOK)
		if data := ada.Must(
			t, "GET", "/v1/user/data", "", http.StatusOK,
		).Body; !strings.Contains(data, "holder.near") || !strings.Contains(data, "+1 417") || !strings.Contains(data, "+1 415") {
			t.Errorf("the download lacks the member data: %s", data)
		}
		ada.Must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
		ada.Must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 416"}`, http.StatusOK)
		grantCredit(t, b, own, 10)
		elsewhere := anotherSession(t, b, ada)
		rows := "holder,security,shares,issueDate\n" + f.NewHolder(t, "Grace Hopper") + ",Common Stock,1,2025-01-31\n"
		f.Must(t, "POST", f.Home+"/import?kind=shareholdings", rows, http.StatusCreated, "Content-Type", csvKind)
		f.Must(t, "GET", f.Home+"/import?kind=shareholdings&file=last", "", http.StatusOK)

		wrong := ada.Must(t, "POST", "/v1/user/erase", `{"email":"owner@example.com"}`, http.StatusBadRequest)
		if !strings.Contains(wrong.Body, `"/email","code":"mismatch"`) {
			t.Errorf("%s", wrong.Body)
		}
		ada.Must(t, "POST", "/v1/user/erase", erasureBody("ADA@example.com"), http.StatusNoContent)
		ada.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		elsewhere.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		elsewhere.Must(t, "GET", f.Home, "", http.StatusUnauthorized)
		b.Anonymous().Must(
			t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, http.StatusBadRequest,
		)

		got := f.Must(t, "GET", f.Home+"/member/"+member, "", http.StatusOK)
		if got.Text(t, "status") != "removed" || strings.Contains(got.Body, "ada@example.com") || strings.Contains(got.Body, "+1 41") {
			t.Errorf("the organization still has %s", got.Body)
		}
		f.Must(t, "GET", f.Home+"/import?kind=shareholdings&file=last", "", http.StatusNotFound) // the file may contain the person's name
		f.Must(t, "GET", held, "", http.StatusOK)
		f.Must(t, "GET", "/v1/profile/"+own, "", http.StatusNotFound)
		if got := f.Must(t, "GET", "/v1/entity/"+ada.Holder+"/wallet", "", http.StatusOK); strings.Contains(got.Body, "near") {
			t.Errorf("%s", got.Body)
		}
		again := b.NewPerson(t, "ada@example.com") // the address is free, but grants no former access
		again.Must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusNotFound)
		again.Must(t, "GET", f.Home, "", http.StatusForbidden)
	})
}

// anotherSession returns another session of the same person.
func anotherSession(tb testing.TB, b *apitest.Server, c *apitest.Client) *apitest.Client {
	tb.Helper()
	other := &apitest.Client{Server: b, User: c.User}
	other.Must(tb, "POST", "/v1/user/login", `{"email":"`+c.User.Email+`","password":"`+apitest.Password+`"}`, http.StatusOK)
	return other
}

func TestLastOwnerCannotBeErased(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "other@example.com")
	refused := f.Must(t, "POST", "/v1/user/erase", erasureBody("owner@example.com"), http.StatusConflict)
	if refused.Text(t, "code") != "lastOwner" || refused.Text(t, "details", "organization") != f.ID {
		t.Errorf("%s", refused.Body)
	}
	f.Join(t, f.Home, other, "Owner")
	f.Must(t, "POST", "/v1/user/erase", erasureBody("owner@example.com"), http.StatusNoContent)
}
