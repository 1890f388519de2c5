package http_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

// optionBody returns the body of an option grant from the plan's first pool, issued on
// 2026-01-01. more holds additional fields.
func (f *firm) optionBody(tb testing.TB, plan, entity, quantity, more string) string {
	tb.Helper()
	return `{"organization":"` + f.id + `","kind":"option","entity":"` + entity + `","plan":"` + last(plan) + `","pool":"` + f.pool(tb, plan) +
		`","type":"nso","issueDate":"2026-01-01","quantity":"` + quantity + `"` + more + `}`
}

// option grants an option and returns its path as a holding.
func (f *firm) option(tb testing.TB, plan, entity, quantity, more string) string {
	tb.Helper()
	return f.must(tb, "POST", "/v1/holding", f.optionBody(tb, plan, entity, quantity, more), http.StatusCreated).header.Get("Location")
}

// inTwo vests 100 options: half in January 2026 and half in January 2027.
const (
	inTwo   = `,"vestings":[{"date":"2026-01-15","quantity":"50"},{"date":"2027-01-15","quantity":"50"}]`
	windows = `,"terminationWindows":[{"reason":"voluntaryOther","period":{"n":3,"unit":"months"}}]`
)

// options is the part of the story about grants.
func (f *firm) options(t *testing.T) {
	t.Helper()
	ada, plan := f.holder(t, "Ada Lovelace"), f.plan(t, "Grants", "1000").header.Get("Location")
	held := f.option(t, plan, ada, "100", inTwo+windows)
	at, old := "/v1/option/"+last(held), plan+"/pool/"+f.pool(t, plan)+"/option/"+last(held)
	member := f.must(t, "GET", at, "", http.StatusOK).text(t, "member")
	for _, path := range []string{
		held, old, f.home + "/option", plan + "/pool/" + f.pool(t, plan) + "/option", "/v1/member/" + member + "/options", "/v1/holding",
	} {
		f.must(t, "GET", path, "", http.StatusOK)
	}
	f.must(t, "POST", at+"/accept", "", http.StatusOK)
	f.must(t, "POST", old+"/exercise", `{"quantity":"5","date":"2026-02-01"}`, http.StatusCreated)
	for _, answer := range []string{"accept", "decline"} {
		asked := f.must(t, "POST", old+"/exercise/request", `{"quantity":"5","message":"please"}`, http.StatusCreated)
		requests := asked.list(t, "requests")
		request, _ := requests[len(requests)-1].(map[string]any)
		id, _ := request["id"].(string)
		status, body := http.StatusCreated, ""
		if answer == "decline" {
			status, body = http.StatusOK, `{"reason":"no"}`
		}
		f.must(t, "POST", at+"/exercise/request/"+id+"/"+answer, body, status)
	}
	f.must(t, "POST", at+"/accelerate", `{"quantity":"1","date":"2026-03-02"}`, http.StatusOK)
	f.must(t, "POST", at+"/cancel", `{"quantity":"1","date":"2026-03-02","reason":"r"}`, http.StatusOK)
	f.must(t, "POST", at+"/terminate", `{"date":"2026-03-02","reason":"voluntaryOther"}`, http.StatusOK)
	units := f.must(t, "POST", "/v1/holding", strings.Replace(f.optionBody(t, plan, ada, "10", ""), "nso", "rsu", 1), http.StatusCreated)
	f.must(t, "POST", "/v1/option/"+units.text(t, "id")+"/release", `{"date":"2026-02-01"}`, http.StatusCreated)
	waiting := f.option(t, plan, ada, "10", `,"vesting":{"allocation":"CUMULATIVE_ROUND_DOWN","discrete":[{"milestone":"launch","fraction":"1"}]}`)
	f.must(t, "POST", "/v1/option/"+last(waiting)+"/vesting", `{"condition":"launch","date":"2026-02-01"}`, http.StatusOK)
	f.option(t, plan, ada, "10", `,"expirationDate":"2026-02-01"`)
	f.must(t, "POST", f.home+"/option/expire", "", http.StatusOK)
}

func TestOptionLifecycle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, plan := f.holder(t, "Ada"), f.plan(t, "Plan", "1000", `"termYears":10`).header.Get("Location")
		held, paper := f.option(t, plan, ada, "100", inTwo+windows+`,"externalId":"g-1"`), f.filed(t)
		at, old, list := "/v1/option/"+last(held), plan+"/pool/"+f.pool(t, plan)+"/option/"+last(held), f.home+"/option"
		corrected := strings.Replace(
			f.optionBody(t, plan, ada, "80", `,"vestings":[{"date":"2026-01-15","quantity":"80"}],"reason":"typed wrong"`+windows), `"organization":"`+f.id+`",`, "", 1)
		run(t, []scenario{
			{claim: "a grant has the price of its pool and current figures", as: f.client, method: "GET", path: at, status: 200, has: []string{
				`"kind":"option"`, `"exercisePrice":"0.25"`, `"vested":"50"`, `"exercisable":"50"`, `"outstanding":"100"`, `"nextVesting":{"date":"2027-01-15","quantity":"50"}`,
			}},
			{claim: "the figures of another date", as: f.client, method: "GET", path: at + "?asOf=2026-01-14", status: 200, has: []string{`"vested":"0"`}},
			{claim: "a grant is not found before its issue", as: f.client, method: "GET", path: at + "?asOf=2025-12-31", status: 404},
			{claim: "a grant is readable as a holding", as: f.client, method: "GET", path: held, status: 200, has: []string{`"kind":"option"`, `"vested":"50"`}},
			{claim: "the grant reduces the pool", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"granted":"100"`, `"available":"900"`}},
			{
				claim: "a grant is not found at another pool", as: f.client, method: "GET",
				path: plan + "/pool/" + f.common + "/option/" + last(held), status: 404,
			},
			{claim: "all grants are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{last(held)}},
			{claim: "the list is filtered by type", as: f.client, method: "GET", path: list + "?type=rsu", status: 200, has: []string{`{"data":[]}`}},
			{claim: "the list is filtered by status", as: f.client, method: "GET", path: list + "?status=expired", status: 200, has: []string{`{"data":[]}`}},
			{claim: "the plan dashboard breaks down the grants", as: f.client, method: "GET", path: plan + "/dashboard", status: 200, has: []string{
				`"breakdown":[{"type":"nso","grants":1,"holders":1,"quantity":"100","vested":"50"`, `"averageExercisePrice":"0.25"`, `"statuses":{"active":1}`, `"nextVesting":{"date":"2027-01-15","quantity":"50"}`,
			}},
			{claim: "a grant beyond the pool is refused with the figures", as: f.client, method: "POST", path: "/v1/holding", body: f.optionBody(t, plan, ada, "901", ""), status: 409, has: []string{"insufficientShares", `"available":"900"`}},
			{claim: "fields of other kinds are refused by name", as: f.client, method: "POST", path: "/v1/holding", body: f.optionBody(t, plan, ada, "1", `,"mfn":true`), status: 400, has: []string{"/mfn", "notOfThisKind"}},
			{claim: "option fields are refused for other kinds", as: f.client, method: "POST", path: "/v1/holding", body: f.holding("safe", ada, safeTerms+`,"earlyExercise":true`), status: 400, has: []string{"/earlyExercise", "notOfThisKind"}},
			{
				claim: "an unknown plan is refused", as: f.client, method: "POST", path: "/v1/holding",
				body: strings.Replace(f.optionBody(t, plan, ada, "1", ""), last(plan), f.common, 1), status: 400,
				has: []string{"/plan", "unknownReference"},
			},
			{claim: "clerical fields are amended", as: f.client, method: "PATCH", path: held, body: `{"agreement":"` + paper + `"}`, status: 200, has: []string{`"agreement":"` + paper + `"`}},
			{claim: "a stale amendment is refused", as: f.client, method: "PATCH", path: held, body: `{"agreement":"` + paper + `"}`, headers: []string{"If-Match", `"1.0"`}, status: 412, has: []string{"stale"}},
			{claim: "a grant cannot be repaid", as: f.client, method: "POST", path: held + "/repay", body: `{"amount":"1","date":"2026-02-01"}`, status: 409, has: []string{"no debt"}},
			{claim: "a grant cannot be converted", as: f.client, method: "POST", path: held + "/convert", body: `{"date":"2026-02-01","pricePerShare":"1","security":"` + f.common + `"}`, status: 409, has: []string{"does not convert"}},
			{claim: "a grant is not exercised as a warrant", as: f.client, method: "POST", path: held + "/exercise", body: `{"quantity":"1","date":"2026-02-01"}`, status: 409, has: []string{"at its pool"}},
			{claim: "other fields are corrected with a reason", as: f.client, method: "PUT", path: held, body: corrected, status: 200, has: []string{`"quantity":"80"`}},
			{claim: "an exercise beyond the exercisable quantity is refused with the figures", as: f.client, method: "POST", path: old + "/exercise", body: `{"quantity":"81","date":"2026-02-01"}`, status: 409, has: []string{"insufficientShares", `"exercisable":"80"`, `"requested":"81"`}},
			{claim: "an exercise is previewed", as: f.client, method: "POST", path: old + "/exercise?dryRun=true", body: `{"quantity":"30","date":"2026-02-01"}`, status: 200, has: []string{`"optionExercised"`}},
			{claim: "an exercise issues shares", as: f.client, method: "POST", path: old + "/exercise", body: `{"quantity":"30","date":"2026-02-01"}`, status: 201, has: []string{`"exercised":"30"`, `"shares":"30"`, `"kind":"exercised"`}},
			{claim: "a net exercise issues fewer shares", as: f.client, method: "POST", path: old + "/exercise", body: `{"quantity":"10","date":"2026-02-01","payment":"net","marketValue":"1"}`, status: 201, has: []string{`"shares":"7"`, `"withheld":"3"`, `"cashFraction":"0.5"`}},
			{claim: "an exercised grant cannot be voided", as: f.client, method: "DELETE", path: held, status: 409, has: []string{"hasResults"}},
			{claim: "a termination opens the window", as: f.client, method: "POST", path: at + "/terminate", body: `{"date":"2026-02-10","reason":"voluntaryOther"}`, status: 200, has: []string{`"exercisableUntil":"2026-05-10"`}},
			{claim: "the grant expires after the window", as: f.client, method: "GET", path: at + "?asOf=2026-05-11", status: 200, has: []string{`"status":"expired"`, `"expired":"40"`, `"exercisable":"0"`, `"end":{"date":"2026-05-11"}`}},
			{claim: "expired options return to the pool", as: f.client, method: "GET", path: plan + "?asOf=2026-05-11", status: 200, has: []string{`"cancelled":"40"`, `"available":"960"`}},
			{claim: "the dashboard counts the returned options", as: f.client, method: "GET", path: plan + "/dashboard?asOf=2026-05-11", status: 200, has: []string{`"cancelled":"40"`, `"available":"960"`}},
			{claim: "the dashboard of a past date", as: f.client, method: "GET", path: plan + "/dashboard?asOf=2026-01-31", status: 200, has: []string{`"exercised":"0"`, `"outstanding":"80"`, `"available":"920"`}},
		})
		deprecated := f.must(t, "GET", old, "", http.StatusOK)
		if link := deprecated.header.Get("Link"); link != "<"+at+`>; rel="successor-version"` || deprecated.header.Get("Deprecation") == "" {
			t.Errorf("the deprecated path has the link %q", link)
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestEmployeeRequestsExercise(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	employee := b.person(t, "employee@example.com")
	f.join(t, f.home, employee, "Guest")
	plan := f.plan(t, "Plan", "1000").header.Get("Location")
	own := f.option(t, plan, employee.holder, "100", "")
	hers := f.option(t, plan, f.holder(t, "Zoe"), "77", "")
	path := func(held string) string { return plan + "/pool/" + f.pool(t, plan) + "/option/" + last(held) }
	run(t, []scenario{
		{
			claim: "an employee lists their own options", as: employee, method: "GET", path: f.home + "/option", status: 200,
			has: []string{last(own)}, lacks: []string{last(hers)},
		},
		{claim: "an employee lists their own holdings", as: employee, method: "GET", path: "/v1/holding", status: 200, has: []string{last(own), `"exercisable":"100"`}, lacks: []string{last(hers)}},
		{claim: "an employee reads their own option", as: employee, method: "GET", path: "/v1/option/" + last(own), status: 200},
		{claim: "an employee may not read another option", as: employee, method: "GET", path: "/v1/option/" + last(hers), status: 403},
		{claim: "an employee may not read another option as a holding", as: employee, method: "GET", path: hers, status: 403},
		{
			claim: "an employee may not list the options of a pool", as: employee, method: "GET",
			path: plan + "/pool/" + f.pool(t, plan) + "/option", status: 403,
		},
		{claim: "an employee accepts the grant", as: employee, method: "POST", path: "/v1/option/" + last(own) + "/accept", status: 200, has: []string{`"status":"accepted"`}},
		{claim: "an employee may not exercise without approval", as: employee, method: "POST", path: path(own) + "/exercise", body: `{"quantity":"10","date":"2026-02-01"}`, status: 403},
		{claim: "an employee requests an exercise", as: employee, method: "POST", path: path(own) + "/exercise/request", body: `{"quantity":"10","date":"2026-02-01"}`, status: 201, has: []string{`"status":"pending"`}},
		{claim: "an employee may not request an exercise for another holder", as: employee, method: "POST", path: path(hers) + "/exercise/request", body: `{"quantity":"10"}`, status: 403},
		{claim: "a request beyond the exercisable quantity is refused", as: employee, method: "POST", path: path(own) + "/exercise/request", body: `{"quantity":"91"}`, status: 409, has: []string{`"requestedBefore":"10"`}},
	})
	requests := f.must(t, "GET", "/v1/option/"+last(own), "", http.StatusOK).list(t, "requests")
	first, _ := requests[0].(map[string]any)
	id, _ := first["id"].(string)
	answer := "/v1/option/" + last(own) + "/exercise/request/" + id
	run(t, []scenario{
		{claim: "an employee may not accept their own request", as: employee, method: "POST", path: answer + "/accept", status: 403},
		{claim: "an editor of the plan accepts the request", as: f.client, method: "POST", path: answer + "/accept", status: 201, has: []string{`"shares":"10"`, `"status":"accepted"`}},
		{claim: "an accepted request cannot be declined", as: f.client, method: "POST", path: answer + "/decline", body: `{"reason":"too late"}`, status: 409},
		{claim: "the employee holds the issued shares", as: employee, method: "GET", path: f.home + "/shareholding", status: 200, has: []string{`"shares":"10"`}},
	})
}

func TestGrantTagSurvivesChangesOfOtherRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	at := "/v1/option/" + last(f.option(t, f.plan(t, "Plan", "100").header.Get("Location"), f.holder(t, "Ada"), "10", ""))
	f.holder(t, "Bob")
	tag := f.must(t, "GET", at, "", http.StatusOK).header.Get("ETag")
	f.must(t, "POST", at+"/accept", "", http.StatusOK, "If-Match", tag)
	f.must(t, "POST", at+"/cancel", `{"date":"2026-03-02","reason":"r"}`, http.StatusPreconditionFailed, "If-Match", tag)
}

func TestOptionListsMatchTheirPath(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	lists, boards := map[string]string{}, map[string]string{}
	for _, name := range []string{"Ada", "Bob"} {
		plan := f.plan(t, name+"'s plan", "100").header.Get("Location")
		held := f.option(t, plan, f.holder(t, name), "10", "")
		member := f.must(t, "GET", "/v1/option/"+last(held), "", http.StatusOK).text(t, "member")
		lists[plan+"/pool/"+f.pool(t, plan)+"/option"] = last(held)
		lists["/v1/member/"+member+"/options"] = last(held)
		boards[plan+"/dashboard"] = last(plan)
	}
	for range 2 { // computed, then cached
		for path, want := range lists {
			options := f.must(t, "GET", path, "", http.StatusOK).list(t, "data")
			first, _ := options[0].(map[string]any)
			if len(options) != 1 || first["id"] != want {
				t.Errorf("%s lists %d options, first %v, want only %s", path, len(options), first["id"], want)
			}
		}
		for path, plan := range boards {
			if got := f.must(t, "GET", path, "", http.StatusOK); !strings.Contains(got.body, plan) {
				t.Errorf("%s is the dashboard of another plan: %s", path, got.body)
			}
		}
	}
}

func TestLastOptionsAreExercisedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	plan := f.plan(t, "Plan", "1000").header.Get("Location")
	held := f.option(t, plan, f.holder(t, "Ada"), "100", "")
	path := plan + "/pool/" + f.pool(t, plan) + "/option/" + last(held) + "/exercise"
	statuses := make([]int, 2)
	var wait sync.WaitGroup
	for i := range statuses {
		wait.Go(func() { statuses[i] = f.copy().send(t, "POST", path, `{"quantity":"60","date":"2026-02-01"}`).status })
	}
	wait.Wait()
	if sum := statuses[0] + statuses[1]; sum != http.StatusCreated+http.StatusConflict {
		t.Errorf("two exercises of the last options have the statuses %v", statuses)
	}
	if got := f.must(t, "GET", held, "", http.StatusOK); got.text(t, "exercised") != "60" {
		t.Error(got.body)
	}
}
