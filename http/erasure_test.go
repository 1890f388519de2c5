package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestUserDownloadsTheirOwnData(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	own := f.user.Entity.String()
	f.must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
	f.must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 415"}`, http.StatusOK)
	b.grant(t, own, 10)
	got := f.must(t, "GET", "/v1/user/data", "", http.StatusOK)
	for _, part := range []string{`"ada.near"`, `"+1 415"`, `"10.00"`, `"owner@example.com"`, `"roles":["Owner"]`} {
		if !strings.Contains(got.body, part) {
			t.Errorf("%s is missing in %s", part, got.body)
		}
	}
	if !strings.Contains(
		got.header.Get("Content-Disposition"), "equity.json",
	) || got.header.Get("Cache-Control") != "no-store" || strings.Contains(got.body, "argon2id") {
		t.Errorf("%v", got.header)
	}
}

// erasureBody returns the body that confirms an erasure.
func erasureBody(email string) string {
	return `{"email":"` + email + `","password":"` + password + `"}`
}

// An erasure is irreversible, so an open session alone must not be enough.
func TestErasureRequiresCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	refused := func(body, key string) {
		t.Helper()
		if got := ada.must(t, "POST", "/v1/user/erase", body, http.StatusBadRequest); got.text(t, "key") != key {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	refused(`{"email":"ada@example.com"}`, "invalidCredentials")
	refused(`{"email":"ada@example.com","password":"a guess"}`, "invalidCredentials")
	seed, _ := ada.enableSecondFactor(t)
	refused(erasureBody("ada@example.com"), "invalidTwoFactorToken")
	ada.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	code := codeAt(seed, b.clock.Now())
	ada.must(t, "POST", "/v1/user/erase", strings.Replace(erasureBody("ada@example.com"), "}", `,"twoFactorToken":"`+code+`"}`, 1), http.StatusNoContent)
	ada.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestErasureRemovesPersonalDataAndAccess(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
		own := ada.user.Entity.String()
		member := f.join(t, f.home, ada, "Guest")
		f.must(t, "PATCH", f.home+"/member/"+member, `{"phone":"+1 415"}`, http.StatusOK)
		held := f.issue(t, ada.holder, "10")
		ada.must(t, "POST", "/v1/wallet", walletBody(ada.holder, "near", "holder.near"), http.StatusCreated)
		ada.must(t, "PATCH", "/v1/profile/"+ada.holder, `{"phone":"+1 417"}`, http.StatusOK)
		if data := ada.must(
			t, "GET", "/v1/user/data", "", http.StatusOK,
		).body; !strings.Contains(data, "holder.near") || !strings.Contains(data, "+1 417") || !strings.Contains(data, "+1 415") {
			t.Errorf("the download lacks the member data: %s", data)
		}
		ada.must(t, "POST", "/v1/wallet", walletBody(own, "near", "ada.near"), http.StatusCreated)
		ada.must(t, "PATCH", "/v1/profile/"+own, `{"phone":"+1 416"}`, http.StatusOK)
		b.grant(t, own, 10)
		elsewhere := b.anotherSession(t, ada)
		rows := "holder,security,shares,issueDate\n" + f.holder(t, "Grace Hopper") + ",Common Stock,1,2025-01-31\n"
		f.must(t, "POST", f.home+"/import?kind=shareholdings", rows, http.StatusCreated, "Content-Type", csvKind)
		f.must(t, "GET", f.home+"/import?kind=shareholdings&file=last", "", http.StatusOK)

		wrong := ada.must(t, "POST", "/v1/user/erase", `{"email":"owner@example.com"}`, http.StatusBadRequest)
		if !strings.Contains(wrong.body, `"/email","code":"mismatch"`) {
			t.Errorf("%s", wrong.body)
		}
		ada.must(t, "POST", "/v1/user/erase", erasureBody("ADA@example.com"), http.StatusNoContent)
		ada.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		elsewhere.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		elsewhere.must(t, "GET", f.home, "", http.StatusUnauthorized)
		b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, http.StatusBadRequest)

		got := f.must(t, "GET", f.home+"/member/"+member, "", http.StatusOK)
		if got.text(t, "status") != "removed" || strings.Contains(got.body, "ada@example.com") || strings.Contains(got.body, "+1 41") {
			t.Errorf("the organization still has %s", got.body)
		}
		f.must(t, "GET", f.home+"/import?kind=shareholdings&file=last", "", http.StatusNotFound) // the file may contain the person's name
		f.must(t, "GET", held, "", http.StatusOK)
		f.must(t, "GET", "/v1/profile/"+own, "", http.StatusNotFound)
		if got := f.must(t, "GET", "/v1/entity/"+ada.holder+"/wallet", "", http.StatusOK); strings.Contains(got.body, "near") {
			t.Errorf("%s", got.body)
		}
		again := b.person(t, "ada@example.com") // the address is free, but grants no former access
		again.must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusNotFound)
		again.must(t, "GET", f.home, "", http.StatusForbidden)
	})
}

// anotherSession returns another session of the same person.
func (b *bundle) anotherSession(tb testing.TB, c *client) *client {
	tb.Helper()
	other := &client{bundle: b, user: c.user}
	other.must(tb, "POST", "/v1/user/login", `{"email":"`+c.user.Email+`","password":"`+password+`"}`, http.StatusOK)
	return other
}

func TestLastOwnerCannotBeErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.person(t, "other@example.com")
	refused := f.must(t, "POST", "/v1/user/erase", erasureBody("owner@example.com"), http.StatusConflict)
	if refused.text(t, "code") != "lastOwner" || refused.text(t, "details", "organization") != f.id {
		t.Errorf("%s", refused.body)
	}
	f.join(t, f.home, other, "Owner")
	f.must(t, "POST", "/v1/user/erase", erasureBody("owner@example.com"), http.StatusNoContent)
}
