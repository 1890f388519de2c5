package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestPlanLifecycle(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		guest := b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, guest, "Guest")
		manager := b.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, manager, "Investor")
		list, report := f.Home+"/plan", "/v1/captable/"+f.ID+"/pool"
		paper := f.StoreFile(t)
		made := f.NewPlan(t, "2026 Plan", "1000", `"termYears":10`, `"externalId":"p"`, `"documents":[{"kind":"plan","file":"`+paper+`"}]`)
		path := made.Header.Get("Location")
		pool := f.FirstPool(t, path)
		figures := `"granted":"0","outstanding":"0","exercised":"0","cancelled":"0","returned":"0","available":"1000"`
		changed := `{"name":"Plan B","termYears":5,"cancellationBehavior":"retire","pools":[{"id":"` + pool + `","name":"Main","security":"` + f.Common + `","totalShares":"1500"}]}`
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a plan is read with its pools", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{figures, `"totalShares":"1000"`, `"expiresOn":"2036-01-01"`, `"cancellationBehavior":"returnToPool"`, f.ID}},
			{Claim: "a date before the plan has an empty pool", As: f.Client, Method: "GET", Path: path + "?asOf=2025-12-31", Status: 200, Has: []string{`"totalShares":"0"`, `"available":"0"`}},
			{Claim: "all plans are listed", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`"2026 Plan"`, figures}},
			{Claim: "the plan reserves its shares", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"reserved":"1000"`, `"available":"999000"`}},
			{Claim: "the report lists plans and pools", As: f.Client, Method: "GET", Path: report, Status: 200, Has: []string{`"securityName":"Common Stock"`, `"totals":{"reserve":"1000",` + figures}},
			{Claim: "the report of a past date", As: f.Client, Method: "GET", Path: report + "?asOf=2025-12-31", Status: 200, Has: []string{`"totals":{"reserve":"0"`}},
			{Claim: "the dashboard has the status of the plan", As: f.Client, Method: "GET", Path: path + "/dashboard", Status: 200, Has: []string{`"status":"active"`, `"grants":0`, `"reserve":"1000"`, `"file":"` + paper + `"`}},
			{Claim: "the plan is expired after its term", As: f.Client, Method: "GET", Path: path + "/dashboard?asOf=2036-01-01", Status: 200, Has: []string{`"status":"expired"`}},
			{Claim: "documents are listed across organizations", As: f.Client, Method: "GET", Path: "/v1/incentive/documents", Status: 200, Has: []string{`"file":"` + paper + `"`, f.ID, `"planName":"2026 Plan"`}},
			{Claim: "a viewer of the cap table reads the plan", As: manager, Method: "GET", Path: path, Status: 200, Has: []string{figures}},
			{Claim: "a viewer may not replace the plan", As: manager, Method: "PUT", Path: path, Body: changed, Status: 403},
			{Claim: "a viewer may not create a plan", As: manager, Method: "POST", Path: list, Body: `{"name":"x"}`, Status: 403},
			{Claim: "a guest without grants does not find the plan", As: guest, Method: "GET", Path: path, Status: 404},
			{Claim: "a guest does not find the dashboard", As: guest, Method: "GET", Path: path + "/dashboard", Status: 404},
			{Claim: "a guest lists no plans", As: guest, Method: "GET", Path: list, Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "a guest has an empty report", As: guest, Method: "GET", Path: report, Status: 200, Has: []string{`"plans":[]`, `"reserve":"0"`}},
			{Claim: "a guest lists no documents", As: guest, Method: "GET", Path: "/v1/incentive/documents", Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "a dry run changes nothing", As: f.Client, Method: "PUT", Path: path + "?dryRun=true", Body: changed, Status: 200, Has: []string{`"dryRun":true`, `"planChanged"`, `"1500"`}},
			{Claim: "a plan is replaced", As: f.Client, Method: "PUT", Path: path, Body: changed, Status: 200, Has: []string{`"Plan B"`, `"available":"1500"`, `"retire"`}, Lacks: []string{"strikePrice"}},
			{Claim: "an earlier version stays readable", As: f.Client, Method: "GET", Path: report + "?knownAt=" + made.Version(t), Status: 200, Has: []string{`"reserve":"1000"`}},
			{Claim: "a duplicate name is refused", As: f.Client, Method: "POST", Path: list, Body: `{"name":"plan b"}`, Status: 409, Has: []string{`"plan"`}},
			{
				Claim: "a pool beyond the authorized shares is refused with the figures", As: f.Client, Method: "POST", Path: list,
				Body: f.PlanBody("Big", "999000", ""), Status: 409,
				Has: []string{`"insufficientShares"`, `"available":"998500"`, `"requested":"999000"`, `"reserved":"1500"`},
			},
			{
				Claim: "a limit below the reserved shares is refused", As: f.Client, Method: "PUT", Path: f.Home + "/security/" + f.Common, Status: 409,
				Body: `{"name":"Common Stock","shareType":"common","authorizedShares":"1000"}`, Has: []string{`"reserved":"1500"`},
			},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "POST", Path: list, Status: 400,
				Body: `{"name":" ","termYears":0,"cancellationBehavior":"x","documents":[{"kind":"x"}],"pools":[{"id":"x","totalShares":1}]}`,
				Has: []string{
					"/name", "/termYears", "/cancellationBehavior", "/documents/0/kind", "/documents/0/file", "/pools/0/id",
					"/pools/0/totalShares", "/pools/0/security",
				},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "POST", Path: list, Status: 400,
				Body: `{"name":"x","boardApprovalDate":"2199-01-01","pools":[{"name":"a","security":"` + f.ID + `","totalShares":"0.5"}]}`,
				Has:  []string{"/boardApprovalDate", "/pools/0/security", "unknownReference"},
			},
			{Claim: "a repricing without affected options is refused", As: f.Client, Method: "POST", Path: path + "/reprice", Body: `{"exercisePrice":"0.1","date":"2026-02-01"}`, Status: 409, Has: []string{`"exercisePrice":"0.1"`}},
			{Claim: "a repricing in the future is refused", As: f.Client, Method: "POST", Path: path + "/reprice", Body: `{"exercisePrice":"0.1","date":"2199-02-01","pool":"` + f.ID + `"}`, Status: 400, Has: []string{"/date", "/pool"}},
			{Claim: "a viewer may not reprice", As: manager, Method: "POST", Path: path + "/reprice", Body: `{"exercisePrice":"0.1","date":"2026-02-01"}`, Status: 403},
			{Claim: "an unknown plan is not found", As: f.Client, Method: "GET", Path: "/v1/plan/" + f.Common, Status: 404},
			{Claim: "an unknown plan cannot be deleted", As: f.Client, Method: "DELETE", Path: "/v1/plan/" + f.ID, Status: 404},
		})
		tag := f.Must(t, "GET", path, "", http.StatusOK).Header.Get("ETag")
		f.Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
		f.Must(t, "PUT", path, changed, http.StatusOK, "If-Match", tag)
		f.Must(t, "PUT", path, changed, http.StatusPreconditionFailed, "If-Match", tag)
		other := f.NewPlan(t, "Other", "500").Header.Get("Location")
		first := f.Must(t, "GET", list+"?limit=1", "", http.StatusOK)
		f.Must(t, "GET", list+"?limit=1&cursor="+first.Text(t, "nextCursor"), "", http.StatusOK)
		f.Must(t, "GET", other+"/dashboard", "", http.StatusOK)
		f.Must(t, "DELETE", other+"?dryRun=true", "", http.StatusOK)
		f.Must(t, "DELETE", other, "", http.StatusNoContent)
		f.Must(t, "GET", other, "", http.StatusNotFound)
		f.Must(t, "DELETE", path, "", http.StatusNoContent)
	})
}
