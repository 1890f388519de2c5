package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestVerifiedAddressClaimsMember(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		made := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"Grace@example.com","roles":["Guest"]}`, http.StatusCreated)
		held := f.Issue(t, made.Text(t, "entity"), "10")
		b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
		status := func() string { return f.Must(t, "GET", made.Header.Get("Location"), "", 200).Text(t, "status") }
		if got := status(); got != "registered" {
			t.Errorf("status %s before the address is verified", got)
		}
		b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, "grace@example.com")+`"}`, 200)
		if got := status(); got != "joined" {
			t.Errorf("status %s after the address is verified", got)
		}
		grace := b.Anonymous()
		got := grace.Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 200)
		if !strings.Contains(got.Body, `"roles":["Guest"]`) {
			t.Error(got.Body)
		}
		grace.Must(t, "GET", held, "", 200)
		claimed := made.Text(t, "entity")
		wallet := grace.Must(t, "POST", "/v1/wallet", walletBody(claimed, "near", "grace.near"), http.StatusCreated).Header.Get("Location")
		grace.Must(t, "PATCH", "/v1/profile/"+claimed, `{"phone":"+1 202"}`, 200)
		f.Must(t, "PUT", "/v1/wallet/"+apitest.IDOf(wallet), `{"label":"ours"}`, http.StatusNotFound)
		if got := grace.Must(t, "GET", "/v1/entity/"+claimed+"/profile", "", 200); !strings.Contains(got.Body, `"shares":"10"`) {
			t.Error(got.Body)
		}
	})
}

func TestAddressAddedLaterIsClaimedAtTheNextSignIn(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
	made := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada","roles":["Guest"]}`, http.StatusCreated).Header.Get("Location")
	ada.Must(t, "GET", f.Home, "", http.StatusForbidden)
	f.Must(t, "PATCH", made, `{"email":"ada@example.com"}`, 200)
	ada.Must(t, "GET", f.Home, "", http.StatusForbidden)
	ada.SignInAgain(t, apitest.Password, 200).Must(t, "GET", f.Home, "", 200)
}

func TestInvitedMemberIsNotClaimedByAddress(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, ada := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
	home := owner.NewOrganization(t)
	owner.Invite(t, home, "Guest", "ada@example.com")
	ada.SignInAgain(t, apitest.Password, 200).Must(t, "GET", home, "", http.StatusForbidden)
}

func TestEditorCannotChangeAddressOfMemberWithMoreRights(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, manager := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	made := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Second owner","roles":["Owner"]}`, http.StatusCreated).Header.Get("Location")
	manager.Must(t, "PATCH", made, `{"email":"eve@example.com"}`, http.StatusForbidden)
	manager.Must(t, "PATCH", made, `{"title":"Founder"}`, http.StatusOK)
	f.Must(t, "PATCH", made, `{"email":"dora@example.com"}`, http.StatusOK)
}
