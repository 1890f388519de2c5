package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ours, theirs := b.NewFirm(t, "ours@example.com"), b.NewFirm(t, "theirs@example.com")
	ada, eve := ours.NewHolder(t, "Ada"), theirs.NewHolder(t, "Eve")
	held := ours.Issue(t, ada, "10")
	legend := ours.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	plan := ours.NewPlan(t, "Plan", "100").Header.Get("Location")
	option := ours.GrantOption(t, plan, ada, "10", "")
	before := ours.JournalLength(t)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		// Records at their own path.
		{"GET", held, "", 404},
		{"PATCH", held, `{"block":"x"}`, 404},
		{"PUT", held, theirs.IssuanceBody(eve, "1", `"reason":"x"`), 404},
		{"DELETE", held, "", 404},
		{"POST", held + "/accept", "", 404},
		{"POST", held + "/cancel", `{"date":"2026-02-01","reason":"x"}`, 404},
		{"POST", held + "/repurchase", `{"shares":"1","price":"1","date":"2026-02-01"}`, 404},
		{"POST", held + "/convert", `{"security":"` + theirs.Common + `","date":"2026-02-01"}`, 404},
		{"GET", held + "/certificate", "", 404},
		{"GET", held + "/certificate/copy", "", 404},
		{"GET", plan, "", 404},
		{"GET", plan + "/dashboard", "", 404},
		{"PUT", plan, `{"name":"X"}`, 404},
		{"DELETE", plan, "", 404},
		{"GET", option, "", 404},
		{"DELETE", option, "", 404},
		{"GET", "/v1/option/" + apitest.IDOf(option), "", 404},
		{"POST", "/v1/option/" + apitest.IDOf(option) + "/cancel", `{"date":"2026-02-01","reason":"x"}`, 404},
		{"POST", plan + "/pool/" + ours.FirstPool(t, plan) + "/option/" + apitest.IDOf(option) + "/exercise", `{"quantity":"1","date":"2026-02-01"}`, 404},
		{"GET", ours.Home + "/option", "", 403},
		// Our organization, requested by a stranger.
		{"GET", ours.Home + "/captable", "", 403},
		{"GET", ours.Home + "/security", "", 403},
		{"GET", ours.Home + "/plan", "", 403},
		{"GET", "/v1/captable/" + ours.ID + "/pool", "", 403},
		{"GET", ours.Home + "/journal", "", 403},
		{"GET", "/v1/captable/" + ours.ID + "/dashboard", "", 403},
		{"POST", ours.Home + "/import", `{}`, 403},
		// Our records at the path of their organization.
		{"GET", theirs.Home + "/security/" + ours.Common, "", 404},
		{"DELETE", theirs.Home + "/security/" + ours.Common, "", 404},
		{"POST", theirs.Home + "/security/" + ours.Common + "/shares", `{"quantity":"5","effectiveDate":"2026-02-01"}`, 404},
		{"POST", theirs.Home + "/security/" + ours.Common + "/split", `{"numerator":"5","denominator":"1","date":"2026-02-01"}`, 404},
		{"GET", theirs.Home + "/legend/" + legend, "", 404},
		{"GET", theirs.Home + "/legend/" + legend + "/certificate", "", 404},
		// Our records in their bodies.
		{"POST", theirs.Home + "/shareholding", theirs.IssuanceBody(ada, "1"), 400},
		{"POST", theirs.Home + "/shareholding", theirs.IssuanceBody(eve, "1", `"security":"`+ours.Common+`"`), 400},
		{"POST", theirs.Home + "/shareholding", theirs.IssuanceBody(eve, "1", `"legends":["`+legend+`"]`), 400},
		{"POST", theirs.Home + "/shareholding/transfer", `{"shareholding":"` + apitest.IDOf(held) + `","to":{"entity":"` + eve + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`, 400},
		{"POST", theirs.Home + "/security", `{"name":"X","shareType":"common","authorizedShares":"1","conversion":{"security":"` + ours.Common + `","ratio":"1"}}`, 400},
		{"POST", theirs.Home + "/security", `{"name":"X","shareType":"common","authorizedShares":"1","legends":["` + legend + `"]}`, 400},
		{"POST", theirs.Home + "/plan", ours.PlanBody("X", "1", ""), 400},
	} {
		got := theirs.Must(t, c.method, c.path, c.body, c.status)
		if c.status == 404 && got.Text(t, "code") != "resourceNotFound" || strings.Contains(got.Body, "Ada") {
			t.Errorf("%s %s: %s", c.method, c.path, got.Body)
		}
	}
	if list := theirs.Must(t, "GET", theirs.Home+"/shareholding?entity="+ada, "", 200); len(list.List(t, "data")) != 0 {
		t.Errorf("filtered by our holder: %s", list.Body)
	}
	if after := ours.JournalLength(t); after != before {
		t.Errorf("the requests added %d events to our journal", after-before)
	}
}

func TestGuestSeesOnlyTheirOwnRecords(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	ada, own := f.NewHolder(t, "Zoe"), guest.Holder
	theirs, hers := f.Issue(t, own, "10"), f.Issue(t, ada, "990")
	dashboard := "/v1/captable/" + f.ID + "/dashboard"
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a guest lists their own shares", As: guest, Method: "GET", Path: f.Home + "/shareholding", Status: 200, Has: []string{`"shares":"10"`}, Lacks: []string{`"shares":"990"`}},
		{Claim: "the filter by another holder returns no shares", As: guest, Method: "GET", Path: f.Home + "/shareholding?entity=" + ada, Status: 200, Has: []string{`{"data":[]}`}},
		{Claim: "the filter by their own entity returns their shares", As: guest, Method: "GET", Path: f.Home + "/shareholding?entity=" + own, Status: 200, Has: []string{`"shares":"10"`}},
		{Claim: "a guest reads their own shareholding", As: guest, Method: "GET", Path: theirs, Status: 200},
		{Claim: "a guest reads their own certificate", As: guest, Method: "GET", Path: theirs + "/certificate", Status: 200},
		{Claim: "a guest may not read another shareholding", As: guest, Method: "GET", Path: hers, Status: 403},
		{Claim: "a guest may not read another certificate", As: guest, Method: "GET", Path: hers + "/certificate", Status: 403},
		{Claim: "a guest may not void their own shares", As: guest, Method: "DELETE", Path: theirs, Status: 403},
		{Claim: "a guest may not read the cap table", As: guest, Method: "GET", Path: f.Home + "/captable", Status: 403},
		{Claim: "a guest may not read the journal", As: guest, Method: "GET", Path: f.Home + "/journal", Status: 403},
		{Claim: "a guest may not read the journal proof", As: guest, Method: "GET", Path: f.Home + "/journal/proof", Status: 403},
		{Claim: "a guest may not read the settings", As: guest, Method: "GET", Path: f.Home + "/shareholding/config", Status: 403},
		{
			Claim: "the dashboard shows a guest only their own parts", As: guest, Method: "GET", Path: dashboard, Status: 200,
			Has:   []string{`"own":[{"security":"` + f.Common, `"shares":"10"`, `"counts":{"securities":1,"shareholdings":1,"convertibles":0,"warrants":0,"waiting":1}`},
			Lacks: []string{"totals", "topHolders", `"990"`, "latestEvents", "Zoe"},
		},
		{
			Claim: "the dashboard shows the owner all parts", As: f.Client, Method: "GET", Path: dashboard, Status: 200,
			Has: []string{"totals", "topHolders", `"outstanding":"1000"`, "latestEvents", `"holders":2`},
		},
	})
	// The answer depends on the caller's permissions, even if another caller's answer is cached.
	tag := f.Must(t, "GET", f.Home+"/shareholding", "", 200).Header.Get("ETag")
	guest.Must(t, "GET", f.Home+"/shareholding", "", 200, "If-None-Match", tag)
	guest.Must(t, "GET", f.Home+"/shareholding?cursor="+
		f.Must(t, "GET", f.Home+"/shareholding?limit=1", "", 200).Text(t, "nextCursor"), "", http.StatusOK)
}
