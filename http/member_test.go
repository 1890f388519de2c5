package http_test

import (
	"net/http"
	"strings"
	"testing"
)

//nolint:tparallel // one scenario builds on another
func TestMembersAreManaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest, auditor := b.person(t, "owner@example.com"), b.person(t, "guest@example.com"), b.person(t, "auditor@example.com")
	home := owner.company(t)
	guestID := owner.join(t, home, guest, "Guest")
	owner.join(t, home, auditor, "Auditor")
	body := `{"fullName":"Charles Babbage","email":"charles@example.com","dateOfBirth":"1791-12-26","relationship":"investor",` +
		`"address":{"street1":"1 Dorset Street","city":"London","country":"GB"},"externalId":"m-1","roles":[]}`
	preview := owner.must(t, "POST", home+"/member?dryRun=true", body, http.StatusOK)
	if strings.Contains(preview.body, "m-1") != strings.Contains(preview.body, `"memberAdded"`) {
		t.Error(preview.body)
	}
	made := owner.must(t, "POST", home+"/member", body, http.StatusCreated)
	at := made.header.Get("Location")
	run(t, []scenario{
		{
			claim: "an auditor reads a member with contact details", as: auditor, method: "GET", path: at, status: 200,
			has: []string{`"email":"charles@example.com"`, `"dateOfBirth":"1791-12-26"`, `"city":"London"`, `"status":"registered"`},
		},
		{
			claim: "a patch keeps the other parts of an address", as: owner, method: "PATCH", path: at,
			body: `{"address":{"street2":"attic"},"title":"Inventor"}`, status: 200,
			has: []string{`"street1":"1 Dorset Street"`, `"street2":"attic"`, `"title":"Inventor"`},
		},
		{
			claim: "a patch with null clears a field", as: owner, method: "PATCH", path: at, body: `{"dateOfBirth":null}`, status: 200,
			has: []string{"Babbage"}, lacks: []string{"1791"},
		},
		{
			claim: "an unknown role is refused", as: owner, method: "PATCH", path: at, body: `{"roles":["King"]}`, status: 400,
			has: []string{`"/roles/0","code":"unknownReference"`},
		},
		{
			claim: "a duplicate externalId is refused", as: owner, method: "POST", path: home + "/member",
			body: `{"fullName":"X","externalId":"m-1"}`, status: 409, has: []string{`"code":"conflict"`, `"externalId":"m-1"`},
		},
		{claim: "an auditor may not add a member", as: auditor, method: "POST", path: home + "/member", body: body, status: 403},
		{
			claim: "an auditor lists all members", as: auditor, method: "GET", path: home + "/member", status: 200,
			has: []string{"Babbage", `"Owner"`, "guest@example.com"},
		},
		{
			claim: "a guest lists only themselves", as: guest, method: "GET", path: home + "/member", status: 200,
			has: []string{guestID}, lacks: []string{"Babbage"},
		},
		{
			claim: "a guest reads their own member", as: guest, method: "GET", path: home + "/member/" + guestID, status: 200,
			has: []string{`"Guest"`},
		},
		{claim: "a guest may not read another member", as: guest, method: "GET", path: strings.TrimPrefix(at, "/api"), status: 403},
		{
			claim: "an unknown member is not found", as: owner, method: "GET", path: home + "/member/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10",
			status: 404, has: []string{`"code":"resourceNotFound"`},
		},
		{claim: "a member is removed", as: owner, method: "DELETE", path: at, status: 200, has: []string{`"status":"removed"`}},
		{claim: "removed members are not listed by default", as: owner, method: "GET", path: home + "/member", status: 200, lacks: []string{"Babbage"}},
		{
			claim: "removed members are listed by their status", as: owner, method: "GET", path: home + "/member?status=removed", status: 200,
			has: []string{"Babbage"}, lacks: []string{"guest@example.com"},
		},
	})
}

func TestLastOwnerCannotBeRemovedOrDemoted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	list := owner.must(t, "GET", home+"/member", "", http.StatusOK)
	members, _ := list.get(t, "data").([]any)
	first, _ := members[0].(map[string]any)
	id, _ := first["id"].(string)
	for _, c := range []struct{ method, body string }{{"PATCH", `{"roles":["Manager"]}`}, {"DELETE", `{"keepHoldings":true}`}} {
		got := owner.must(t, c.method, home+"/member/"+id, c.body, http.StatusConflict)
		if got.text(t, "code") != "lastOwner" {
			t.Errorf("%s: %s", c.method, got.body)
		}
	}
}

func TestPagesOfMembersShowOneSequence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	for _, name := range []string{"A", "B", "C"} {
		owner.must(t, "POST", home+"/member", `{"fullName":"Member `+name+`"}`, http.StatusCreated)
	}
	first := owner.must(t, "GET", home+"/member?limit=2", "", http.StatusOK)
	owner.must(t, "POST", home+"/member", `{"fullName":"Latecomer"}`, http.StatusCreated)
	second := owner.must(t, "GET", home+"/member?limit=200&cursor="+first.text(t, "nextCursor"), "", http.StatusOK)
	if strings.Contains(second.body, "Latecomer") || !strings.Contains(second.body, "Member C") {
		t.Errorf("the second page has another sequence: %s", second.body)
	}
	known := owner.must(t, "GET", home+"/member?knownAt=3", "", http.StatusOK)
	if !strings.Contains(known.body, "Member A") || strings.Contains(known.body, "Member B") {
		t.Errorf("known at sequence 3: %s", known.body)
	}
	before := b.clock.Now().Add(-1).Format("2006-01-02T15:04:05.999999Z07:00")
	owner.must(t, "GET", home+"/member?knownAt="+before, "", http.StatusNotFound)
	for _, cursor := range []string{"x", "AAAA", strings.Repeat("A", 32)} {
		owner.must(t, "GET", home+"/member?cursor="+cursor, "", http.StatusBadRequest)
	}
}
