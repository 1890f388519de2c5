package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestBuiltInRolesAreListed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	got := owner.Must(t, "GET", home+"/role", "", http.StatusOK)
	for _, name := range []string{"Owner", "Manager", "Legal", "Auditor", "Investor", "Signatory", "Guest"} {
		if !strings.Contains(got.Body, `"name":"`+name+`"`) {
			t.Errorf("no role %s: %s", name, got.Body)
		}
	}
	owner.Must(t, "GET", home+"/role", "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))
}

func TestRoleLifecycle(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, manager, guest := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "manager@example.com"), b.NewPerson(t, "guest@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, manager, "Manager")
	guestID := owner.Join(t, home, guest, "Guest")
	const body = `{"name":"Observer","description":"Looks.","permissions":["viewCapTable","viewSelf"]}`
	owner.Must(t, "POST", home+"/role?dryRun=true", body, http.StatusOK)
	made := owner.Must(t, "POST", home+"/role", body, http.StatusCreated)
	at := made.Header.Get("Location")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a role is read", As: guest, Method: "GET", Path: at, Status: 200, Has: []string{`"permissions":["viewCapTable","viewSelf"]`, `"builtIn":false`, `"version"`}},
		{Claim: "custom roles are listed after the built-in roles", As: guest, Method: "GET", Path: home + "/role", Status: 200, Has: []string{`"Observer"`, `"Owner"`}},
		{Claim: "a duplicate name is refused", As: owner, Method: "POST", Path: home + "/role", Body: body, Status: 409, Has: []string{`"conflict"`}},
		{
			Claim: "an unknown permission is refused", As: owner, Method: "POST", Path: home + "/role",
			Body: `{"name":"X","permissions":["fly"]}`, Status: 400, Has: []string{`"/permissions/0"`},
		},
		{Claim: "a role requires a permission", As: owner, Method: "POST", Path: home + "/role", Body: `{"name":"X","permissions":[]}`, Status: 400, Has: []string{`"/permissions"`}},
		{Claim: "a guest may not create a role", As: guest, Method: "POST", Path: home + "/role", Body: body, Status: 403},
		{
			Claim: "a creator cannot grant permissions that they lack", As: manager, Method: "POST", Path: home + "/role",
			Body: `{"name":"Y","permissions":["editBilling"]}`, Status: 403, Has: []string{`"forbidden"`, `"missing":"editBilling"`},
		},
		{
			Claim: "a manager may not assign a more powerful role", As: manager, Method: "PATCH", Path: home + "/member/" + guestID,
			Body: `{"roles":["Owner"]}`, Status: 403, Has: []string{`"forbidden"`},
		},
		{Claim: "a role is assigned", As: owner, Method: "PATCH", Path: home + "/member/" + guestID, Body: `{"roles":["Observer"]}`, Status: 200},
		{Claim: "an assigned role is effective immediately", As: guest, Method: "GET", Path: home + "/captable", Status: 200},
		{Claim: "an assigned role cannot be deleted", As: owner, Method: "DELETE", Path: at, Status: 409, Has: []string{`"inUse"`, guestID}},
		{Claim: "a stale replacement is refused", As: owner, Method: "PUT", Path: at, Body: body, Headers: []string{"If-Match", `"1"`}, Status: 412},
		{
			Claim: "an assigned role is replaced", As: owner, Method: "PUT", Path: at, Body: `{"name":"Watcher","permissions":["viewSelf"]}`, Status: 200,
			Has: []string{`"Watcher"`},
		},
		{Claim: "the member has the new name of the role", As: owner, Method: "GET", Path: home + "/member/" + guestID, Status: 200, Has: []string{`"roles":["Watcher"]`}},
		{Claim: "removed permissions are effective immediately", As: guest, Method: "GET", Path: home + "/captable", Status: 403},
		{Claim: "the role is unassigned", As: owner, Method: "PATCH", Path: home + "/member/" + guestID, Body: `{"roles":["Guest"]}`, Status: 200},
		{Claim: "an unassigned role is deleted", As: owner, Method: "DELETE", Path: at, Status: 204},
		{Claim: "a deleted role is not found", As: owner, Method: "GET", Path: at, Status: 404},
	})
	if got := owner.Must(t, "GET", home+"/journal?type=roleDeleted", "", http.StatusOK); !strings.Contains(got.Body, "roleDeleted") {
		t.Error(got.Body)
	}
}
