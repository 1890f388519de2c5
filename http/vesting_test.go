package http_test

import (
	"net/http"
	"testing"
)

// scheme vests monthly over four years with a cliff of one year.
const scheme = `"allocation":"CUMULATIVE_ROUND_DOWN","continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"months"},"cliff":{"after":{"n":1,"unit":"years"}}}`

func fourYears(name string) string { return `{"name":"` + name + `",` + scheme + `}` }

// schedule creates a vesting schedule of four years and returns its id.
func (f *firm) schedule(tb testing.TB, name string) string {
	tb.Helper()
	body := `{"organization":"` + f.id + `","name":"` + name + `",` + scheme + `}`
	return f.must(tb, "POST", "/v1/vestingSchedule", body, http.StatusCreated).text(tb, "id")
}

func TestVestingScheduleLifecycle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		id := f.schedule(t, "Standard")
		path := "/v1/vestingSchedule/" + id
		other := b.firm(t, "other@example.com")
		theirs := other.schedule(t, "Theirs")
		tag := f.must(t, "GET", path, "", http.StatusOK).header.Get("ETag")
		f.must(t, "PUT", path, fourYears("Stale"), http.StatusPreconditionFailed, "If-Match", `"1.1"`)
		plan := f.must(t, "POST", f.home+"/plan", `{"name":"Plan","vestingSchedules":["`+id+`"]}`, http.StatusCreated).header.Get("Location")
		run(t, []scenario{
			{claim: "a schedule is read as it was written", as: f.client, method: "GET", path: path, status: 200, has: []string{scheme, `"name":"Standard"`, f.id}, lacks: []string{"successor"}},
			{claim: "a schedule of another organization is not found", as: other.client, method: "GET", path: path, status: 404},
			{
				claim: "a schedule of another organization cannot be superseded", as: other.client, method: "PUT", path: path,
				body: fourYears("Mine"), status: 404,
			},
			{
				claim: "the caller's schedules are listed", as: f.client, method: "GET", path: "/v1/vestingSchedule", status: 200,
				has: []string{id}, lacks: []string{theirs},
			},
			{
				claim: "the list is filtered by organization", as: f.client, method: "GET",
				path: "/v1/vestingSchedule?organization=" + f.id, status: 200, has: []string{id},
			},
			{claim: "a foreign organization has no visible schedules", as: f.client, method: "GET", path: "/v1/vestingSchedule?organization=" + other.id, status: 200, has: []string{`{"data":[]}`}},
			{claim: "a duplicate name is refused", as: f.client, method: "POST", path: "/v1/vestingSchedule", body: `{"organization":"` + f.id + `","name":"standard",` + scheme + `}`, status: 409, has: []string{id}},
			{
				claim: "a dry run changes nothing", as: f.client, method: "PUT", path: path + "?dryRun=true", body: fourYears("Next"), status: 200,
				has: []string{`"dryRun":true`, `"vestingScheduleSuperseded"`},
			},
			{
				claim: "a foreign schedule cannot be removed from a plan", as: f.client, method: "DELETE",
				path: plan + "/vestingSchedule/" + theirs, status: 404,
			},
			{claim: "a successor is created", as: f.client, method: "PUT", path: path, body: fourYears("Next"), status: 201, headers: []string{"If-Match", tag}, has: []string{`"name":"Next"`}},
			{
				claim: "a superseded schedule cannot be superseded again", as: f.client, method: "PUT", path: path,
				body: fourYears("Third"), status: 409, has: []string{"successor"},
			},
			{claim: "the old schedule names its successor", as: f.client, method: "GET", path: path, status: 200, has: []string{`"successor"`}},
			{
				claim: "the plan has the successor", as: f.client, method: "GET", path: plan, status: 200,
				has: []string{"vestingSchedules"}, lacks: []string{id},
			},
			{claim: "the list is paged", as: f.client, method: "GET", path: "/v1/vestingSchedule?limit=1", status: 200, has: []string{"nextCursor", id}, lacks: []string{`"Next"`}},
		})
		first := f.must(t, "GET", "/v1/vestingSchedule?limit=1", "", http.StatusOK).text(t, "nextCursor")
		second := f.must(t, "GET", "/v1/vestingSchedule?limit=1&cursor="+first, "", http.StatusOK)
		if rest := second.list(t, "data"); len(rest) != 1 {
			t.Errorf("the second page has %d schedules", len(rest))
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestInvalidVestingSchedulesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	investor := b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	create := func(claim, rest string, has ...string) scenario {
		body := `{"organization":"` + f.id + `","name":"S","allocation":"CUMULATIVE_ROUND_DOWN",` + rest + `}`
		return scenario{claim: claim, as: f.client, method: "POST", path: "/v1/vestingSchedule", body: body, status: 400, has: has}
	}
	run(t, []scenario{
		create("a cyclic graph is refused", `"terms":{"conditions":[{"id":"a","when":{"kind":"event"},"next":["b"]},{"id":"b","when":{"kind":"event"},"next":["a"]}]}`, "/terms/conditions/0/next", "cyclic"),
		create("dates out of order are refused", `"discrete":[{"date":"2025-02-01","fraction":"0.5"},{"date":"2025-01-01","fraction":"0.5"}]`, "/discrete/1/date", "outOfOrder"),
		create("more than the whole grant is refused", `"discrete":[{"date":"2025-01-01","fraction":"0.6"},{"date":"2025-02-01","fraction":"0.5"}]`, "/discrete", "moreThanGranted"),
		create("a fraction above one is refused", `"discrete":[{"date":"2025-01-01","fraction":"1.5"}]`, "/discrete/0/fraction"),
		create("two forms at once are refused", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"years"}},"discrete":[{"date":"2025-01-01","fraction":"1"}]`, "ambiguous"),
		create("a frequency that does not divide the length is refused", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":9,"unit":"months"}}`, "/continuous/frequency"),
		create("unknown fields are refused", `"colour":1`, "/colour"),
		{claim: "an investor may not create a schedule", as: investor, method: "POST", path: "/v1/vestingSchedule", body: `{"organization":"` + f.id + `","name":"S",` + scheme + `}`, status: 403},
	})
}

//nolint:tparallel // the scenarios share one company
func TestSharesVestByTheirSchedule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	id := f.schedule(t, "Standard")
	plan := f.must(t, "POST", f.home+"/plan", `{"name":"Plan","vestingSchedules":["`+id+`"]}`, http.StatusCreated).header.Get("Location")
	ada := b.person(t, "ada@example.com")
	f.join(t, f.home, ada, "Investor")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	held := f.issue(t, ada.holder, "4800", `"issueDate":"2024-01-31"`, `"vestingSchedule":"standard"`)
	run(t, []scenario{
		{
			claim: "a shareholding has its vested shares of a date", as: ada, method: "GET", path: held + "?asOf=2025-02-27", status: 200,
			has: []string{`"vestingSchedule":"` + id + `"`, `"vestingStart":"2024-01-31"`, `"vested":"1200"`, `"unvested":"3600"`, `"nextVesting":{"date":"2025-02-28","quantity":"100","cumulative":"1300"}`},
		},
		{claim: "no shares vest before the cliff", as: f.client, method: "GET", path: held + "?asOf=2025-01-30", status: 200, has: []string{`"vested":"0"`, `"unvested":"4800"`}},
		{claim: "the list has vested shares", as: f.client, method: "GET", path: f.home + "/shareholding?asOf=2025-01-31", status: 200, has: []string{`"vested":"1200"`}},
		{claim: "an unknown schedule is refused", as: f.client, method: "PATCH", path: held, body: `{"vestingSchedule":"none"}`, status: 400, has: []string{"/vestingSchedule", "unknownReference"}},
		{claim: "the holder reads the schedule", as: ada, method: "GET", path: "/v1/vestingSchedule/" + id, status: 200},
		{claim: "a guest without shares does not find the schedule", as: guest, method: "GET", path: "/v1/vestingSchedule/" + id, status: 404},
		{claim: "a guest without shares lists no schedules", as: guest, method: "GET", path: "/v1/vestingSchedule", status: 200, has: []string{`{"data":[]}`}},
		{
			claim: "a schedule in use cannot be removed", as: f.client, method: "DELETE", path: plan + "/vestingSchedule/" + id,
			status: 409, has: []string{"inUse", last(held)},
		},
	})
}

//nolint:tparallel // the scenarios share one company
func TestVestingIsProjected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	id := f.schedule(t, "Standard")
	ask := func(claim string, as *client, body string, status int, has ...string) scenario {
		return scenario{claim: claim, as: as, method: "POST", path: "/v1/schedule/project", body: body, status: status, has: has}
	}
	grant := `"quantity":"4800","grantDate":"2024-01-31","asOf":"2025-03-01"`
	stored := `{` + grant + `,"vestingSchedule":"` + id + `"}`
	run(t, []scenario{
		ask("a stored schedule is projected", f.client, stored, 200,
			`{"date":"2025-01-31","quantity":"1200","cumulative":"1200"}`, `{"date":"2028-01-31","quantity":"100","cumulative":"4800"}`, `"vested":"1300","unvested":"3500"`),
		ask("a stranger's schedule is an unknown reference", other.client, stored, 400, "/vestingSchedule", "unknownReference"),
		ask("an id of another record is refused", f.client, `{`+grant+`,"vestingSchedule":"`+f.common+`"}`, 400, "/vestingSchedule"),
		ask("a schedule in the body is projected", other.client, `{`+grant+`,"schedule":{`+scheme+`}}`, 200, `"vested":"1300"`),
		ask("an earlier start vests past installments on the grant date", f.client, `{`+grant+`,"vestingStart":"2022-01-31","schedule":{`+scheme+`}}`, 200, `{"date":"2024-01-31","quantity":"2400","cumulative":"2400"}`),
		ask("a milestone vests on its date", f.client,
			`{`+grant+`,"schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"listing","fraction":"0.5"}]},"happenings":[{"condition":"listing","date":"2024-06-01","realized":[1,2]}]}`, 200,
			`"installments":[{"date":"2024-06-01","quantity":"1200","cumulative":"1200"}]`, `"unvested":"3600"`),
		ask("every wrong field is named", f.client, `{"quantity":"0","grantDate":"2024-01-31","schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"a","fraction":"0.7"},{"milestone":"b","fraction":"0.7"}]}}`, 400,
			"/quantity", "/schedule/discrete", "moreThanGranted"),
		ask("a schedule is required", f.client, `{`+grant+`}`, 400),
		ask("an unknown condition is refused", f.client, `{`+grant+`,"schedule":{`+scheme+`},"happenings":[{"condition":"x","date":"2024-06-01"}]}`, 400, "/happenings/0/condition"),
	})
}
