package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// promoted is a user who created a token as a member of one role and then received another one.
func (f *firm) promoted(t *testing.T, more ...string) (p *program, user *client, become func(role string)) {
	t.Helper()
	user = f.person(t, "legal@example.com")
	f.must(t, "POST", f.home+"/role", `{"name":"Clerk","permissions":["viewOrganization","viewMembers","editMembers"]}`, http.StatusCreated)
	member := f.join(t, f.home, user, "Clerk")
	return user.program(t, `"read","write"`, more...), user, func(role string) {
		t.Helper()
		f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["`+role+`"]}`, http.StatusOK)
	}
}

func TestTokenKeepsTheBoundOfItsCreation(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		hidden := textOf(f.put(t, f.home, "Hidden.txt", "x"), "id")
		f.must(t, "PUT", f.home+"/document/"+hidden+"/access", `{"mode":"restricted"}`, http.StatusOK)
		p, user, become := f.promoted(t)
		p.gets(t, "GET", f.home+"/member", "", http.StatusOK, "")
		become("Owner")
		user.must(t, "GET", f.home+"/captable", "", http.StatusOK)
		if got := user.must(t, "GET", f.home+"/document", "", http.StatusOK); !strings.Contains(got.body, "Hidden.txt") {
			t.Error(got.body)
		}
		p.gets(t, "GET", f.home+"/captable", "", http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.home, "", http.StatusOK, ""); strings.Contains(got.body, "editBilling") || strings.Contains(got.body, `"Owner"`) {
			t.Error(got.body)
		}
		p.gets(t, "POST", f.home+"/role", `{"name":"All","permissions":["editBilling"]}`, http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.home+"/document", "", http.StatusOK, ""); strings.Contains(got.body, "Hidden.txt") {
			t.Error(got.body)
		}
		become("Guest")
		p.gets(t, "GET", f.home+"/captable", "", http.StatusForbidden, "")
		if got := p.gets(t, "GET", f.home+"/member", "", http.StatusForbidden, ""); strings.Contains(got.body, "owner@example.com") {
			t.Error(got.body)
		}
	})
}

func TestTokenForAllOrganizationsReachesLaterOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	p := owner.program(t, `"read"`)
	home := owner.company(t)
	p.gets(t, "GET", home+"/captable", "", http.StatusOK, "")
}

func TestGrantOfOAuthKeepsTheBoundOfItsConsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	_, user, become := f.promoted(t)
	access, _ := user.registeredClient(t).tokens(t)
	become("Owner")
	session := b.connect(t, access)
	calls(t, session, "listMembers", map[string]any{"organization": f.id}, false)
	calls(t, session, "exportCapTable", map[string]any{"organization": f.id}, true)
}
