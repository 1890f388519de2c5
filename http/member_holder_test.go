package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// registerInvited returns the body of a registration with the token in body.
func registerInvited(body, email string) string {
	input := strings.Replace(registration, "grace@example.com", email, 1)
	return strings.TrimSuffix(input, "}") + `,"invitation":"` + strings.Split(body, `"`)[3] + `"}`
}

func TestInvitedPersonRegistersAndAcceptsWithOneMail(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		member := owner.Must(t, "POST", home+"/member", `{"fullName":"Grace Hopper","email":"Grace@example.com"}`, 201).Text(t, "id")
		owner.Must(t, "POST", home+"/member/invite", `{"emails":["grace@example.com"]}`, 200)
		token := b.InvitationAnswer(t, "grace@example.com")
		read := b.Anonymous().Must(t, "POST", "/v1/invitation/read", token, 200)
		if read.Text(t, "email") != "Grace@example.com" || read.Text(t, "fullName") != "Grace Hopper" || strings.Contains(read.Body, "registered") {
			t.Error(read.Body)
		}
		grace := b.Anonymous()
		got := grace.Must(t, "POST", "/v1/user", registerInvited(token, "grace@example.com"), http.StatusCreated)
		if got.Get(t, "emailVerified") != true {
			t.Error(got.Body)
		}
		if read := b.Anonymous().Must(t, "POST", "/v1/invitation/read", token, 200); read.Get(t, "registered") != true {
			t.Error(read.Body)
		}
		joined := grace.Must(t, "POST", apitest.AcceptPath, token, 200)
		if !strings.Contains(joined.Body, `"roles":["Holder"]`) {
			t.Error(joined.Body)
		}
		if mails := b.Mails(t, "grace@example.com"); len(mails) != 1 {
			t.Errorf("%d mails", len(mails))
		}
		own := grace.Must(t, "GET", home+"/member/"+member, "", 200)
		if own.Text(t, "status") != "joined" {
			t.Error(own.Body)
		}
	})
}

func TestInvitationProvesOnlyTheAddressOfItsMail(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	owner.Must(t, "POST", home+"/member/invite", `{"emails":["ada@example.com"]}`, 200)
	token := b.InvitationAnswer(t, "ada@example.com")
	refused := b.Anonymous().Must(t, "POST", "/v1/user", registerInvited(token, "eve@example.com"), http.StatusBadRequest)
	if !strings.Contains(refused.Body, `"pointer":"/email"`) {
		t.Error(refused.Body)
	}
	b.Anonymous().Must(t, "POST", "/v1/user", registerInvited(`{"token":"x"}`, "eve@example.com"), http.StatusNotFound)
	b.Anonymous().Must(t, "POST", apitest.DeclinePath, token, http.StatusNoContent)
	b.Anonymous().Must(t, "POST", "/v1/user", registerInvited(token, "ada@example.com"), http.StatusNotFound)
}

func TestHolderSeesOwnRecordsAndNoOthers(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, ada := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
	home := owner.NewOrganization(t)
	owner.Must(t, "POST", home+"/member/invite", `{"emails":["ada@example.com"],"roles":[]}`, 200)
	ada.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "ada@example.com"), 200)
	if got := ada.Must(t, "GET", home, "", 200); got.Text(t, "name") != "Analytical Engines" {
		t.Error(got.Body)
	}
	for _, path := range []string{"/captable", "/valuation", "/journal"} {
		ada.Must(t, "GET", home+path, "", http.StatusForbidden)
	}
	if got := ada.Must(t, "GET", home+"/member", "", 200); strings.Contains(got.Body, "owner@example.com") {
		t.Error(got.Body)
	}
}
