package http_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// suiteEstate creates an organization with documents in the office suite. The records that it cannot have there are unknown ids.
func (b *bundle) suiteEstate(tb testing.TB, name string) *estate {
	tb.Helper()
	e := &estate{firm: b.firm(tb, name+"@example.com").inOfficeSuite(tb), name: name, holder: b.person(tb, name+".holder@example.com")}
	member := e.join(tb, e.home, e.holder, "Guest")
	unknown := e.id
	e.ids = map[string]string{"organization": e.id, "member": member, "profile": e.holder.holder, "entity": e.holder.holder, "share": unknown}
	maps.Copy(e.ids, map[string]string{
		"document":     textOf(e.put(tb, e.home, name+".txt", name), "id"),
		"parentFolder": e.folder(tb, e.home, name+" folder", ""),
		"file":         e.store(tb, e.home+"/file", http.StatusCreated, []upload{{name + ".png", "png"}}).text(tb, "id"),
		"name":         "Plan.txt",
	})
	return e
}

// TestEveryCallerReceivesTheContractVerdictInTheOfficeSuite runs every operation on documents as every kind of caller. A function that the
// office suite does not have is refused for all callers that the permission of the contract admits.
func TestEveryCallerReceivesTheContractVerdictInTheOfficeSuite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.suiteEstate(t, "zenobia")
	callers, supported := e.callers(t), 0
	missing := func(got answer) bool {
		return got.status == http.StatusConflict && strings.Contains(got.body, `"code":"notInOfficeSuite"`)
	}
	for _, d := range b.contract.all() {
		if d.tag != "document" || d.permission == "public" {
			continue
		}
		request := e.wish(t, &d)
		absent := missing(request.as(t, e.client))
		if !absent {
			supported++
		}
		for _, person := range callers {
			got, want := request.as(t, person.copy()), d.verdict(&person.standing)
			if absent && missing(got) && person.member && rights()[d.permission](&person.standing, &d) {
				continue
			}
			if !want.fits(&d, got) {
				t.Errorf("%s at %s (%s): status %d does not fit %s: %s", person.claim, d.id, d.permission, got.status, want, got.body)
			}
		}
	}
	if supported == 0 {
		t.Error("the office suite has no operation")
	}
}
