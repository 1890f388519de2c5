package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestVerifiedAddressClaimsMember(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		made := f.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","email":"Grace@example.com","roles":["Guest"]}`, http.StatusCreated)
		held := f.issue(t, made.text(t, "entity"), "10")
		b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
		status := func() string { return f.must(t, "GET", made.header.Get("Location"), "", 200).text(t, "status") }
		if got := status(); got != "registered" {
			t.Errorf("status %s before the address is verified", got)
		}
		b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, "grace@example.com")+`"}`, 200)
		if got := status(); got != "joined" {
			t.Errorf("status %s after the address is verified", got)
		}
		grace := b.anonymous()
		got := grace.must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 200)
		if !strings.Contains(got.body, `"roles":["Guest"]`) {
			t.Error(got.body)
		}
		grace.must(t, "GET", held, "", 200)
		claimed := made.text(t, "entity")
		wallet := grace.must(t, "POST", "/v1/wallet", walletBody(claimed, "near", "grace.near"), http.StatusCreated).header.Get("Location")
		grace.must(t, "PATCH", "/v1/profile/"+claimed, `{"phone":"+1 202"}`, 200)
		f.must(t, "PUT", "/v1/wallet/"+last(wallet), `{"label":"ours"}`, http.StatusNotFound)
		if got := grace.must(t, "GET", "/v1/entity/"+claimed+"/profile", "", 200); !strings.Contains(got.body, `"shares":"10"`) {
			t.Error(got.body)
		}
	})
}

func TestAddressAddedLaterIsClaimedAtTheNextSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
	made := f.must(t, "POST", f.home+"/member", `{"fullName":"Ada","roles":["Guest"]}`, http.StatusCreated).header.Get("Location")
	ada.must(t, "GET", f.home, "", http.StatusForbidden)
	f.must(t, "PATCH", made, `{"email":"ada@example.com"}`, 200)
	ada.must(t, "GET", f.home, "", http.StatusForbidden)
	ada.signInAgain(t, password, 200).must(t, "GET", f.home, "", 200)
}

func TestInvitedMemberIsNotClaimedByAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, ada := b.person(t, "owner@example.com"), b.person(t, "ada@example.com")
	home := owner.company(t)
	owner.invite(t, home, "Guest", "ada@example.com")
	ada.signInAgain(t, password, 200).must(t, "GET", home, "", http.StatusForbidden)
}

func TestEditorCannotChangeAddressOfMemberWithMoreRights(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, manager := b.firm(t, "owner@example.com"), b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	made := f.must(t, "POST", f.home+"/member", `{"fullName":"Second owner","roles":["Owner"]}`, http.StatusCreated).header.Get("Location")
	manager.must(t, "PATCH", made, `{"email":"eve@example.com"}`, http.StatusForbidden)
	manager.must(t, "PATCH", made, `{"title":"Founder"}`, http.StatusOK)
	f.must(t, "PATCH", made, `{"email":"dora@example.com"}`, http.StatusOK)
}
