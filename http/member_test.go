package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestMembersAreManaged(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, guest, auditor := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "auditor@example.com")
	home := owner.NewOrganization(t)
	guestID := owner.Join(t, home, guest, "Guest")
	owner.Join(t, home, auditor, "Auditor")
	body := `{"fullName":"Charles Babbage","email":"charles@example.com","dateOfBirth":"1791-12-26","relationship":"investor",` +
		`"address":{"street1":"1 Dorset Street","city":"London","country":"GB"},"externalId":"m-1","roles":[]}`
	preview := owner.Must(t, "POST", home+"/member?dryRun=true", body, http.StatusOK)
	if strings.Contains(preview.Body, "m-1") != strings.Contains(preview.Body, `"memberAdded"`) {
		t.Error(preview.Body)
	}
	made := owner.Must(t, "POST", home+"/member", body, http.StatusCreated)
	at := made.Header.Get("Location")
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "an auditor reads a member with contact details", As: auditor, Method: "GET", Path: at, Status: 200,
			Has: []string{`"email":"charles@example.com"`, `"dateOfBirth":"1791-12-26"`, `"city":"London"`, `"status":"registered"`},
		},
		{
			Claim: "a patch keeps the other parts of an address", As: owner, Method: "PATCH", Path: at,
			Body: `{"address":{"street2":"attic"},"title":"Inventor"}`, Status: 200,
			Has: []string{`"street1":"1 Dorset Street"`, `"street2":"attic"`, `"title":"Inventor"`},
		},
		{
			Claim: "a patch with null clears a field", As: owner, Method: "PATCH", Path: at, Body: `{"dateOfBirth":null}`, Status: 200,
			Has: []string{"Babbage"}, Lacks: []string{"1791"},
		},
		{
			Claim: "an unknown role is refused", As: owner, Method: "PATCH", Path: at, Body: `{"roles":["King"]}`, Status: 400,
			Has: []string{`"/roles/0","code":"unknownReference"`},
		},
		{
			Claim: "a duplicate externalId is refused", As: owner, Method: "POST", Path: home + "/member",
			Body: `{"fullName":"X","externalId":"m-1"}`, Status: 409, Has: []string{`"code":"conflict"`, `"externalId":"m-1"`},
		},
		{Claim: "an auditor may not add a member", As: auditor, Method: "POST", Path: home + "/member", Body: body, Status: 403},
		{
			Claim: "an auditor lists all members", As: auditor, Method: "GET", Path: home + "/member", Status: 200,
			Has: []string{"Babbage", `"Owner"`, "guest@example.com"},
		},
		{
			Claim: "a guest lists only themselves", As: guest, Method: "GET", Path: home + "/member", Status: 200,
			Has: []string{guestID}, Lacks: []string{"Babbage"},
		},
		{
			Claim: "a guest reads their own member", As: guest, Method: "GET", Path: home + "/member/" + guestID, Status: 200,
			Has: []string{`"Guest"`},
		},
		{Claim: "a guest may not read another member", As: guest, Method: "GET", Path: strings.TrimPrefix(at, "/api"), Status: 403},
		{
			Claim: "an unknown member is not found", As: owner, Method: "GET", Path: home + "/member/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10",
			Status: 404, Has: []string{`"code":"resourceNotFound"`},
		},
		{Claim: "a member is removed", As: owner, Method: "DELETE", Path: at, Status: 200, Has: []string{`"status":"removed"`}},
		{Claim: "removed members are not listed by default", As: owner, Method: "GET", Path: home + "/member", Status: 200, Lacks: []string{"Babbage"}},
		{
			Claim: "removed members are listed by their status", As: owner, Method: "GET", Path: home + "/member?status=removed", Status: 200,
			Has: []string{"Babbage"}, Lacks: []string{"guest@example.com"},
		},
	})
}

func TestLastOwnerCannotBeRemovedOrDemoted(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	list := owner.Must(t, "GET", home+"/member", "", http.StatusOK)
	members, _ := list.Get(t, "data").([]any)
	first, _ := members[0].(map[string]any)
	id, _ := first["id"].(string)
	for _, c := range []struct{ method, body string }{{"PATCH", `{"roles":["Manager"]}`}, {"DELETE", `{"keepHoldings":true}`}} {
		got := owner.Must(t, c.method, home+"/member/"+id, c.body, http.StatusConflict)
		if got.Text(t, "code") != "lastOwner" {
			t.Errorf("%s: %s", c.method, got.Body)
		}
	}
}

func TestPagesOfMembersShowOneSequence(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	for _, name := range []string{"A", "B", "C"} {
		owner.Must(t, "POST", home+"/member", `{"fullName":"Member `+name+`"}`, http.StatusCreated)
	}
	first := owner.Must(t, "GET", home+"/member?limit=2", "", http.StatusOK)
	owner.Must(t, "POST", home+"/member", `{"fullName":"Latecomer"}`, http.StatusCreated)
	second := owner.Must(t, "GET", home+"/member?limit=200&cursor="+first.Text(t, "nextCursor"), "", http.StatusOK)
	if strings.Contains(second.Body, "Latecomer") || !strings.Contains(second.Body, "Member C") {
		t.Errorf("the second page has another sequence: %s", second.Body)
	}
	known := owner.Must(t, "GET", home+"/member?knownAt=3", "", http.StatusOK)
	if !strings.Contains(known.Body, "Member A") || strings.Contains(known.Body, "Member B") {
		t.Errorf("known at sequence 3: %s", known.Body)
	}
	before := b.Clock.Now().Add(-1).Format("2006-01-02T15:04:05.999999Z07:00")
	owner.Must(t, "GET", home+"/member?knownAt="+before, "", http.StatusNotFound)
	for _, cursor := range []string{"x", "AAAA", strings.Repeat("A", 32)} {
		owner.Must(t, "GET", home+"/member?cursor="+cursor, "", http.StatusBadRequest)
	}
}
