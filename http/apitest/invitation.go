package apitest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// Invite invites the addresses with the role.
func (c *Client) Invite(t *testing.T, home, role string, emails ...string) Answer {
	t.Helper()
	return c.Must(t, "POST", home+"/member/invite", `{"emails":["`+strings.Join(emails, `","`)+`"],"roles":["`+role+`"],"message":"Welcome.\nO."}`, http.StatusOK)
}

// InvitationOutcome returns the outcome and the member of a single invitation.
func (a Answer) InvitationOutcome(t *testing.T) (outcome, member string) {
	t.Helper()
	results, _ := a.Get(t, "results").([]any)
	if len(results) != 1 {
		t.Fatal(a.Body)
	}
	one, _ := results[0].(map[string]any)
	outcome, _ = one["outcome"].(string)
	member, _ = one["member"].(string)
	return outcome, member
}

// InvitationAnswer returns the body that answers the newest invitation to the address.
func (b *Server) InvitationAnswer(t *testing.T, email string) string {
	t.Helper()
	mail := b.NewestMail(t, email)
	found := regexp.MustCompile(`https://equity\.example\.com/invitation\?token=([\w-]{64})\n`).FindStringSubmatch(mail.Text)
	if found == nil || !strings.Contains(mail.HTML, "token="+found[1]) {
		t.Fatalf("no link in %s", mail.Text)
	}
	return `{"token":"` + found[1] + `"}`
}

// AcceptPath and DeclinePath answer an invitation.
const (
	AcceptPath  = "/v1/invitation/accept"
	DeclinePath = "/v1/invitation/decline"
)

// NewEditor returns a member who may edit the organization and has the further permissions, which begin with a comma.
func (f *Firm) NewEditor(t *testing.T, permissions string) (editor *Client, member string) {
	t.Helper()
	const name = "Editor"
	editor = f.NewPerson(t, "editor@example.com")
	f.Must(t, "POST", f.Home+"/role", `{"name":"`+name+`","permissions":["editOrganizationDetails"`+permissions+`]}`, http.StatusCreated)
	return editor, f.Join(t, f.Home, editor, name)
}
