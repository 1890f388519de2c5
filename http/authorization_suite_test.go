package http_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// suiteEstate creates an organization with documents in the office suite. The records that it cannot have there are unknown ids.
func suiteEstate(tb testing.TB, b *apitest.Server, name string) *estate {
	tb.Helper()
	e := &estate{
		Firm: inOfficeSuite(tb, b.NewFirm(tb, name+"@example.com")), name: name, holder: b.NewPerson(tb, name+".holder@example.com"),
	}
	member := e.Join(tb, e.Home, e.holder, "Guest")
	unknown := e.ID
	e.ids = map[string]string{"organization": e.ID, "member": member, "profile": e.holder.Holder, "entity": e.holder.Holder, "share": unknown}
	maps.Copy(e.ids, map[string]string{
		"document":     apitest.TextOf(e.PutDocument(tb, e.Home, name+".txt", name), "id"),
		"parentFolder": e.NewFolder(tb, e.Home, name+" folder", ""),
		"file": e.Upload(
			tb, e.Home+"/file", http.StatusCreated, []apitest.File{{Name: name + ".png", Content: "png"}},
		).Text(tb, "id"),
		"name": "Plan.txt",
	})
	return e
}

// TestEveryCallerReceivesTheContractVerdictInTheOfficeSuite runs every operation on documents as every kind of caller. A function that the
// office suite does not have is refused for all callers that the permission of the contract admits.
func TestEveryCallerReceivesTheContractVerdictInTheOfficeSuite(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := suiteEstate(t, b, "zenobia")
	callers, supported := e.callers(t), 0
	missing := func(got apitest.Answer) bool {
		return got.Status == http.StatusConflict && strings.Contains(got.Body, `"code":"notInOfficeSuite"`)
	}
	for _, d := range declaredOperations(b.Contract) {
		if d.tag != "document" || d.permission == "public" {
			continue
		}
		request := e.wish(t, &d)
		absent := missing(request.as(t, e.Client))
		if !absent {
			supported++
		}
		for _, person := range callers {
			got, want := request.as(t, person.Copy()), d.verdict(&person.standing)
			if absent && missing(got) && person.member && rights()[d.permission](&person.standing, &d) {
				continue
			}
			if !want.fits(&d, got) {
				t.Errorf("%s at %s (%s): status %d does not fit %s: %s", person.claim, d.id, d.permission, got.Status, want, got.Body)
			}
		}
	}
	if supported == 0 {
		t.Error("the office suite has no operation")
	}
}
