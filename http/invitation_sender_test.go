package http_test

import (
	"net/http"
	"testing"
)

func TestRemovedMemberCannotAcceptOwnInvitation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, bob, alias := b.person(t, "owner@example.com"), b.person(t, "bob@example.com"), b.person(t, "alias@example.com")
	home := owner.company(t)
	_, sender := owner.invite(t, home, "Owner", "bob@example.com").outcome(t)
	bob.must(t, "POST", acceptPath, b.invitedBy(t, "bob@example.com"), http.StatusOK)
	bob.invite(t, home, "Owner", "alias@example.com")
	token := b.invitedBy(t, "alias@example.com")
	owner.must(t, "DELETE", home+"/member/"+sender, `{"keepHoldings":true}`, http.StatusOK)
	alias.must(t, "POST", acceptPath, token, http.StatusNotFound)
	alias.must(t, "GET", home+"/captable", "", http.StatusForbidden)
}
