package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/messages"
)

func TestJournalIsPagedAndFiltered(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		manager := b.person(t, "manager@example.com")
		f.join(t, f.home, manager, "Manager")
		ada := f.holder(t, "Ada")
		f.issue(t, ada, "1")
		manager.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "2"), http.StatusCreated)
		types := func(query string) string {
			var found []string
			for page := f.must(t, "GET", f.home+"/journal?limit=3"+query, "", 200); ; {
				for _, entry := range page.list(t, "data") {
					fields, _ := entry.(map[string]any)
					found = append(found, fields["type"].(string))
				}
				next, more := page.get(t, "nextCursor").(string)
				if !more {
					return strings.Join(found, ", ")
				}
				f.issue(t, ada, "1") // events recorded in between are absent from later pages
				page = f.must(t, "GET", f.home+"/journal?limit=3"+query+"&cursor="+next, "", 200)
			}
		}
		if got := types(""); got != "shareholdingIssued, shareholdingIssued, memberAdded, memberClaimed, memberAdded, securityCreated, memberAdded, organizationCreated" { //nolint:dupword // events repeat
			t.Errorf("the journal is %s", got)
		}
		if got := types("&by=" + manager.user.ID.String()); got != "shareholdingIssued, memberClaimed" {
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
		tag := f.must(t, "GET", f.home+"/journal", "", 200).header.Get("ETag")
		f.must(t, "GET", f.home+"/journal", "", http.StatusNotModified, "If-None-Match", tag)
		f.must(t, "GET", f.home+"/journal?type=a+b", "", http.StatusBadRequest)
	})
}

func TestJournalProofIsVerifiable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.issue(t, f.holder(t, "Ada & <Söhne>"), "1")
		got := f.must(t, "GET", f.home+"/journal/proof", "", 200)
		header, err := messages.CheckProof(strings.NewReader(got.body))
		if err != nil {
			t.Fatal(err)
		}
		head := f.must(t, "GET", f.home+"/journal?limit=1", "", 200).list(t, "data")[0].(map[string]any)
		if header.Rows != 5 || header.Hash != head["hash"] || header.Name != "Analytical Engines" || header.Organization.String() != f.id {
			t.Errorf("the header is %+v; the last event of the journal is %v", header, head)
		}
		if name := got.header.Get("Content-Disposition"); name != `attachment; filename="Analytical Engines journal 5.jsonl"` {
			t.Errorf("the content disposition is %s", name)
		}
		if _, err := messages.CheckProof(strings.NewReader(strings.Replace(got.body, `"shares":"1"`, `"shares":"9"`, 1))); err == nil {
			t.Error("a changed proof is accepted")
		}
		f.must(t, "GET", f.home+"/journal/proof", "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))
	})
}
