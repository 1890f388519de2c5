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
func TestRoleLifecycle(t *testing.T) {
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
		{claim: "a role is read", as: guest, method: "GET", path: at, status: 200, has: []string{`"permissions":["viewCapTable","viewSelf"]`, `"builtIn":false`, `"version"`}},
		{claim: "custom roles are listed after the built-in roles", as: guest, method: "GET", path: home + "/role", status: 200, has: []string{`"Observer"`, `"Owner"`}},
		{claim: "a duplicate name is refused", as: owner, method: "POST", path: home + "/role", body: body, status: 409, has: []string{`"conflict"`}},
		{
			claim: "an unknown permission is refused", as: owner, method: "POST", path: home + "/role",
			body: `{"name":"X","permissions":["fly"]}`, status: 400, has: []string{`"/permissions/0"`},
		},
		{claim: "a role requires a permission", as: owner, method: "POST", path: home + "/role", body: `{"name":"X","permissions":[]}`, status: 400, has: []string{`"/permissions"`}},
		{claim: "a guest may not create a role", as: guest, method: "POST", path: home + "/role", body: body, status: 403},
		{
			claim: "a creator cannot grant permissions that they lack", as: manager, method: "POST", path: home + "/role",
			body: `{"name":"Y","permissions":["editBilling"]}`, status: 403, has: []string{`"forbidden"`, `"missing":"editBilling"`},
		},
		{
			claim: "a manager may not assign a more powerful role", as: manager, method: "PATCH", path: home + "/member/" + guestID,
			body: `{"roles":["Owner"]}`, status: 403, has: []string{`"forbidden"`},
		},
		{claim: "a role is assigned", as: owner, method: "PATCH", path: home + "/member/" + guestID, body: `{"roles":["Observer"]}`, status: 200},
		{claim: "an assigned role is effective immediately", as: guest, method: "GET", path: home + "/captable", status: 200},
		{claim: "an assigned role cannot be deleted", as: owner, method: "DELETE", path: at, status: 409, has: []string{`"inUse"`, guestID}},
		{claim: "a stale replacement is refused", as: owner, method: "PUT", path: at, body: body, headers: []string{"If-Match", `"1"`}, status: 412},
		{
			claim: "an assigned role is replaced", as: owner, method: "PUT", path: at, body: `{"name":"Watcher","permissions":["viewSelf"]}`, status: 200,
			has: []string{`"Watcher"`},
		},
		{claim: "the member has the new name of the role", as: owner, method: "GET", path: home + "/member/" + guestID, status: 200, has: []string{`"roles":["Watcher"]`}},
		{claim: "removed permissions are effective immediately", as: guest, method: "GET", path: home + "/captable", status: 403},
		{claim: "the role is unassigned", as: owner, method: "PATCH", path: home + "/member/" + guestID, body: `{"roles":["Guest"]}`, status: 200},
		{claim: "an unassigned role is deleted", as: owner, method: "DELETE", path: at, status: 204},
		{claim: "a deleted role is not found", as: owner, method: "GET", path: at, status: 404},
	})
	if got := owner.must(t, "GET", home+"/journal?type=roleDeleted", "", http.StatusOK); !strings.Contains(got.body, "roleDeleted") {
		t.Error(got.body)
	}
}
