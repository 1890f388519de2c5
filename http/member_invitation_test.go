package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

func TestAcceptedInvitationMakesAMember(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner, ada, eve := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
		home := owner.NewOrganization(t)
		outcome, member := owner.Invite(t, home, "Investor", "Ada@Example.com").InvitationOutcome(t)
		if outcome != "sent" || member == "" {
			t.Errorf("%s %s", outcome, member)
		}
		mail := b.NewestMail(t, "Ada@Example.com")
		if mail.Subject != `Invitation to "Analytical Engines"` || !strings.Contains(mail.Text, "as Investor") || !strings.Contains(mail.Text, "> Welcome.\n> O.\n") {
			t.Errorf("%s\n%s", mail.Subject, mail.Text)
		}
		ada.Must(t, "GET", home+"/captable", "", http.StatusForbidden)
		token := b.InvitationAnswer(t, "Ada@Example.com")
		b.Anonymous().Must(t, "POST", apitest.AcceptPath, token, http.StatusUnauthorized)
		got := ada.Must(t, "POST", apitest.AcceptPath, token, http.StatusOK)
		if got.Text(t, "name") != "Analytical Engines" || !strings.Contains(got.Body, `"roles":["Investor"]`) {
			t.Error(got.Body)
		}
		ada.Must(t, "GET", home+"/captable", "", http.StatusOK)
		if got := owner.Must(
			t, "GET", home+"/member/"+member, "", 200,
		); got.Text(t, "status") != "joined" || got.Text(t, "fullName") != "Ada Lovelace" ||
			got.Text(t, "email") != "Ada@Example.com" || got.Text(t, "user") != ada.User.ID.String() {
			t.Error(got.Body)
		}
		eve.Must(t, "POST", apitest.AcceptPath, token, http.StatusNotFound)
		b.Anonymous().Must(t, "POST", apitest.DeclinePath, token, http.StatusNotFound)
		if journal := owner.Must(t, "GET", home+"/journal", "", 200); strings.Contains(journal.Body, strings.Split(token, `"`)[3]) || strings.Contains(strings.ToLower(journal.Body), "ada@example.com") {
			t.Errorf("the journal contains the token or the address: %s", journal.Body)
		}
	})
}

func TestInvitationIsRepeatedWithinLimits(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		_, member := owner.Invite(t, home, "Guest", "ada@example.com").InvitationOutcome(t)
		first := b.InvitationAnswer(t, "ada@example.com")
		if outcome, same := owner.Invite(t, home, "Guest", "ADA@example.com").InvitationOutcome(t); outcome != "tooSoon" || same != member {
			t.Errorf("%s %s", outcome, same)
		}
		if got := len(b.Mails(t, "ada@example.com")) + len(b.Mails(t, "ADA@example.com")); got != 1 {
			t.Errorf("%d mails", got)
		}
		b.Clock.Advance(time.Hour)
		if outcome, same := owner.Invite(t, home, "Guest", "ada@example.com").InvitationOutcome(t); outcome != "sent" || same != member {
			t.Errorf("%s %s", outcome, same)
		}
		ada := b.NewPerson(t, "ada@example.com")
		ada.Must(t, "POST", apitest.AcceptPath, first, http.StatusNotFound)
		ada.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "ada@example.com"), http.StatusOK)
		for _, email := range []string{"ada@example.com", "owner@example.com"} {
			if outcome, _ := owner.Invite(t, home, "Guest", email).InvitationOutcome(t); outcome != "member" {
				t.Errorf("%s: %s", email, outcome)
			}
		}
		b.Clock.Advance(time.Hour)
		if got := owner.Must(t, "GET", home+"/member/"+member, "", 200); got.Get(t, "invitation", "times") != float64(2) {
			t.Error(got.Body)
		}
	})
}

// A sender with many organizations must not flood an address with invitations.
func TestInvitationsToOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	mallory := b.NewPerson(t, "mallory@example.com")
	for n := range 11 {
		home := mallory.NewOrganization(t)
		outcome, member := mallory.Invite(t, home, "Guest", []string{"ada@example.com", "ADA@example.com"}[n%2]).InvitationOutcome(t)
		if want := n < 10; (outcome == "sent") != want || (member != "") != want {
			t.Errorf("%d: %s %q", n, outcome, member)
		}
	}
	if outcome, _ := mallory.Invite(t, mallory.NewOrganization(t), "Guest", "bob@example.com").InvitationOutcome(t); outcome != "sent" {
		t.Errorf("another address: %s", outcome)
	}
	b.Clock.Advance(24 * time.Hour)
	if outcome, _ := mallory.Invite(t, mallory.NewOrganization(t), "Guest", "ada@example.com").InvitationOutcome(t); outcome != "sent" {
		t.Errorf("a day later: %s", outcome)
	}
}

func TestInvitationIsDeclinedWithoutAnAccount(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	_, member := owner.Invite(t, home, "Guest", "ada@example.com").InvitationOutcome(t)
	token := b.InvitationAnswer(t, "ada@example.com")
	b.Anonymous().Must(t, "POST", apitest.DeclinePath, token, http.StatusNoContent)
	if got := owner.Must(t, "GET", home+"/member/"+member, "", 200); got.Text(t, "status") != "removed" {
		t.Error(got.Body)
	}
	b.NewPerson(t, "ada@example.com").Must(t, "POST", apitest.AcceptPath, token, http.StatusNotFound)
}

func TestOnlyAcceptedRequestsSendInvitationsAndOnlyOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, guest := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, guest, "Manager")
	const body = `{"emails":["ada@example.com"],"roles":["Guest"]}`
	owner.Must(t, "POST", home+"/member/invite?dryRun=true", body, http.StatusOK)
	guest.Must(t, "POST", home+"/member/invite", strings.Replace(body, "Guest", "Owner", 1), http.StatusForbidden)
	owner.Must(t, "POST", home+"/member/invite", strings.Replace(body, "Guest", "Emperor", 1), http.StatusBadRequest)
	owner.Must(t, "POST", home+"/member/invite", `{"emails":["a@example.com","A@example.com"],"roles":[]}`, http.StatusBadRequest)
	owner.Must(t, "POST", home+"/member/invite", `{"emails":["a@example.com\nBcc: b@example.com"],"roles":[]}`, http.StatusBadRequest)
	if mails := b.Mails(t, "ada@example.com"); len(mails) != 0 {
		t.Errorf("%+v", mails)
	}
	first := owner.Must(t, "POST", home+"/member/invite", body, http.StatusOK, "Idempotency-Key", "k")
	again := owner.Must(t, "POST", home+"/member/invite", body, http.StatusOK, "Idempotency-Key", "k")
	if first.Body != again.Body || len(b.Mails(t, "ada@example.com")) != 1 {
		t.Errorf("%s %s %d", first.Body, again.Body, len(b.Mails(t, "ada@example.com")))
	}
}

func TestUnknownInvitationTokensAreNotFound(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	for _, token := range []string{"x", "!", strings.Repeat("A", 64), strings.Repeat("A", 63)} {
		ada.Must(t, "POST", apitest.AcceptPath, `{"token":"`+token+`"}`, http.StatusNotFound)
		b.Anonymous().Must(t, "POST", apitest.DeclinePath, `{"token":"`+token+`"}`, http.StatusNotFound)
	}
}

// An invitation sent to a mistyped address must not stay valid for the owner of that address.
func TestInvitationEndsWhenTheAddressChanges(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, grace := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "grace@example.com")
		_, id := f.Invite(t, f.Home, "Guest", "grcae@example.com").InvitationOutcome(t)
		mistyped, member := b.InvitationAnswer(t, "grcae@example.com"), f.Home+"/member/"+id
		f.Must(t, "PATCH", member, `{"email":"GRCAE@example.com","title":"Guest"}`, http.StatusOK)
		upload := func(rows string) {
			t.Helper()
			body, kind := spreadsheet(t, "members.csv", rows)
			f.Must(t, "POST", "/v1/organization/member/upload?organization="+f.ID, body, http.StatusCreated, "Content-Type", kind)
		}
		upload("fullName,email,externalId\nGrace,grcae@example.com,g\n")
		b.Anonymous().Must(t, "POST", "/v1/invitation/read", mistyped, http.StatusOK)
		f.Must(t, "PATCH", member, `{"email":"grace@example.com"}`, http.StatusOK)
		b.Anonymous().Must(t, "POST", "/v1/invitation/read", mistyped, http.StatusNotFound)
		if outcome, again := f.Invite(t, f.Home, "Guest", "grace@example.com").InvitationOutcome(t); outcome != "sent" || again != id {
			t.Errorf("%s %s", outcome, again)
		}
		second := b.InvitationAnswer(t, "grace@example.com")
		upload("fullName,email,externalId\nGrace,hopper@example.com,g\n")
		b.Anonymous().Must(t, "POST", "/v1/invitation/read", second, http.StatusNotFound)
		f.Invite(t, f.Home, "Guest", "hopper@example.com")
		grace.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "hopper@example.com"), http.StatusOK)
	})
}
