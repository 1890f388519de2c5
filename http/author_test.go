package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/organization"
)

// authorsOf returns the authors with the ids as the caller sees them, each with its kind.
func authorsOf(t *testing.T, c *apitest.Client, home string, ids ...string) string {
	t.Helper()
	var found []string
	got := c.Must(t, "GET", home+"/author?ids="+url.QueryEscape(strings.Join(ids, ",")), "", http.StatusOK)
	for _, each := range got.List(t, "data") {
		one, _ := each.(map[string]any)
		found = append(found, one["name"].(string)+" "+one["kind"].(string))
	}
	return strings.Join(found, ", ")
}

func TestAuthorsHaveTheirNames(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		manager, holder, auditor := b.NewPerson(t, "manager@example.com"), b.NewPerson(t, "holder@example.com"), b.NewPerson(t, "auditor@example.com")
		member := f.Join(t, f.Home, manager, "Manager")
		f.Join(t, f.Home, holder)
		f.Must(t, "POST", f.Home+"/role", `{"name":"Reader","permissions":["viewOrganization","viewCapTable"]}`, http.StatusCreated)
		f.Join(t, f.Home, auditor, "Reader")
		f.Must(t, "PATCH", f.Home+"/member/"+member, `{"fullName":"Grace Hopper","roles":[]}`, http.StatusOK)
		id := manager.User.ID.String()

		if got := authorsOf(t, f.Client, f.Home, id, "system:billing", id, organization.UserID(apitest.NewID()).String()); got != "Grace Hopper member, billing system" {
			t.Errorf("the renamed member without the former role: the authors are %s", got)
		}
		if got := authorsOf(t, auditor, f.Home, id); got != "Grace Hopper member" {
			t.Errorf("a caller without viewMembers: the authors are %s", got)
		}
		if got := authorsOf(t, holder, f.Home, id, holder.User.ID.String()); got != "Ada member" {
			t.Errorf("a caller without the journal: the authors are %s", got)
		}
		f.Must(t, "DELETE", f.Home+"/member/"+member, `{}`, http.StatusOK)
		if got := authorsOf(t, f.Client, f.Home, id); got != "Grace Hopper former" {
			t.Errorf("the removed member: the authors are %s", got)
		}
	})
}

func TestAuthorsAreLimited(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	got := f.Must(t, "GET", f.Home+"/author?ids="+strings.Repeat("a,", 100)+"a", "", http.StatusBadRequest)
	if !strings.Contains(got.Body, `"tooMany"`) || !strings.Contains(got.Body, `"/query/ids"`) {
		t.Errorf("the refusal is %s", got.Body)
	}
}
