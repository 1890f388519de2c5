package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestRemovedMemberCannotAcceptOwnInvitation(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, bob, alias := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "bob@example.com"), b.NewPerson(t, "alias@example.com")
	home := owner.NewOrganization(t)
	_, sender := owner.Invite(t, home, "Owner", "bob@example.com").InvitationOutcome(t)
	bob.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "bob@example.com"), http.StatusOK)
	bob.Invite(t, home, "Owner", "alias@example.com")
	token := b.InvitationAnswer(t, "alias@example.com")
	owner.Must(t, "DELETE", home+"/member/"+sender, `{"keepHoldings":true}`, http.StatusOK)
	alias.Must(t, "POST", apitest.AcceptPath, token, http.StatusNotFound)
	alias.Must(t, "GET", home+"/captable", "", http.StatusForbidden)
}
