package http_test

import (
	"net/http"
	"testing"
)

//nolint:tparallel // one scenario builds on another
func TestRemovedMemberLosesUnvestedOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	clerk := b.person(t, "clerk@example.com")
	f.must(t, "POST", f.home+"/role", `{"name":"Clerk","permissions":["editMembers","viewMembers"]}`, http.StatusCreated)
	f.join(t, f.home, clerk, "Clerk")
	plan, ada := f.plan(t, "Plan", "1000").header.Get("Location"), f.holder(t, "Ada")
	at := "/v1/option/" + last(f.option(t, plan, ada, "100", inTwo+windows))
	member := f.home + "/member/" + f.must(t, "GET", at, "", http.StatusOK).text(t, "member")
	const leaving = `{"keepHoldings":true,"terminationDate":"2026-02-10","terminationReason":"voluntaryOther"}`
	run(t, []scenario{
		{
			claim: "a member with options is not removed by default", as: f.client, method: "DELETE", path: member, status: 409,
			has: []string{"keepHoldings"},
		},
		{claim: "a termination is previewed", as: f.client, method: "DELETE", path: member + "?dryRun=true", body: leaving, status: 200, has: []string{`"optionTerminated"`, `"memberRemoved"`}},
		{claim: "a caller without editIncentivePlan may not terminate options", as: clerk, method: "DELETE", path: member, body: leaving, status: 403, has: []string{`"missing":"editIncentivePlan"`}},
		{claim: "an unknown reason is refused", as: f.client, method: "PATCH", path: member, body: `{"terminationDate":"2026-02-10","terminationReason":"moved"}`, status: 400, has: []string{"/terminationReason"}},
		{claim: "refused requests change no option", as: f.client, method: "GET", path: at, status: 200, has: []string{`"outstanding":"100"`}},
		{claim: "the removal terminates the options", as: f.client, method: "DELETE", path: member, body: leaving, status: 200, has: []string{`"status":"removed"`, `"terminationDate":"2026-02-10"`}},
		{claim: "unvested options are forfeited and vested options have their window", as: f.client, method: "GET", path: at, status: 200, has: []string{`"outstanding":"50"`, `"cancelled":"50"`, `"exercisableUntil":"2026-05-10"`}},
		{claim: "forfeited options return to the pool", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"available":"950"`}},
	})
}
