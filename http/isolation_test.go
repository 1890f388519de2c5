package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.firm(t, "ours@example.com"), b.firm(t, "theirs@example.com")
	ada, eve := ours.holder(t, "Ada"), theirs.holder(t, "Eve")
	held := ours.issue(t, ada, "10")
	legend := ours.legend(t, `{"name":"Act","text":"Not registered."}`)
	plan := ours.plan(t, "Plan", "100").header.Get("Location")
	option := ours.option(t, plan, ada, "10", "")
	before := ours.journalLength(t)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		// Records at their own path.
		{"GET", held, "", 404},
		{"PATCH", held, `{"block":"x"}`, 404},
		{"PUT", held, theirs.issuance(eve, "1", `"reason":"x"`), 404},
		{"DELETE", held, "", 404},
		{"POST", held + "/accept", "", 404},
		{"POST", held + "/cancel", `{"date":"2026-02-01","reason":"x"}`, 404},
		{"POST", held + "/repurchase", `{"shares":"1","price":"1","date":"2026-02-01"}`, 404},
		{"POST", held + "/convert", `{"security":"` + theirs.common + `","date":"2026-02-01"}`, 404},
		{"GET", held + "/certificate", "", 404},
		{"GET", held + "/certificate/copy", "", 404},
		{"GET", plan, "", 404},
		{"GET", plan + "/dashboard", "", 404},
		{"PUT", plan, `{"name":"X"}`, 404},
		{"DELETE", plan, "", 404},
		{"GET", option, "", 404},
		{"DELETE", option, "", 404},
		{"GET", "/v1/option/" + last(option), "", 404},
		{"POST", "/v1/option/" + last(option) + "/cancel", `{"date":"2026-02-01","reason":"x"}`, 404},
		{"POST", plan + "/pool/" + ours.pool(t, plan) + "/option/" + last(option) + "/exercise", `{"quantity":"1","date":"2026-02-01"}`, 404},
		{"GET", ours.home + "/option", "", 403},
		// Our organization, requested by a stranger.
		{"GET", ours.home + "/captable", "", 403},
		{"GET", ours.home + "/security", "", 403},
		{"GET", ours.home + "/plan", "", 403},
		{"GET", "/v1/captable/" + ours.id + "/pool", "", 403},
		{"GET", ours.home + "/journal", "", 403},
		{"GET", "/v1/captable/" + ours.id + "/dashboard", "", 403},
		{"POST", ours.home + "/import", `{}`, 403},
		// Our records at the path of their organization.
		{"GET", theirs.home + "/security/" + ours.common, "", 404},
		{"DELETE", theirs.home + "/security/" + ours.common, "", 404},
		{"POST", theirs.home + "/security/" + ours.common + "/shares", `{"quantity":"5","effectiveDate":"2026-02-01"}`, 404},
		{"POST", theirs.home + "/security/" + ours.common + "/split", `{"numerator":"5","denominator":"1","date":"2026-02-01"}`, 404},
		{"GET", theirs.home + "/legend/" + legend, "", 404},
		{"GET", theirs.home + "/legend/" + legend + "/certificate", "", 404},
		// Our records in their bodies.
		{"POST", theirs.home + "/shareholding", theirs.issuance(ada, "1"), 400},
		{"POST", theirs.home + "/shareholding", theirs.issuance(eve, "1", `"security":"`+ours.common+`"`), 400},
		{"POST", theirs.home + "/shareholding", theirs.issuance(eve, "1", `"legends":["`+legend+`"]`), 400},
		{"POST", theirs.home + "/shareholding/transfer", `{"shareholding":"` + last(held) + `","to":{"entity":"` + eve + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`, 400},
		{"POST", theirs.home + "/security", `{"name":"X","shareType":"common","authorizedShares":"1","conversion":{"security":"` + ours.common + `","ratio":"1"}}`, 400},
		{"POST", theirs.home + "/security", `{"name":"X","shareType":"common","authorizedShares":"1","legends":["` + legend + `"]}`, 400},
		{"POST", theirs.home + "/plan", ours.planBody("X", "1", ""), 400},
	} {
		got := theirs.must(t, c.method, c.path, c.body, c.status)
		if c.status == 404 && got.text(t, "code") != "resourceNotFound" || strings.Contains(got.body, "Ada") {
			t.Errorf("%s %s: %s", c.method, c.path, got.body)
		}
	}
	if list := theirs.must(t, "GET", theirs.home+"/shareholding?entity="+ada, "", 200); len(list.list(t, "data")) != 0 {
		t.Errorf("filtered by our holder: %s", list.body)
	}
	if after := ours.journalLength(t); after != before {
		t.Errorf("the requests added %d events to our journal", after-before)
	}
}

//nolint:tparallel // one scenario builds on another
func TestGuestSeesOnlyTheirOwnRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	ada, own := f.holder(t, "Zoe"), guest.holder
	theirs, hers := f.issue(t, own, "10"), f.issue(t, ada, "990")
	dashboard := "/v1/captable/" + f.id + "/dashboard"
	run(t, []scenario{
		{claim: "a guest lists their own shares", as: guest, method: "GET", path: f.home + "/shareholding", status: 200, has: []string{`"shares":"10"`}, lacks: []string{`"shares":"990"`}},
		{claim: "the filter by another holder returns no shares", as: guest, method: "GET", path: f.home + "/shareholding?entity=" + ada, status: 200, has: []string{`{"data":[]}`}},
		{claim: "the filter by their own entity returns their shares", as: guest, method: "GET", path: f.home + "/shareholding?entity=" + own, status: 200, has: []string{`"shares":"10"`}},
		{claim: "a guest reads their own shareholding", as: guest, method: "GET", path: theirs, status: 200},
		{claim: "a guest reads their own certificate", as: guest, method: "GET", path: theirs + "/certificate", status: 200},
		{claim: "a guest may not read another shareholding", as: guest, method: "GET", path: hers, status: 403},
		{claim: "a guest may not read another certificate", as: guest, method: "GET", path: hers + "/certificate", status: 403},
		{claim: "a guest may not void their own shares", as: guest, method: "DELETE", path: theirs, status: 403},
		{claim: "a guest may not read the cap table", as: guest, method: "GET", path: f.home + "/captable", status: 403},
		{claim: "a guest may not read the journal", as: guest, method: "GET", path: f.home + "/journal", status: 403},
		{claim: "a guest may not read the journal proof", as: guest, method: "GET", path: f.home + "/journal/proof", status: 403},
		{claim: "a guest may not read the settings", as: guest, method: "GET", path: f.home + "/shareholding/config", status: 403},
		{
			claim: "the dashboard shows a guest only their own parts", as: guest, method: "GET", path: dashboard, status: 200,
			has:   []string{`"own":[{"security":"` + f.common, `"shares":"10"`, `"counts":{"securities":1,"shareholdings":1,"convertibles":0,"warrants":0,"waiting":1}`},
			lacks: []string{"totals", "topHolders", `"990"`, "latestEvents", "Zoe"},
		},
		{
			claim: "the dashboard shows the owner all parts", as: f.client, method: "GET", path: dashboard, status: 200,
			has: []string{"totals", "topHolders", `"outstanding":"1000"`, "latestEvents", `"holders":2`},
		},
	})
	// The answer depends on the caller's permissions, even if another caller's answer is cached.
	tag := f.must(t, "GET", f.home+"/shareholding", "", 200).header.Get("ETag")
	guest.must(t, "GET", f.home+"/shareholding", "", 200, "If-None-Match", tag)
	guest.must(t, "GET", f.home+"/shareholding?cursor="+
		f.must(t, "GET", f.home+"/shareholding?limit=1", "", 200).text(t, "nextCursor"), "", http.StatusOK)
}
