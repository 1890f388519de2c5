package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const receivedPath = "/v1/invitation/received"

// received returns the organizations of the received invitations in the order of the list, and the ids of the invitations.
func (c *client) received(t *testing.T) (organizations, ids []string) {
	t.Helper()
	records, _ := c.pages(t, receivedPath, "data", 1)
	for _, record := range records {
		one, _ := record.(map[string]any)
		of, _ := one["organization"].(map[string]any)
		organization, _ := of["id"].(string)
		id, _ := one["id"].(string)
		organizations, ids = append(organizations, organization), append(ids, id)
	}
	return organizations, ids
}

func TestReceivedInvitationIsListedAndAccepted(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner, ada, eve := b.person(t, "owner@example.com"), b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
		first, second := owner.company(t), owner.company(t)
		_, member := owner.invite(t, first, "Investor", "Ada@Example.com").outcome(t)
		owner.invite(t, second, "Guest", "ada@example.com")
		token := strings.Split(b.invitedBy(t, "Ada@Example.com"), `"`)[3]
		got := ada.must(t, "GET", receivedPath, "", http.StatusOK)
		if !strings.Contains(got.body, `"id":"`+member+`","organization":{"id":"`+last(first)+`","name":"Analytical Engines"},"roles":["Investor"],"inviter":"Ada Lovelace","sentAt":"`) ||
			strings.Contains(got.body, token) || got.header.Get("Cache-Control") != "no-store" {
			t.Error(got.body, got.header)
		}
		if organizations, _ := ada.received(t); len(organizations) != 2 || organizations[0] != last(first) || organizations[1] != last(second) {
			t.Error(organizations)
		}
		for _, other := range []*client{eve, owner} {
			if organizations, _ := other.received(t); len(organizations) != 0 {
				t.Errorf("others read %v", organizations)
			}
			other.must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
			other.must(t, "POST", receivedPath+"/"+member+"/decline", "", http.StatusNotFound)
		}
		joined := ada.must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusOK)
		if joined.text(t, "id") != last(first) || !strings.Contains(joined.body, `"roles":["Investor"]`) {
			t.Error(joined.body)
		}
		ada.must(t, "GET", first+"/captable", "", http.StatusOK)
		ada.must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
		ada.must(t, "POST", acceptPath, `{"token":"`+token+`"}`, http.StatusNotFound)
		if organizations, _ := ada.received(t); len(organizations) != 1 || organizations[0] != last(second) {
			t.Error(organizations)
		}
	})
}

func TestReceivedInvitationIsDeclined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, ada := b.person(t, "owner@example.com"), b.person(t, "ada@example.com")
	home := owner.company(t)
	_, member := owner.invite(t, home, "Guest", "ada@example.com").outcome(t)
	ada.must(t, "POST", receivedPath+"/"+member+"/decline", "", http.StatusNoContent)
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "removed" {
		t.Error(got.body)
	}
	if organizations, _ := ada.received(t); len(organizations) != 0 {
		t.Error(organizations)
	}
}

// The list has exactly the invitations that their recipient can accept.
func TestEndedInvitationsAreNotReceived(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, b *bundle, f *firm, member string){
		"withdrawn": func(t *testing.T, _ *bundle, f *firm, member string) {
			t.Helper()
			f.must(t, "DELETE", f.home+"/member/"+member, `{}`, http.StatusOK)
		},
		"readdressed": func(t *testing.T, _ *bundle, f *firm, member string) {
			t.Helper()
			f.must(t, "PATCH", f.home+"/member/"+member, `{"email":"grace@example.com"}`, http.StatusOK)
		},
		"expired": func(t *testing.T, b *bundle, _ *firm, _ string) {
			t.Helper()
			b.clock.advance(14 * 24 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
			_, member := f.invite(t, f.home, "Guest", "ada@example.com").outcome(t)
			if _, ids := ada.received(t); len(ids) != 1 || ids[0] != member {
				t.Error(ids)
			}
			end(t, b, f, member)
			ada = ada.signInAgain(t, password, http.StatusOK)
			if _, ids := ada.received(t); len(ids) != 0 {
				t.Error(ids)
			}
			ada.must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
		})
	}
}

func TestInvitationOfAFormerMemberIsReceivedByThatAccountOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, ada, eve := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
	f.join(t, f.home, ada, "Guest")
	member := ""
	for _, one := range f.must(t, "GET", f.home+"/member", "", http.StatusOK).list(t, "data") {
		if record, _ := one.(map[string]any); record["user"] == ada.user.ID.String() {
			member, _ = record["id"].(string)
		}
	}
	f.must(t, "PATCH", f.home+"/member/"+member, `{"email":"eve@example.com"}`, http.StatusOK)
	f.must(t, "DELETE", f.home+"/member/"+member, `{}`, http.StatusOK)
	f.invite(t, f.home, "Guest", "eve@example.com")
	if _, ids := eve.received(t); len(ids) != 0 {
		t.Error(ids)
	}
	eve.must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusConflict)
}
