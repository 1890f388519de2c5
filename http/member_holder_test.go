package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// registerInvited returns the body of a registration with the token in body.
func registerInvited(body, email string) string {
	input := strings.Replace(registration, "grace@example.com", email, 1)
	return strings.TrimSuffix(input, "}") + `,"invitation":"` + strings.Split(body, `"`)[3] + `"}`
}

func TestInvitedPersonRegistersAndAcceptsWithOneMail(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		member := owner.must(t, "POST", home+"/member", `{"fullName":"Grace Hopper","email":"Grace@example.com"}`, 201).text(t, "id")
		owner.must(t, "POST", home+"/member/invite", `{"emails":["grace@example.com"]}`, 200)
		token := b.invitedBy(t, "grace@example.com")
		read := b.anonymous().must(t, "POST", "/v1/invitation/read", token, 200)
		if read.text(t, "email") != "Grace@example.com" || read.text(t, "fullName") != "Grace Hopper" || strings.Contains(read.body, "registered") {
			t.Error(read.body)
		}
		grace := b.anonymous()
		got := grace.must(t, "POST", "/v1/user", registerInvited(token, "grace@example.com"), http.StatusCreated)
		if got.get(t, "emailVerified") != true {
			t.Error(got.body)
		}
		if read := b.anonymous().must(t, "POST", "/v1/invitation/read", token, 200); read.get(t, "registered") != true {
			t.Error(read.body)
		}
		joined := grace.must(t, "POST", acceptPath, token, 200)
		if !strings.Contains(joined.body, `"roles":["Holder"]`) {
			t.Error(joined.body)
		}
		if mails := b.mails(t, "grace@example.com"); len(mails) != 1 {
			t.Errorf("%d mails", len(mails))
		}
		own := grace.must(t, "GET", home+"/member/"+member, "", 200)
		if own.text(t, "status") != "joined" {
			t.Error(own.body)
		}
	})
}

func TestInvitationProvesOnlyTheAddressOfItsMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	owner.must(t, "POST", home+"/member/invite", `{"emails":["ada@example.com"]}`, 200)
	token := b.invitedBy(t, "ada@example.com")
	refused := b.anonymous().must(t, "POST", "/v1/user", registerInvited(token, "eve@example.com"), http.StatusBadRequest)
	if !strings.Contains(refused.body, `"pointer":"/email"`) {
		t.Error(refused.body)
	}
	b.anonymous().must(t, "POST", "/v1/user", registerInvited(`{"token":"x"}`, "eve@example.com"), http.StatusNotFound)
	b.anonymous().must(t, "POST", declinePath, token, http.StatusNoContent)
	b.anonymous().must(t, "POST", "/v1/user", registerInvited(token, "ada@example.com"), http.StatusNotFound)
}

func TestHolderSeesOwnRecordsAndNoOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, ada := b.person(t, "owner@example.com"), b.person(t, "ada@example.com")
	home := owner.company(t)
	owner.must(t, "POST", home+"/member/invite", `{"emails":["ada@example.com"],"roles":[]}`, 200)
	ada.must(t, "POST", acceptPath, b.invitedBy(t, "ada@example.com"), 200)
	if got := ada.must(t, "GET", home, "", 200); got.text(t, "name") != "Analytical Engines" {
		t.Error(got.body)
	}
	for _, path := range []string{"/captable", "/valuation", "/journal"} {
		ada.must(t, "GET", home+path, "", http.StatusForbidden)
	}
	if got := ada.must(t, "GET", home+"/member", "", 200); strings.Contains(got.body, "owner@example.com") {
		t.Error(got.body)
	}
}
