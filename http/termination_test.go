package http_test

import (
	"net/http"
	"testing"
)

//nolint:tparallel // one scenario builds on another
func TestMembersLeave(t *testing.T) {
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
		{claim: "who holds options is not just removed", as: f.client, method: "DELETE", path: member, status: 409, has: []string{"keepHoldings"}},
		{claim: "a termination is tried first", as: f.client, method: "DELETE", path: member + "?dryRun=true", body: leaving, status: 200, has: []string{`"optionTerminated"`, `"memberRemoved"`}},
		{claim: "options do not end by who may not edit them", as: clerk, method: "DELETE", path: member, body: leaving, status: 403, has: []string{`"missing":"editIncentivePlan"`}},
		{claim: "nor for a reason that no window knows", as: f.client, method: "PATCH", path: member, body: `{"terminationDate":"2026-02-10","terminationReason":"moved"}`, status: 400, has: []string{"/terminationReason"}},
		{claim: "nothing of which happened", as: f.client, method: "GET", path: at, status: 200, has: []string{`"outstanding":"100"`}},
		{claim: "the termination is carried out with the removal", as: f.client, method: "DELETE", path: member, body: leaving, status: 200, has: []string{`"status":"removed"`, `"terminationDate":"2026-02-10"`}},
		{claim: "what had not vested is forfeited, and the rest has its window", as: f.client, method: "GET", path: at, status: 200, has: []string{`"outstanding":"50"`, `"cancelled":"50"`, `"exercisableUntil":"2026-05-10"`}},
		{claim: "the pool has it back", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"available":"950"`}},
	})
}
