package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestRemovedMemberLosesUnvestedOptions(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	clerk := b.NewPerson(t, "clerk@example.com")
	f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["editMembers","viewMembers"]}`, http.StatusCreated)
	f.Join(t, f.Home, clerk, "Clerk")
	plan, ada := f.NewPlan(t, "Plan", "1000").Header.Get("Location"), f.NewHolder(t, "Ada")
	at := "/v1/option/" + apitest.IDOf(f.GrantOption(t, plan, ada, "100", apitest.VestsInTwo+apitest.TerminationWindows))
	member := f.Home + "/member/" + f.Must(t, "GET", at, "", http.StatusOK).Text(t, "member")
	const leaving = `{"keepHoldings":true,"terminationDate":"2026-02-10","terminationReason":"voluntaryOther"}`
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a member with options is not removed by default", As: f.Client, Method: "DELETE", Path: member, Status: 409,
			Has: []string{"keepHoldings"},
		},
		{Claim: "a termination is previewed", As: f.Client, Method: "DELETE", Path: member + "?dryRun=true", Body: leaving, Status: 200, Has: []string{`"optionTerminated"`, `"memberRemoved"`}},
		{Claim: "a caller without editIncentivePlan may not terminate options", As: clerk, Method: "DELETE", Path: member, Body: leaving, Status: 403, Has: []string{`"missing":"editIncentivePlan"`}},
		{Claim: "an unknown reason is refused", As: f.Client, Method: "PATCH", Path: member, Body: `{"terminationDate":"2026-02-10","terminationReason":"moved"}`, Status: 400, Has: []string{"/terminationReason"}},
		{Claim: "refused requests change no option", As: f.Client, Method: "GET", Path: at, Status: 200, Has: []string{`"outstanding":"100"`}},
		{Claim: "the removal terminates the options", As: f.Client, Method: "DELETE", Path: member, Body: leaving, Status: 200, Has: []string{`"status":"removed"`, `"terminationDate":"2026-02-10"`}},
		{Claim: "unvested options are forfeited and vested options have their window", As: f.Client, Method: "GET", Path: at, Status: 200, Has: []string{`"outstanding":"50"`, `"cancelled":"50"`, `"exercisableUntil":"2026-05-10"`}},
		{Claim: "forfeited options return to the pool", As: f.Client, Method: "GET", Path: plan, Status: 200, Has: []string{`"available":"950"`}},
	})
}
