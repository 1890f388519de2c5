package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func fourYears(name string) string { return `{"name":"` + name + `",` + apitest.FourYears + `}` }

func TestVestingScheduleLifecycle(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		id := f.NewSchedule(t, "Standard")
		path := "/v1/vestingSchedule/" + id
		other := b.NewFirm(t, "other@example.com")
		theirs := other.NewSchedule(t, "Theirs")
		tag := f.Must(t, "GET", path, "", http.StatusOK).Header.Get("ETag")
		f.Must(t, "PUT", path, fourYears("Stale"), http.StatusPreconditionFailed, "If-Match", `"1.1"`)
		plan := f.Must(t, "POST", f.Home+"/plan", `{"name":"Plan","vestingSchedules":["`+id+`"]}`, http.StatusCreated).Header.Get("Location")
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a schedule is read as it was written", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{apitest.FourYears, `"name":"Standard"`, f.ID}, Lacks: []string{"successor"}},
			{Claim: "a schedule of another organization is not found", As: other.Client, Method: "GET", Path: path, Status: 404},
			{
				Claim: "a schedule of another organization cannot be superseded", As: other.Client, Method: "PUT", Path: path,
				Body: fourYears("Mine"), Status: 404,
			},
			{
				Claim: "the caller's schedules are listed", As: f.Client, Method: "GET", Path: "/v1/vestingSchedule", Status: 200,
				Has: []string{id}, Lacks: []string{theirs},
			},
			{
				Claim: "the list is filtered by organization", As: f.Client, Method: "GET",
				Path: "/v1/vestingSchedule?organization=" + f.ID, Status: 200, Has: []string{id},
			},
			{Claim: "a foreign organization has no visible schedules", As: f.Client, Method: "GET", Path: "/v1/vestingSchedule?organization=" + other.ID, Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "a duplicate name is refused", As: f.Client, Method: "POST", Path: "/v1/vestingSchedule", Body: `{"organization":"` + f.ID + `","name":"standard",` + apitest.FourYears + `}`, Status: 409, Has: []string{id}},
			{
				Claim: "a dry run changes nothing", As: f.Client, Method: "PUT", Path: path + "?dryRun=true", Body: fourYears("Next"), Status: 200,
				Has: []string{`"dryRun":true`, `"vestingScheduleSuperseded"`},
			},
			{
				Claim: "a foreign schedule cannot be removed from a plan", As: f.Client, Method: "DELETE",
				Path: plan + "/vestingSchedule/" + theirs, Status: 404,
			},
			{Claim: "a successor is created", As: f.Client, Method: "PUT", Path: path, Body: fourYears("Next"), Status: 201, Headers: []string{"If-Match", tag}, Has: []string{`"name":"Next"`}},
			{
				Claim: "a superseded schedule cannot be superseded again", As: f.Client, Method: "PUT", Path: path,
				Body: fourYears("Third"), Status: 409, Has: []string{"successor"},
			},
			{Claim: "the old schedule names its successor", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{`"successor"`}},
			{
				Claim: "the plan has the successor", As: f.Client, Method: "GET", Path: plan, Status: 200,
				Has: []string{"vestingSchedules"}, Lacks: []string{id},
			},
			{Claim: "the list is paged", As: f.Client, Method: "GET", Path: "/v1/vestingSchedule?limit=1", Status: 200, Has: []string{"nextCursor", id}, Lacks: []string{`"Next"`}},
		})
		first := f.Must(t, "GET", "/v1/vestingSchedule?limit=1", "", http.StatusOK).Text(t, "nextCursor")
		second := f.Must(t, "GET", "/v1/vestingSchedule?limit=1&cursor="+first, "", http.StatusOK)
		if rest := second.List(t, "data"); len(rest) != 1 {
			t.Errorf("the second page has %d schedules", len(rest))
		}
	})
}

func TestInvalidVestingSchedulesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	investor := b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	create := func(claim, rest string, has ...string) apitest.Scenario {
		body := `{"organization":"` + f.ID + `","name":"S","allocation":"CUMULATIVE_ROUND_DOWN",` + rest + `}`
		return apitest.Scenario{Claim: claim, As: f.Client, Method: "POST", Path: "/v1/vestingSchedule", Body: body, Status: 400, Has: has}
	}
	apitest.Run(t, []apitest.Scenario{
		create("a cyclic graph is refused", `"terms":{"conditions":[{"id":"a","when":{"kind":"event"},"next":["b"]},{"id":"b","when":{"kind":"event"},"next":["a"]}]}`, "/terms/conditions/0/next", "cyclic"),
		create("dates out of order are refused", `"discrete":[{"date":"2025-02-01","fraction":"0.5"},{"date":"2025-01-01","fraction":"0.5"}]`, "/discrete/1/date", "outOfOrder"),
		create("more than the whole grant is refused", `"discrete":[{"date":"2025-01-01","fraction":"0.6"},{"date":"2025-02-01","fraction":"0.5"}]`, "/discrete", "moreThanGranted"),
		create("a fraction above one is refused", `"discrete":[{"date":"2025-01-01","fraction":"1.5"}]`, "/discrete/0/fraction"),
		create("two forms at once are refused", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"years"}},"discrete":[{"date":"2025-01-01","fraction":"1"}]`, "ambiguous"),
		create("a frequency that does not divide the length is refused", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":9,"unit":"months"}}`, "/continuous/frequency"),
		create("unknown fields are refused", `"colour":1`, "/colour"),
		{Claim: "an investor may not create a schedule", As: investor, Method: "POST", Path: "/v1/vestingSchedule", Body: `{"organization":"` + f.ID + `","name":"S",` + apitest.FourYears + `}`, Status: 403},
	})
}

func TestSharesVestByTheirSchedule(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	id := f.NewSchedule(t, "Standard")
	plan := f.Must(t, "POST", f.Home+"/plan", `{"name":"Plan","vestingSchedules":["`+id+`"]}`, http.StatusCreated).Header.Get("Location")
	ada := b.NewPerson(t, "ada@example.com")
	f.Join(t, f.Home, ada, "Investor")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	held := f.Issue(t, ada.Holder, "4800", `"issueDate":"2024-01-31"`, `"vestingSchedule":"standard"`)
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a shareholding has its vested shares of a date", As: ada, Method: "GET", Path: held + "?asOf=2025-02-27", Status: 200,
			Has: []string{`"vestingSchedule":"` + id + `"`, `"vestingStart":"2024-01-31"`, `"vested":"1200"`, `"unvested":"3600"`, `"nextVesting":{"date":"2025-02-28","quantity":"100","cumulative":"1300"}`},
		},
		{Claim: "no shares vest before the cliff", As: f.Client, Method: "GET", Path: held + "?asOf=2025-01-30", Status: 200, Has: []string{`"vested":"0"`, `"unvested":"4800"`}},
		{Claim: "the list has vested shares", As: f.Client, Method: "GET", Path: f.Home + "/shareholding?asOf=2025-01-31", Status: 200, Has: []string{`"vested":"1200"`}},
		{Claim: "an unknown schedule is refused", As: f.Client, Method: "PATCH", Path: held, Body: `{"vestingSchedule":"none"}`, Status: 400, Has: []string{"/vestingSchedule", "unknownReference"}},
		{Claim: "the holder reads the schedule", As: ada, Method: "GET", Path: "/v1/vestingSchedule/" + id, Status: 200},
		{Claim: "a guest without shares does not find the schedule", As: guest, Method: "GET", Path: "/v1/vestingSchedule/" + id, Status: 404},
		{Claim: "a guest without shares lists no schedules", As: guest, Method: "GET", Path: "/v1/vestingSchedule", Status: 200, Has: []string{`{"data":[]}`}},
		{
			Claim: "a schedule in use cannot be removed", As: f.Client, Method: "DELETE", Path: plan + "/vestingSchedule/" + id,
			Status: 409, Has: []string{"inUse", apitest.IDOf(held)},
		},
	})
}

func TestVestingIsProjected(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	id := f.NewSchedule(t, "Standard")
	ask := func(claim string, as *apitest.Client, body string, status int, has ...string) apitest.Scenario {
		return apitest.Scenario{Claim: claim, As: as, Method: "POST", Path: "/v1/schedule/project", Body: body, Status: status, Has: has}
	}
	grant := `"quantity":"4800","grantDate":"2024-01-31","asOf":"2025-03-01"`
	stored := `{` + grant + `,"vestingSchedule":"` + id + `"}`
	apitest.Run(t, []apitest.Scenario{
		ask("a stored schedule is projected", f.Client, stored, 200,
			`{"date":"2025-01-31","quantity":"1200","cumulative":"1200"}`, `{"date":"2028-01-31","quantity":"100","cumulative":"4800"}`, `"vested":"1300","unvested":"3500"`),
		ask("a stranger's schedule is an unknown reference", other.Client, stored, 400, "/vestingSchedule", "unknownReference"),
		ask("an id of another record is refused", f.Client, `{`+grant+`,"vestingSchedule":"`+f.Common+`"}`, 400, "/vestingSchedule"),
		ask("a schedule in the body is projected", other.Client, `{`+grant+`,"schedule":{`+apitest.FourYears+`}}`, 200, `"vested":"1300"`),
		ask("an earlier start vests past installments on the grant date", f.Client, `{`+grant+`,"vestingStart":"2022-01-31","schedule":{`+apitest.FourYears+`}}`, 200, `{"date":"2024-01-31","quantity":"2400","cumulative":"2400"}`),
		ask("a milestone vests on its date", f.Client,
			`{`+grant+`,"schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"listing","fraction":"0.5"}]},"happenings":[{"condition":"listing","date":"2024-06-01","realized":[1,2]}]}`, 200,
			`"installments":[{"date":"2024-06-01","quantity":"1200","cumulative":"1200"}]`, `"unvested":"3600"`),
		ask("every wrong field is named", f.Client, `{"quantity":"0","grantDate":"2024-01-31","schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"a","fraction":"0.7"},{"milestone":"b","fraction":"0.7"}]}}`, 400,
			"/quantity", "/schedule/discrete", "moreThanGranted"),
		ask("a schedule is required", f.Client, `{`+grant+`}`, 400),
		ask("an unknown condition is refused", f.Client, `{`+grant+`,"schedule":{`+apitest.FourYears+`},"happenings":[{"condition":"x","date":"2024-06-01"}]}`, 400, "/happenings/0/condition"),
	})
}
