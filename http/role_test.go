package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestBuiltInRolesAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	got := owner.must(t, "GET", home+"/role", "", http.StatusOK)
	for _, name := range []string{"Owner", "Manager", "Legal", "Auditor", "Investor", "Signatory", "Guest"} {
		if !strings.Contains(got.body, `"name":"`+name+`"`) {
			t.Errorf("no role %s: %s", name, got.body)
		}
	}
	owner.must(t, "GET", home+"/role", "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))
}

//nolint:tparallel // one scenario builds on another
func TestRoles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, manager, guest := b.person(t, "owner@example.com"), b.person(t, "manager@example.com"), b.person(t, "guest@example.com")
	home := owner.company(t)
	owner.join(t, home, manager, "Manager")
	guestID := owner.join(t, home, guest, "Guest")
	const body = `{"name":"Observer","description":"Looks.","permissions":["viewCapTable","viewSelf"]}`
	owner.must(t, "POST", home+"/role?dryRun=true", body, http.StatusOK)
	made := owner.must(t, "POST", home+"/role", body, http.StatusCreated)
	at := made.header.Get("Location")
	run(t, []scenario{
		{claim: "are read", as: guest, method: "GET", path: at, status: 200, has: []string{`"permissions":["viewCapTable","viewSelf"]`, `"builtIn":false`, `"version"`}},
		{claim: "are listed behind the built-in ones", as: guest, method: "GET", path: home + "/role", status: 200, has: []string{`"Observer"`, `"Owner"`}},
		{claim: "have a name of their own", as: owner, method: "POST", path: home + "/role", body: body, status: 409, has: []string{`"conflict"`}},
		{
			claim: "permit what there is, and at least something", as: owner, method: "POST", path: home + "/role",
			body: `{"name":"X","permissions":["fly"]}`, status: 400, has: []string{`"/permissions/0"`},
		},
		{claim: "want a permission", as: owner, method: "POST", path: home + "/role", body: `{"name":"X","permissions":[]}`, status: 400, has: []string{`"/permissions"`}},
		{claim: "are not made by a guest", as: guest, method: "POST", path: home + "/role", body: body, status: 403},
		{
			claim: "permit no more than their maker may", as: manager, method: "POST", path: home + "/role",
			body: `{"name":"Y","permissions":["editBilling"]}`, status: 403, has: []string{`"forbidden"`, `"missing":"editBilling"`},
		},
		{
			claim: "that permit more are not taken by a manager", as: manager, method: "PATCH", path: home + "/member/" + guestID,
			body: `{"roles":["Owner"]}`, status: 403, has: []string{`"forbidden"`},
		},
		{claim: "that are given permit at once", as: owner, method: "PATCH", path: home + "/member/" + guestID, body: `{"roles":["Observer"]}`, status: 200},
		{claim: "such as reading the cap table", as: guest, method: "GET", path: home + "/captable", status: 200},
		{claim: "that somebody has stay", as: owner, method: "DELETE", path: at, status: 409, has: []string{`"inUse"`, guestID}},
		{claim: "change by If-Match only as they were read", as: owner, method: "PUT", path: at, body: body, headers: []string{"If-Match", `"1"`}, status: 412},
		{
			claim: "change for whoever has them", as: owner, method: "PUT", path: at, body: `{"name":"Watcher","permissions":["viewSelf"]}`, status: 200,
			has: []string{`"Watcher"`},
		},
		{claim: "name and all", as: owner, method: "GET", path: home + "/member/" + guestID, status: 200, has: []string{`"roles":["Watcher"]`}},
		{claim: "at once", as: guest, method: "GET", path: home + "/captable", status: 403},
		{claim: "go when nobody has them", as: owner, method: "PATCH", path: home + "/member/" + guestID, body: `{"roles":["Guest"]}`, status: 200},
		{claim: "and are gone", as: owner, method: "DELETE", path: at, status: 204},
		{claim: "for good", as: owner, method: "GET", path: at, status: 404},
	})
	if got := owner.must(t, "GET", home+"/journal?type=roleDeleted", "", http.StatusOK); !strings.Contains(got.body, "roleDeleted") {
		t.Error(got.body)
	}
}
