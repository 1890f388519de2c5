package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/organization"
)

// authors returns the authors with the ids as the caller sees them, each with its kind.
func (c *client) authors(t *testing.T, home string, ids ...string) string {
	t.Helper()
	var found []string
	got := c.must(t, "GET", home+"/author?ids="+url.QueryEscape(strings.Join(ids, ",")), "", http.StatusOK)
	for _, each := range got.list(t, "data") {
		one, _ := each.(map[string]any)
		found = append(found, one["name"].(string)+" "+one["kind"].(string))
	}
	return strings.Join(found, ", ")
}

func TestAuthorsHaveTheirNames(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		manager, holder, auditor := b.person(t, "manager@example.com"), b.person(t, "holder@example.com"), b.person(t, "auditor@example.com")
		member := f.join(t, f.home, manager, "Manager")
		f.join(t, f.home, holder)
		f.must(t, "POST", f.home+"/role", `{"name":"Reader","permissions":["viewOrganization","viewCapTable"]}`, http.StatusCreated)
		f.join(t, f.home, auditor, "Reader")
		f.must(t, "PATCH", f.home+"/member/"+member, `{"fullName":"Grace Hopper","roles":[]}`, http.StatusOK)
		id := manager.user.ID.String()

		if got := f.authors(t, f.home, id, "system:billing", id, organization.UserID(newID()).String()); got != "Grace Hopper member, billing system" {
			t.Errorf("the renamed member without the former role: the authors are %s", got)
		}
		if got := auditor.authors(t, f.home, id); got != "Grace Hopper member" {
			t.Errorf("a caller without viewMembers: the authors are %s", got)
		}
		if got := holder.authors(t, f.home, id, holder.user.ID.String()); got != "Ada member" {
			t.Errorf("a caller without the journal: the authors are %s", got)
		}
		f.must(t, "DELETE", f.home+"/member/"+member, `{}`, http.StatusOK)
		if got := f.authors(t, f.home, id); got != "Grace Hopper former" {
			t.Errorf("the removed member: the authors are %s", got)
		}
	})
}

func TestAuthorsAreLimited(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	got := f.must(t, "GET", f.home+"/author?ids="+strings.Repeat("a,", 100)+"a", "", http.StatusBadRequest)
	if !strings.Contains(got.body, `"tooMany"`) || !strings.Contains(got.body, `"/query/ids"`) {
		t.Errorf("the refusal is %s", got.body)
	}
}
