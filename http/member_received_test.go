package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

const receivedPath = "/v1/invitation/received"

// receivedInvitations returns the organizations of the received invitations in the order of the list, and the ids of the invitations.
func receivedInvitations(t *testing.T, c *apitest.Client) (organizations, ids []string) {
	t.Helper()
	records, _ := readPages(t, c, receivedPath, "data", 1)
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
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner, ada, eve := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
		first, second := owner.NewOrganization(t), owner.NewOrganization(t)
		_, member := owner.Invite(t, first, "Investor", "Ada@Example.com").InvitationOutcome(t)
		owner.Invite(t, second, "Guest", "ada@example.com")
		token := strings.Split(b.InvitationAnswer(t, "Ada@Example.com"), `"`)[3]
		got := ada.Must(t, "GET", receivedPath, "", http.StatusOK)
		if !strings.Contains(got.Body, `"id":"`+member+`","organization":{"id":"`+apitest.IDOf(first)+`","name":"Analytical Engines"},"roles":["Investor"],"inviter":"Ada Lovelace","sentAt":"`) ||
			strings.Contains(got.Body, token) || got.Header.Get("Cache-Control") != "no-store" {
			t.Error(got.Body, got.Header)
		}
		if organizations, _ := receivedInvitations(t, ada); len(organizations) != 2 || organizations[0] != apitest.IDOf(first) || organizations[1] != apitest.IDOf(second) {
			t.Error(organizations)
		}
		for _, other := range []*apitest.Client{eve, owner} {
			if organizations, _ := receivedInvitations(t, other); len(organizations) != 0 {
				t.Errorf("others read %v", organizations)
			}
			other.Must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
			other.Must(t, "POST", receivedPath+"/"+member+"/decline", "", http.StatusNotFound)
		}
		joined := ada.Must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusOK)
		if joined.Text(t, "id") != apitest.IDOf(first) || !strings.Contains(joined.Body, `"roles":["Investor"]`) {
			t.Error(joined.Body)
		}
		ada.Must(t, "GET", first+"/captable", "", http.StatusOK)
		ada.Must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
		ada.Must(t, "POST", apitest.AcceptPath, `{"token":"`+token+`"}`, http.StatusNotFound)
		if organizations, _ := receivedInvitations(t, ada); len(organizations) != 1 || organizations[0] != apitest.IDOf(second) {
			t.Error(organizations)
		}
	})
}

func TestReceivedInvitationIsDeclined(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, ada := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
	home := owner.NewOrganization(t)
	_, member := owner.Invite(t, home, "Guest", "ada@example.com").InvitationOutcome(t)
	ada.Must(t, "POST", receivedPath+"/"+member+"/decline", "", http.StatusNoContent)
	if got := owner.Must(t, "GET", home+"/member/"+member, "", 200); got.Text(t, "status") != "removed" {
		t.Error(got.Body)
	}
	if organizations, _ := receivedInvitations(t, ada); len(organizations) != 0 {
		t.Error(organizations)
	}
}

// The list has exactly the invitations that their recipient can accept.
func TestEndedInvitationsAreNotReceived(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, b *apitest.Server, f *apitest.Firm, member string){
		"withdrawn": func(t *testing.T, _ *apitest.Server, f *apitest.Firm, member string) {
			t.Helper()
			f.Must(t, "DELETE", f.Home+"/member/"+member, `{}`, http.StatusOK)
		},
		"readdressed": func(t *testing.T, _ *apitest.Server, f *apitest.Firm, member string) {
			t.Helper()
			f.Must(t, "PATCH", f.Home+"/member/"+member, `{"email":"grace@example.com"}`, http.StatusOK)
		},
		"expired": func(t *testing.T, b *apitest.Server, _ *apitest.Firm, _ string) {
			t.Helper()
			b.Clock.Advance(14 * 24 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := apitest.Setup(t)
			f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
			_, member := f.Invite(t, f.Home, "Guest", "ada@example.com").InvitationOutcome(t)
			if _, ids := receivedInvitations(t, ada); len(ids) != 1 || ids[0] != member {
				t.Error(ids)
			}
			end(t, b, f, member)
			ada = ada.SignInAgain(t, apitest.Password, http.StatusOK)
			if _, ids := receivedInvitations(t, ada); len(ids) != 0 {
				t.Error(ids)
			}
			ada.Must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusNotFound)
		})
	}
}

func TestInvitationOfAFormerMemberIsReceivedByThatAccountOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, ada, eve := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
	f.Join(t, f.Home, ada, "Guest")
	member := ""
	for _, one := range f.Must(t, "GET", f.Home+"/member", "", http.StatusOK).List(t, "data") {
		if record, _ := one.(map[string]any); record["user"] == ada.User.ID.String() {
			member, _ = record["id"].(string)
		}
	}
	f.Must(t, "PATCH", f.Home+"/member/"+member, `{"email":"eve@example.com"}`, http.StatusOK)
	f.Must(t, "DELETE", f.Home+"/member/"+member, `{}`, http.StatusOK)
	f.Invite(t, f.Home, "Guest", "eve@example.com")
	if _, ids := receivedInvitations(t, eve); len(ids) != 0 {
		t.Error(ids)
	}
	eve.Must(t, "POST", receivedPath+"/"+member+"/accept", "", http.StatusConflict)
}
