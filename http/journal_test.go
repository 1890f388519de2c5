package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/messages"
)

func TestJournalIsPagedAndFiltered(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		manager := b.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, manager, "Manager")
		ada := f.NewHolder(t, "Ada")
		f.Issue(t, ada, "1")
		manager.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "2"), http.StatusCreated)
		types := func(query string) string {
			var found []string
			for page := f.Must(t, "GET", f.Home+"/journal?limit=3"+query, "", 200); ; {
				for _, entry := range page.List(t, "data") {
					fields, _ := entry.(map[string]any)
					found = append(found, fields["type"].(string))
				}
				next, more := page.Get(t, "nextCursor").(string)
				if !more {
					return strings.Join(found, ", ")
				}
				f.Issue(t, ada, "1") // events recorded in between are absent from later pages
				page = f.Must(t, "GET", f.Home+"/journal?limit=3"+query+"&cursor="+next, "", 200)
			}
		}
		if got := types(""); got != "shareholdingIssued, shareholdingIssued, memberAdded, memberClaimed, memberAdded, securityCreated, memberAdded, organizationCreated" { //nolint:dupword // events repeat
			t.Errorf("the journal is %s", got)
		}
		if got := types("&by=" + manager.User.ID.String()); got != "shareholdingIssued, memberClaimed" {
			t.Errorf("the events of the manager are %s", got)
		}
		if got := types("&type=memberAdded"); got != "memberAdded, memberAdded, memberAdded" { //nolint:dupword // events repeat
			t.Errorf("the events of one type are %s", got)
		}
		if got := types("&knownAt=2"); got != "memberAdded, organizationCreated" {
			t.Errorf("the events up to the second are %s", got)
		}
		if got := types("&knownAt=2"); got != "memberAdded, organizationCreated" {
			t.Errorf("the events up to the second are %s", got)
		}
		tag := f.Must(t, "GET", f.Home+"/journal", "", 200).Header.Get("ETag")
		f.Must(t, "GET", f.Home+"/journal", "", http.StatusNotModified, "If-None-Match", tag)
		f.Must(t, "GET", f.Home+"/journal?type=a+b", "", http.StatusBadRequest)
	})
}

func TestJournalProofIsVerifiable(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.Issue(t, f.NewHolder(t, "Ada & <Söhne>"), "1")
		got := f.Must(t, "GET", f.Home+"/journal/proof", "", 200)
		header, err := messages.CheckProof(strings.NewReader(got.Body))
		if err != nil {
			t.Fatal(err)
		}
		head := f.Must(t, "GET", f.Home+"/journal?limit=1", "", 200).List(t, "data")[0].(map[string]any)
		if header.Rows != 5 || header.Hash != head["hash"] || header.Name != "Analytical Engines" || header.Organization.String() != f.ID {
			t.Errorf("the header is %+v; the last event of the journal is %v", header, head)
		}
		if name := got.Header.Get("Content-Disposition"); name != `attachment; filename="Analytical Engines journal 5.jsonl"` {
			t.Errorf("the content disposition is %s", name)
		}
		if _, err := messages.CheckProof(strings.NewReader(strings.Replace(got.Body, `"shares":"1"`, `"shares":"9"`, 1))); err == nil {
			t.Error("a changed proof is accepted")
		}
		f.Must(t, "GET", f.Home+"/journal/proof", "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))
	})
}
