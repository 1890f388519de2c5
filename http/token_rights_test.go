package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// promotedUser is a user who created a token as a member of one role and then received another one.
func promotedUser(t *testing.T, f *apitest.Firm, more ...string) (p *program, user *apitest.Client, become func(role string)) {
	t.Helper()
	user = f.NewPerson(t, "legal@example.com")
	f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["viewOrganization","viewMembers","editMembers"]}`, http.StatusCreated)
	member := f.Join(t, f.Home, user, "Clerk")
	return newProgram(t, user, `"read","write"`, more...), user, func(role string) {
		t.Helper()
		f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["`+role+`"]}`, http.StatusOK)
	}
}

func TestTokenKeepsTheBoundOfItsCreation(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		hidden := apitest.TextOf(f.PutDocument(t, f.Home, "Hidden.txt", "x"), "id")
		f.Must(t, "PUT", f.Home+"/document/"+hidden+"/access", `{"mode":"restricted"}`, http.StatusOK)
		p, user, become := promotedUser(t, f)
		p.gets(t, "GET", f.Home+"/member", "", http.StatusOK, "")
		become("Owner")
		user.Must(t, "GET", f.Home+"/captable", "", http.StatusOK)
		if got := user.Must(t, "GET", f.Home+"/document", "", http.StatusOK); !strings.Contains(got.Body, "Hidden.txt") {
			t.Error(got.Body)
		}
		p.gets(t, "GET", f.Home+"/captable", "", http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.Home, "", http.StatusOK, ""); strings.Contains(got.Body, "editBilling") || strings.Contains(got.Body, `"Owner"`) {
			t.Error(got.Body)
		}
		p.gets(t, "POST", f.Home+"/role", `{"name":"All","permissions":["editBilling"]}`, http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.Home+"/document", "", http.StatusOK, ""); strings.Contains(got.Body, "Hidden.txt") {
			t.Error(got.Body)
		}
		become("Guest")
		p.gets(t, "GET", f.Home+"/captable", "", http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.Home+"/member", "", http.StatusForbidden, ""); strings.Contains(got.Body, "owner@example.com") {
			t.Error(got.Body)
		}
	})
}

func TestTokenForAllOrganizationsReachesLaterOnes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	p := newProgram(t, owner, `"read"`)
	home := owner.NewOrganization(t)
	p.gets(t, "GET", home+"/captable", "", http.StatusOK, "")
}

func TestGrantOfOAuthKeepsTheBoundOfItsConsent(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	_, user, become := promotedUser(t, f)
	access, _ := newOAuthClient(t, user).tokens(t)
	become("Owner")
	session := connectMCP(t, b, access)
	calls(t, session, "listMembers", map[string]any{"organization": f.ID}, false)
	calls(t, session, "exportCapTable", map[string]any{"organization": f.ID}, true)
}
