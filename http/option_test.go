package http_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"equity/http/apitest"
)

// optionsStory is the part of the story about grants.
func optionsStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	ada, plan := f.NewHolder(t, "Ada Lovelace"), f.NewPlan(t, "Grants", "1000").Header.Get("Location")
	held := f.GrantOption(t, plan, ada, "100", apitest.VestsInTwo+apitest.TerminationWindows)
	at, old := "/v1/option/"+apitest.IDOf(held), plan+"/pool/"+f.FirstPool(t, plan)+"/option/"+apitest.IDOf(held)
	member := f.Must(t, "GET", at, "", http.StatusOK).Text(t, "member")
	for _, path := range []string{
		held, old, f.Home + "/option", plan + "/pool/" + f.FirstPool(t, plan) + "/option",
		"/v1/member/" + member + "/options", "/v1/holding",
	} {
		f.Must(t, "GET", path, "", http.StatusOK)
	}
	f.Must(t, "POST", at+"/accept", "", http.StatusOK)
	f.Must(t, "POST", old+"/exercise", `{"quantity":"5","date":"2026-02-01"}`, http.StatusCreated)
	for _, answer := range []string{"accept", "decline"} {
		asked := f.Must(t, "POST", old+"/exercise/request", `{"quantity":"5","message":"please"}`, http.StatusCreated)
		requests := asked.List(t, "requests")
		request, _ := requests[len(requests)-1].(map[string]any)
		id, _ := request["id"].(string)
		status, body := http.StatusCreated, ""
		if answer == "decline" {
			status, body = http.StatusOK, `{"reason":"no"}`
		}
		f.Must(t, "POST", at+"/exercise/request/"+id+"/"+answer, body, status)
	}
	f.Must(t, "POST", at+"/accelerate", `{"quantity":"1","date":"2026-03-02"}`, http.StatusOK)
	f.Must(t, "POST", at+"/cancel", `{"quantity":"1","date":"2026-03-02","reason":"r"}`, http.StatusOK)
	f.Must(t, "POST", at+"/terminate", `{"date":"2026-03-02","reason":"voluntaryOther"}`, http.StatusOK)
	units := f.Must(t, "POST", "/v1/holding", strings.Replace(f.OptionBody(t, plan, ada, "10", ""), "nso", "rsu", 1), http.StatusCreated)
	f.Must(t, "POST", "/v1/option/"+units.Text(t, "id")+"/release", `{"date":"2026-02-01"}`, http.StatusCreated)
	waiting := f.GrantOption(t, plan, ada, "10", `,"vesting":{"allocation":"CUMULATIVE_ROUND_DOWN","discrete":[{"milestone":"launch","fraction":"1"}]}`)
	f.Must(t, "POST", "/v1/option/"+apitest.IDOf(waiting)+"/vesting", `{"condition":"launch","date":"2026-02-01"}`, http.StatusOK)
	f.GrantOption(t, plan, ada, "10", `,"expirationDate":"2026-02-01"`)
	f.Must(t, "POST", f.Home+"/option/expire", "", http.StatusOK)
}

func TestOptionLifecycle(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, plan := f.NewHolder(t, "Ada"), f.NewPlan(t, "Plan", "1000", `"termYears":10`).Header.Get("Location")
		held, paper := f.GrantOption(
			t, plan, ada, "100", apitest.VestsInTwo+apitest.TerminationWindows+`,"externalId":"g-1"`,
		), f.StoreFile(t)
		at, old, list := "/v1/option/"+apitest.IDOf(held),
			plan+"/pool/"+f.FirstPool(t, plan)+"/option/"+apitest.IDOf(held), f.Home+"/option"
		corrected := strings.Replace(
			f.OptionBody(t, plan, ada, "80", `,"vestings":[{"date":"2026-01-15","quantity":"80"}],"reason":"typed wrong"`+apitest.TerminationWindows), `"organization":"`+f.ID+`",`, "", 1)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a grant has the price of its pool and current figures", As: f.Client, Method: "GET", Path: at, Status: 200, Has: []string{
				`"kind":"option"`, `"exercisePrice":"0.25"`, `"vested":"50"`, `"exercisable":"50"`, `"outstanding":"100"`, `"nextVesting":{"date":"2027-01-15","quantity":"50"}`,
			}},
			{Claim: "the figures of another date", As: f.Client, Method: "GET", Path: at + "?asOf=2026-01-14", Status: 200, Has: []string{`"vested":"0"`}},
			{Claim: "a grant is not found before its issue", As: f.Client, Method: "GET", Path: at + "?asOf=2025-12-31", Status: 404},
			{Claim: "a grant is readable as a holding", As: f.Client, Method: "GET", Path: held, Status: 200, Has: []string{`"kind":"option"`, `"vested":"50"`}},
			{Claim: "the grant reduces the pool", As: f.Client, Method: "GET", Path: plan, Status: 200, Has: []string{`"granted":"100"`, `"available":"900"`}},
			{
				Claim: "a grant is not found at another pool", As: f.Client, Method: "GET",
				Path: plan + "/pool/" + f.Common + "/option/" + apitest.IDOf(held), Status: 404,
			},
			{Claim: "all grants are listed", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{apitest.IDOf(held)}},
			{Claim: "the list is filtered by type", As: f.Client, Method: "GET", Path: list + "?type=rsu", Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "the list is filtered by status", As: f.Client, Method: "GET", Path: list + "?status=expired", Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "the plan dashboard breaks down the grants", As: f.Client, Method: "GET", Path: plan + "/dashboard", Status: 200, Has: []string{
				`"breakdown":[{"type":"nso","grants":1,"holders":1,"quantity":"100","vested":"50"`, `"averageExercisePrice":"0.25"`, `"statuses":{"active":1}`, `"nextVesting":{"date":"2027-01-15","quantity":"50"}`,
			}},
			{Claim: "a grant beyond the pool is refused with the figures", As: f.Client, Method: "POST", Path: "/v1/holding", Body: f.OptionBody(t, plan, ada, "901", ""), Status: 409, Has: []string{"insufficientShares", `"available":"900"`}},
			{Claim: "fields of other kinds are refused by name", As: f.Client, Method: "POST", Path: "/v1/holding", Body: f.OptionBody(t, plan, ada, "1", `,"mfn":true`), Status: 400, Has: []string{"/mfn", "notOfThisKind"}},
			{Claim: "option fields are refused for other kinds", As: f.Client, Method: "POST", Path: "/v1/holding", Body: f.HoldingBody("safe", ada, apitest.SafeTerms+`,"earlyExercise":true`), Status: 400, Has: []string{"/earlyExercise", "notOfThisKind"}},
			{
				Claim: "an unknown plan is refused", As: f.Client, Method: "POST", Path: "/v1/holding",
				Body: strings.Replace(f.OptionBody(t, plan, ada, "1", ""), apitest.IDOf(plan), f.Common, 1), Status: 400,
				Has: []string{"/plan", "unknownReference"},
			},
			{Claim: "clerical fields are amended", As: f.Client, Method: "PATCH", Path: held, Body: `{"agreement":"` + paper + `"}`, Status: 200, Has: []string{`"agreement":"` + paper + `"`}},
			{Claim: "a stale amendment is refused", As: f.Client, Method: "PATCH", Path: held, Body: `{"agreement":"` + paper + `"}`, Headers: []string{"If-Match", `"1.0"`}, Status: 412, Has: []string{"stale"}},
			{Claim: "a grant cannot be repaid", As: f.Client, Method: "POST", Path: held + "/repay", Body: `{"amount":"1","date":"2026-02-01"}`, Status: 409, Has: []string{"no debt"}},
			{Claim: "a grant cannot be converted", As: f.Client, Method: "POST", Path: held + "/convert", Body: `{"date":"2026-02-01","pricePerShare":"1","security":"` + f.Common + `"}`, Status: 409, Has: []string{"does not convert"}},
			{Claim: "a grant is not exercised as a warrant", As: f.Client, Method: "POST", Path: held + "/exercise", Body: `{"quantity":"1","date":"2026-02-01"}`, Status: 409, Has: []string{"at its pool"}},
			{Claim: "other fields are corrected with a reason", As: f.Client, Method: "PUT", Path: held, Body: corrected, Status: 200, Has: []string{`"quantity":"80"`}},
			{Claim: "an exercise beyond the exercisable quantity is refused with the figures", As: f.Client, Method: "POST", Path: old + "/exercise", Body: `{"quantity":"81","date":"2026-02-01"}`, Status: 409, Has: []string{"insufficientShares", `"exercisable":"80"`, `"requested":"81"`}},
			{Claim: "an exercise is previewed", As: f.Client, Method: "POST", Path: old + "/exercise?dryRun=true", Body: `{"quantity":"30","date":"2026-02-01"}`, Status: 200, Has: []string{`"optionExercised"`}},
			{Claim: "an exercise issues shares", As: f.Client, Method: "POST", Path: old + "/exercise", Body: `{"quantity":"30","date":"2026-02-01"}`, Status: 201, Has: []string{`"exercised":"30"`, `"shares":"30"`, `"kind":"exercised"`}},
			{Claim: "a net exercise issues fewer shares", As: f.Client, Method: "POST", Path: old + "/exercise", Body: `{"quantity":"10","date":"2026-02-01","payment":"net","marketValue":"1"}`, Status: 201, Has: []string{`"shares":"7"`, `"withheld":"3"`, `"cashFraction":"0.5"`}},
			{Claim: "an exercised grant cannot be voided", As: f.Client, Method: "DELETE", Path: held, Status: 409, Has: []string{"hasResults"}},
			{Claim: "a termination opens the window", As: f.Client, Method: "POST", Path: at + "/terminate", Body: `{"date":"2026-02-10","reason":"voluntaryOther"}`, Status: 200, Has: []string{`"exercisableUntil":"2026-05-10"`}},
			{Claim: "the grant expires after the window", As: f.Client, Method: "GET", Path: at + "?asOf=2026-05-11", Status: 200, Has: []string{`"status":"expired"`, `"expired":"40"`, `"exercisable":"0"`, `"end":{"date":"2026-05-11"}`}},
			{Claim: "expired options return to the pool", As: f.Client, Method: "GET", Path: plan + "?asOf=2026-05-11", Status: 200, Has: []string{`"cancelled":"40"`, `"available":"960"`}},
			{Claim: "the dashboard counts the returned options", As: f.Client, Method: "GET", Path: plan + "/dashboard?asOf=2026-05-11", Status: 200, Has: []string{`"cancelled":"40"`, `"available":"960"`}},
			{Claim: "the dashboard of a past date", As: f.Client, Method: "GET", Path: plan + "/dashboard?asOf=2026-01-31", Status: 200, Has: []string{`"exercised":"0"`, `"outstanding":"80"`, `"available":"920"`}},
		})
		deprecated := f.Must(t, "GET", old, "", http.StatusOK)
		if link := deprecated.Header.Get("Link"); link != "<"+at+`>; rel="successor-version"` || deprecated.Header.Get("Deprecation") == "" {
			t.Errorf("the deprecated path has the link %q", link)
		}
	})
}

func TestEmployeeRequestsExercise(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	employee := b.NewPerson(t, "employee@example.com")
	f.Join(t, f.Home, employee, "Guest")
	plan := f.NewPlan(t, "Plan", "1000").Header.Get("Location")
	own := f.GrantOption(t, plan, employee.Holder, "100", "")
	hers := f.GrantOption(t, plan, f.NewHolder(t, "Zoe"), "77", "")
	path := func(held string) string {
		return plan + "/pool/" + f.FirstPool(t, plan) + "/option/" + apitest.IDOf(held)
	}
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "an employee lists their own options", As: employee, Method: "GET", Path: f.Home + "/option", Status: 200,
			Has: []string{apitest.IDOf(own)}, Lacks: []string{apitest.IDOf(hers)},
		},
		{Claim: "an employee lists their own holdings", As: employee, Method: "GET", Path: "/v1/holding", Status: 200, Has: []string{apitest.IDOf(own), `"exercisable":"100"`}, Lacks: []string{apitest.IDOf(hers)}},
		{Claim: "an employee reads their own option", As: employee, Method: "GET", Path: "/v1/option/" + apitest.IDOf(own), Status: 200},
		{Claim: "an employee may not read another option", As: employee, Method: "GET", Path: "/v1/option/" + apitest.IDOf(hers), Status: 403},
		{Claim: "an employee may not read another option as a holding", As: employee, Method: "GET", Path: hers, Status: 403},
		{
			Claim: "an employee may not list the options of a pool", As: employee, Method: "GET",
			Path: plan + "/pool/" + f.FirstPool(t, plan) + "/option", Status: 403,
		},
		{Claim: "an employee accepts the grant", As: employee, Method: "POST", Path: "/v1/option/" + apitest.IDOf(own) + "/accept", Status: 200, Has: []string{`"status":"accepted"`}},
		{Claim: "an employee may not exercise without approval", As: employee, Method: "POST", Path: path(own) + "/exercise", Body: `{"quantity":"10","date":"2026-02-01"}`, Status: 403},
		{Claim: "an employee requests an exercise", As: employee, Method: "POST", Path: path(own) + "/exercise/request", Body: `{"quantity":"10","date":"2026-02-01"}`, Status: 201, Has: []string{`"status":"pending"`}},
		{Claim: "an employee may not request an exercise for another holder", As: employee, Method: "POST", Path: path(hers) + "/exercise/request", Body: `{"quantity":"10"}`, Status: 403},
		{Claim: "a request beyond the exercisable quantity is refused", As: employee, Method: "POST", Path: path(own) + "/exercise/request", Body: `{"quantity":"91"}`, Status: 409, Has: []string{`"requestedBefore":"10"`}},
	})
	requests := f.Must(t, "GET", "/v1/option/"+apitest.IDOf(own), "", http.StatusOK).List(t, "requests")
	first, _ := requests[0].(map[string]any)
	id, _ := first["id"].(string)
	answer := "/v1/option/" + apitest.IDOf(own) + "/exercise/request/" + id
	apitest.Run(t, []apitest.Scenario{
		{Claim: "an employee may not accept their own request", As: employee, Method: "POST", Path: answer + "/accept", Status: 403},
		{Claim: "an editor of the plan accepts the request", As: f.Client, Method: "POST", Path: answer + "/accept", Status: 201, Has: []string{`"shares":"10"`, `"status":"accepted"`}},
		{Claim: "an accepted request cannot be declined", As: f.Client, Method: "POST", Path: answer + "/decline", Body: `{"reason":"too late"}`, Status: 409},
		{Claim: "the employee holds the issued shares", As: employee, Method: "GET", Path: f.Home + "/shareholding", Status: 200, Has: []string{`"shares":"10"`}},
	})
}

func TestGrantTagSurvivesChangesOfOtherRecords(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	at := "/v1/option/" + apitest.IDOf(
		f.GrantOption(t, f.NewPlan(t, "Plan", "100").Header.Get("Location"), f.NewHolder(t, "Ada"), "10", ""),
	)
	f.NewHolder(t, "Bob")
	tag := f.Must(t, "GET", at, "", http.StatusOK).Header.Get("ETag")
	f.Must(t, "POST", at+"/accept", "", http.StatusOK, "If-Match", tag)
	f.Must(t, "POST", at+"/cancel", `{"date":"2026-03-02","reason":"r"}`, http.StatusPreconditionFailed, "If-Match", tag)
}

func TestOptionListsMatchTheirPath(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	lists, boards := map[string]string{}, map[string]string{}
	for _, name := range []string{"Ada", "Bob"} {
		plan := f.NewPlan(t, name+"'s plan", "100").Header.Get("Location")
		held := f.GrantOption(t, plan, f.NewHolder(t, name), "10", "")
		member := f.Must(t, "GET", "/v1/option/"+apitest.IDOf(held), "", http.StatusOK).Text(t, "member")
		lists[plan+"/pool/"+f.FirstPool(t, plan)+"/option"] = apitest.IDOf(held)
		lists["/v1/member/"+member+"/options"] = apitest.IDOf(held)
		boards[plan+"/dashboard"] = apitest.IDOf(plan)
	}
	for range 2 { // computed, then cached
		for path, want := range lists {
			options := f.Must(t, "GET", path, "", http.StatusOK).List(t, "data")
			first, _ := options[0].(map[string]any)
			if len(options) != 1 || first["id"] != want {
				t.Errorf("%s lists %d options, first %v, want only %s", path, len(options), first["id"], want)
			}
		}
		for path, plan := range boards {
			if got := f.Must(t, "GET", path, "", http.StatusOK); !strings.Contains(got.Body, plan) {
				t.Errorf("%s is the dashboard of another plan: %s", path, got.Body)
			}
		}
	}
}

func TestLastOptionsAreExercisedOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	plan := f.NewPlan(t, "Plan", "1000").Header.Get("Location")
	held := f.GrantOption(t, plan, f.NewHolder(t, "Ada"), "100", "")
	path := plan + "/pool/" + f.FirstPool(t, plan) + "/option/" + apitest.IDOf(held) + "/exercise"
	statuses := make([]int, 2)
	var wait sync.WaitGroup
	for i := range statuses {
		wait.Go(func() { statuses[i] = f.Copy().Send(t, "POST", path, `{"quantity":"60","date":"2026-02-01"}`).Status })
	}
	wait.Wait()
	if sum := statuses[0] + statuses[1]; sum != http.StatusCreated+http.StatusConflict {
		t.Errorf("two exercises of the last options have the statuses %v", statuses)
	}
	if got := f.Must(t, "GET", held, "", http.StatusOK); got.Text(t, "exercised") != "60" {
		t.Error(got.Body)
	}
}
