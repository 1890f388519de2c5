package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// planBody returns a plan with one pool of the firm's common stock, and additional fields.
func (f *firm) planBody(name, shares, more string) string {
	return `{"name":"` + name + `","boardApprovalDate":"2026-01-01","pools":[{"name":"Main","security":"` + f.common +
		`","totalShares":"` + shares + `","strikePrice":"0.25"}]` + more + `}`
}

func (f *firm) plan(tb testing.TB, name, shares string, more ...string) answer {
	tb.Helper()
	fields := strings.Join(append([]string{""}, more...), ",")
	return f.must(tb, "POST", f.home+"/plan", f.planBody(name, shares, fields), http.StatusCreated)
}

// pool returns the id of the plan's first pool.
func (f *firm) pool(tb testing.TB, plan string) string {
	tb.Helper()
	pools := f.must(tb, "GET", plan, "", http.StatusOK).list(tb, "pools")
	first, _ := pools[0].(map[string]any)
	id, _ := first["id"].(string)
	return id
}

func TestPlanLifecycle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		manager := b.person(t, "manager@example.com")
		f.join(t, f.home, manager, "Investor")
		list, report := f.home+"/plan", "/v1/captable/"+f.id+"/pool"
		paper := f.filed(t)
		made := f.plan(t, "2026 Plan", "1000", `"termYears":10`, `"externalId":"p"`, `"documents":[{"kind":"plan","file":"`+paper+`"}]`)
		path := made.header.Get("Location")
		pool := f.pool(t, path)
		figures := `"granted":"0","outstanding":"0","exercised":"0","cancelled":"0","returned":"0","available":"1000"`
		changed := `{"name":"Plan B","termYears":5,"cancellationBehavior":"retire","pools":[{"id":"` + pool + `","name":"Main","security":"` + f.common + `","totalShares":"1500"}]}`
		run(t, []scenario{
			{claim: "a plan is read with its pools", as: f.client, method: "GET", path: path, status: 200, has: []string{figures, `"totalShares":"1000"`, `"expiresOn":"2036-01-01"`, `"cancellationBehavior":"returnToPool"`, f.id}},
			{claim: "a date before the plan has an empty pool", as: f.client, method: "GET", path: path + "?asOf=2025-12-31", status: 200, has: []string{`"totalShares":"0"`, `"available":"0"`}},
			{claim: "all plans are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{`"2026 Plan"`, figures}},
			{claim: "the plan reserves its shares", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"1000"`, `"available":"999000"`}},
			{claim: "the report lists plans and pools", as: f.client, method: "GET", path: report, status: 200, has: []string{`"securityName":"Common Stock"`, `"totals":{"reserve":"1000",` + figures}},
			{claim: "the report of a past date", as: f.client, method: "GET", path: report + "?asOf=2025-12-31", status: 200, has: []string{`"totals":{"reserve":"0"`}},
			{claim: "the dashboard has the status of the plan", as: f.client, method: "GET", path: path + "/dashboard", status: 200, has: []string{`"status":"active"`, `"grants":0`, `"reserve":"1000"`, `"file":"` + paper + `"`}},
			{claim: "the plan is expired after its term", as: f.client, method: "GET", path: path + "/dashboard?asOf=2036-01-01", status: 200, has: []string{`"status":"expired"`}},
			{claim: "documents are listed across organizations", as: f.client, method: "GET", path: "/v1/incentive/documents", status: 200, has: []string{`"file":"` + paper + `"`, f.id, `"planName":"2026 Plan"`}},
			{claim: "a viewer of the cap table reads the plan", as: manager, method: "GET", path: path, status: 200, has: []string{figures}},
			{claim: "a viewer may not replace the plan", as: manager, method: "PUT", path: path, body: changed, status: 403},
			{claim: "a viewer may not create a plan", as: manager, method: "POST", path: list, body: `{"name":"x"}`, status: 403},
			{claim: "a guest without grants does not find the plan", as: guest, method: "GET", path: path, status: 404},
			{claim: "a guest does not find the dashboard", as: guest, method: "GET", path: path + "/dashboard", status: 404},
			{claim: "a guest lists no plans", as: guest, method: "GET", path: list, status: 200, has: []string{`{"data":[]}`}},
			{claim: "a guest has an empty report", as: guest, method: "GET", path: report, status: 200, has: []string{`"plans":[]`, `"reserve":"0"`}},
			{claim: "a guest lists no documents", as: guest, method: "GET", path: "/v1/incentive/documents", status: 200, has: []string{`{"data":[]}`}},
			{claim: "a dry run changes nothing", as: f.client, method: "PUT", path: path + "?dryRun=true", body: changed, status: 200, has: []string{`"dryRun":true`, `"planChanged"`, `"1500"`}},
			{claim: "a plan is replaced", as: f.client, method: "PUT", path: path, body: changed, status: 200, has: []string{`"Plan B"`, `"available":"1500"`, `"retire"`}, lacks: []string{"strikePrice"}},
			{claim: "an earlier version stays readable", as: f.client, method: "GET", path: report + "?knownAt=" + made.version(t), status: 200, has: []string{`"reserve":"1000"`}},
			{claim: "a duplicate name is refused", as: f.client, method: "POST", path: list, body: `{"name":"plan b"}`, status: 409, has: []string{`"plan"`}},
			{
				claim: "a pool beyond the authorized shares is refused with the figures", as: f.client, method: "POST", path: list,
				body: f.planBody("Big", "999000", ""), status: 409,
				has: []string{`"insufficientShares"`, `"available":"998500"`, `"requested":"999000"`, `"reserved":"1500"`},
			},
			{
				claim: "a limit below the reserved shares is refused", as: f.client, method: "PUT", path: f.home + "/security/" + f.common, status: 409,
				body: `{"name":"Common Stock","shareType":"common","authorizedShares":"1000"}`, has: []string{`"reserved":"1500"`},
			},
			{
				claim: "every malformed field is named", as: f.client, method: "POST", path: list, status: 400,
				body: `{"name":" ","termYears":0,"cancellationBehavior":"x","documents":[{"kind":"x"}],"pools":[{"id":"x","totalShares":1}]}`,
				has: []string{
					"/name", "/termYears", "/cancellationBehavior", "/documents/0/kind", "/documents/0/file", "/pools/0/id",
					"/pools/0/totalShares", "/pools/0/security",
				},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "POST", path: list, status: 400,
				body: `{"name":"x","boardApprovalDate":"2199-01-01","pools":[{"name":"a","security":"` + f.id + `","totalShares":"0.5"}]}`,
				has:  []string{"/boardApprovalDate", "/pools/0/security", "unknownReference"},
			},
			{claim: "a repricing without affected options is refused", as: f.client, method: "POST", path: path + "/reprice", body: `{"exercisePrice":"0.1","date":"2026-02-01"}`, status: 409, has: []string{`"exercisePrice":"0.1"`}},
			{claim: "a repricing in the future is refused", as: f.client, method: "POST", path: path + "/reprice", body: `{"exercisePrice":"0.1","date":"2199-02-01","pool":"` + f.id + `"}`, status: 400, has: []string{"/date", "/pool"}},
			{claim: "a viewer may not reprice", as: manager, method: "POST", path: path + "/reprice", body: `{"exercisePrice":"0.1","date":"2026-02-01"}`, status: 403},
			{claim: "an unknown plan is not found", as: f.client, method: "GET", path: "/v1/plan/" + f.common, status: 404},
			{claim: "an unknown plan cannot be deleted", as: f.client, method: "DELETE", path: "/v1/plan/" + f.id, status: 404},
		})
		tag := f.must(t, "GET", path, "", http.StatusOK).header.Get("ETag")
		f.must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
		f.must(t, "PUT", path, changed, http.StatusOK, "If-Match", tag)
		f.must(t, "PUT", path, changed, http.StatusPreconditionFailed, "If-Match", tag)
		other := f.plan(t, "Other", "500").header.Get("Location")
		first := f.must(t, "GET", list+"?limit=1", "", http.StatusOK)
		f.must(t, "GET", list+"?limit=1&cursor="+first.text(t, "nextCursor"), "", http.StatusOK)
		f.must(t, "GET", other+"/dashboard", "", http.StatusOK)
		f.must(t, "DELETE", other+"?dryRun=true", "", http.StatusOK)
		f.must(t, "DELETE", other, "", http.StatusNoContent)
		f.must(t, "GET", other, "", http.StatusNotFound)
		f.must(t, "DELETE", path, "", http.StatusNoContent)
	})
}
