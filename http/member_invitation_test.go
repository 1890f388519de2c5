package http_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// invite invites the addresses with the role.
func (c *client) invite(t *testing.T, home, role string, emails ...string) answer {
	t.Helper()
	return c.must(t, "POST", home+"/member/invite", `{"emails":["`+strings.Join(emails, `","`)+`"],"roles":["`+role+`"],"message":"Welcome.\nO."}`, http.StatusOK)
}

// outcome returns the outcome and the member of a single invitation.
func (a answer) outcome(t *testing.T) (outcome, member string) {
	t.Helper()
	results, _ := a.get(t, "results").([]any)
	if len(results) != 1 {
		t.Fatal(a.body)
	}
	one, _ := results[0].(map[string]any)
	outcome, _ = one["outcome"].(string)
	member, _ = one["member"].(string)
	return outcome, member
}

// invitedBy returns the body that answers the newest invitation to the address.
func (b *bundle) invitedBy(t *testing.T, email string) string {
	t.Helper()
	mail := b.newest(t, email)
	found := regexp.MustCompile(`https://equity\.example\.com/invitation\?token=([\w-]{64})\n`).FindStringSubmatch(mail.Text)
	if found == nil || !strings.Contains(mail.HTML, "token="+found[1]) {
		t.Fatalf("no link in %s", mail.Text)
	}
	return `{"token":"` + found[1] + `"}`
}

const (
	acceptPath  = "/v1/invitation/accept"
	declinePath = "/v1/invitation/decline"
)

func TestAcceptedInvitationMakesAMember(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner, ada, eve := b.person(t, "owner@example.com"), b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
		home := owner.company(t)
		outcome, member := owner.invite(t, home, "Investor", "Ada@Example.com").outcome(t)
		if outcome != "sent" || member == "" {
			t.Errorf("%s %s", outcome, member)
		}
		mail := b.newest(t, "Ada@Example.com")
		if mail.Subject != `Invitation to "Analytical Engines"` || !strings.Contains(mail.Text, "as Investor") || !strings.Contains(mail.Text, "> Welcome.\n> O.\n") {
			t.Errorf("%s\n%s", mail.Subject, mail.Text)
		}
		ada.must(t, "GET", home+"/captable", "", http.StatusForbidden)
		token := b.invitedBy(t, "Ada@Example.com")
		b.anonymous().must(t, "POST", acceptPath, token, http.StatusUnauthorized)
		got := ada.must(t, "POST", acceptPath, token, http.StatusOK)
		if got.text(t, "name") != "Analytical Engines" || !strings.Contains(got.body, `"roles":["Investor"]`) {
			t.Error(got.body)
		}
		ada.must(t, "GET", home+"/captable", "", http.StatusOK)
		if got := owner.must(
			t, "GET", home+"/member/"+member, "", 200,
		); got.text(t, "status") != "joined" || got.text(t, "fullName") != "Ada Lovelace" ||
			got.text(t, "email") != "Ada@Example.com" || got.text(t, "user") != ada.user.ID.String() {
			t.Error(got.body)
		}
		eve.must(t, "POST", acceptPath, token, http.StatusNotFound)
		b.anonymous().must(t, "POST", declinePath, token, http.StatusNotFound)
		if journal := owner.must(t, "GET", home+"/journal", "", 200); strings.Contains(journal.body, strings.Split(token, `"`)[3]) || strings.Contains(strings.ToLower(journal.body), "ada@example.com") {
			t.Errorf("the journal contains the token or the address: %s", journal.body)
		}
	})
}

func TestInvitationIsRepeatedWithinLimits(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		_, member := owner.invite(t, home, "Guest", "ada@example.com").outcome(t)
		first := b.invitedBy(t, "ada@example.com")
		if outcome, same := owner.invite(t, home, "Guest", "ADA@example.com").outcome(t); outcome != "tooSoon" || same != member {
			t.Errorf("%s %s", outcome, same)
		}
		if got := len(b.mails(t, "ada@example.com")) + len(b.mails(t, "ADA@example.com")); got != 1 {
			t.Errorf("%d mails", got)
		}
		b.clock.advance(time.Hour)
		if outcome, same := owner.invite(t, home, "Guest", "ada@example.com").outcome(t); outcome != "sent" || same != member {
			t.Errorf("%s %s", outcome, same)
		}
		ada := b.person(t, "ada@example.com")
		ada.must(t, "POST", acceptPath, first, http.StatusNotFound)
		ada.must(t, "POST", acceptPath, b.invitedBy(t, "ada@example.com"), http.StatusOK)
		for _, email := range []string{"ada@example.com", "owner@example.com"} {
			if outcome, _ := owner.invite(t, home, "Guest", email).outcome(t); outcome != "member" {
				t.Errorf("%s: %s", email, outcome)
			}
		}
		b.clock.advance(time.Hour)
		if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.get(t, "invitation", "times") != float64(2) {
			t.Error(got.body)
		}
	})
}

// A sender with many organizations must not flood an address with invitations.
func TestInvitationsToOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mallory := b.person(t, "mallory@example.com")
	for n := range 11 {
		home := mallory.company(t)
		outcome, member := mallory.invite(t, home, "Guest", []string{"ada@example.com", "ADA@example.com"}[n%2]).outcome(t)
		if want := n < 10; (outcome == "sent") != want || (member != "") != want {
			t.Errorf("%d: %s %q", n, outcome, member)
		}
	}
	if outcome, _ := mallory.invite(t, mallory.company(t), "Guest", "bob@example.com").outcome(t); outcome != "sent" {
		t.Errorf("another address: %s", outcome)
	}
	b.clock.advance(24 * time.Hour)
	if outcome, _ := mallory.invite(t, mallory.company(t), "Guest", "ada@example.com").outcome(t); outcome != "sent" {
		t.Errorf("a day later: %s", outcome)
	}
}

func TestInvitationIsDeclinedWithoutAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	_, member := owner.invite(t, home, "Guest", "ada@example.com").outcome(t)
	token := b.invitedBy(t, "ada@example.com")
	b.anonymous().must(t, "POST", declinePath, token, http.StatusNoContent)
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "removed" {
		t.Error(got.body)
	}
	b.person(t, "ada@example.com").must(t, "POST", acceptPath, token, http.StatusNotFound)
}

func TestOnlyAcceptedRequestsSendInvitationsAndOnlyOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest := b.person(t, "owner@example.com"), b.person(t, "guest@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Manager")
	const body = `{"emails":["ada@example.com"],"roles":["Guest"]}`
	owner.must(t, "POST", home+"/member/invite?dryRun=true", body, http.StatusOK)
	guest.must(t, "POST", home+"/member/invite", strings.Replace(body, "Guest", "Owner", 1), http.StatusForbidden)
	owner.must(t, "POST", home+"/member/invite", strings.Replace(body, "Guest", "Emperor", 1), http.StatusBadRequest)
	owner.must(t, "POST", home+"/member/invite", `{"emails":["a@example.com","A@example.com"],"roles":[]}`, http.StatusBadRequest)
	owner.must(t, "POST", home+"/member/invite", `{"emails":["a@example.com\nBcc: b@example.com"],"roles":[]}`, http.StatusBadRequest)
	if mails := b.mails(t, "ada@example.com"); len(mails) != 0 {
		t.Errorf("%+v", mails)
	}
	first := owner.must(t, "POST", home+"/member/invite", body, http.StatusOK, "Idempotency-Key", "k")
	again := owner.must(t, "POST", home+"/member/invite", body, http.StatusOK, "Idempotency-Key", "k")
	if first.body != again.body || len(b.mails(t, "ada@example.com")) != 1 {
		t.Errorf("%s %s %d", first.body, again.body, len(b.mails(t, "ada@example.com")))
	}
}

func TestUnknownInvitationTokensAreNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	for _, token := range []string{"x", "!", strings.Repeat("A", 64), strings.Repeat("A", 63)} {
		ada.must(t, "POST", acceptPath, `{"token":"`+token+`"}`, http.StatusNotFound)
		b.anonymous().must(t, "POST", declinePath, `{"token":"`+token+`"}`, http.StatusNotFound)
	}
}

// An invitation sent to a mistyped address must not stay valid for the owner of that address.
func TestInvitationEndsWhenTheAddressChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, grace := b.firm(t, "owner@example.com"), b.person(t, "grace@example.com")
		_, id := f.invite(t, f.home, "Guest", "grcae@example.com").outcome(t)
		mistyped, member := b.invitedBy(t, "grcae@example.com"), f.home+"/member/"+id
		f.must(t, "PATCH", member, `{"email":"GRCAE@example.com","title":"Guest"}`, http.StatusOK)
		upload := func(rows string) {
			t.Helper()
			body, kind := spreadsheet(t, "members.csv", rows)
			f.must(t, "POST", "/v1/organization/member/upload?organization="+f.id, body, http.StatusCreated, "Content-Type", kind)
		}
		upload("fullName,email,externalId\nGrace,grcae@example.com,g\n")
		b.anonymous().must(t, "POST", "/v1/invitation/read", mistyped, http.StatusOK)
		f.must(t, "PATCH", member, `{"email":"grace@example.com"}`, http.StatusOK)
		b.anonymous().must(t, "POST", "/v1/invitation/read", mistyped, http.StatusNotFound)
		if outcome, again := f.invite(t, f.home, "Guest", "grace@example.com").outcome(t); outcome != "sent" || again != id {
			t.Errorf("%s %s", outcome, again)
		}
		second := b.invitedBy(t, "grace@example.com")
		upload("fullName,email,externalId\nGrace,hopper@example.com,g\n")
		b.anonymous().must(t, "POST", "/v1/invitation/read", second, http.StatusNotFound)
		f.invite(t, f.home, "Guest", "hopper@example.com")
		grace.must(t, "POST", acceptPath, b.invitedBy(t, "hopper@example.com"), http.StatusOK)
	})
}
