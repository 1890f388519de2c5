package http_test

import (
	"net/http"
	"testing"
)

// scheme vests monthly over four years, nothing in the first.
const scheme = `"allocation":"CUMULATIVE_ROUND_DOWN","continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"months"},"cliff":{"after":{"n":1,"unit":"years"}}}`

func fourYears(name string) string { return `{"name":"` + name + `",` + scheme + `}` }

// schedule makes a vesting schedule of four years and gives its id.
func (f *firm) schedule(tb testing.TB, name string) string {
	tb.Helper()
	body := `{"organization":"` + f.id + `","name":"` + name + `",` + scheme + `}`
	return f.must(tb, "POST", "/v1/vestingSchedule", body, http.StatusCreated).text(tb, "id")
}

func TestVestingSchedules(t *testing.T) {
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
			{claim: "what somebody else's is, is not found", as: other.client, method: "GET", path: path, status: 404},
			{claim: "nor superseded", as: other.client, method: "PUT", path: path, body: fourYears("Mine"), status: 404},
			{claim: "the caller's are listed", as: f.client, method: "GET", path: "/v1/vestingSchedule", status: 200, has: []string{id}, lacks: []string{theirs}},
			{claim: "those of an organization", as: f.client, method: "GET", path: "/v1/vestingSchedule?organization=" + f.id, status: 200, has: []string{id}},
			{claim: "and of another that is none of theirs there are none", as: f.client, method: "GET", path: "/v1/vestingSchedule?organization=" + other.id, status: 200, has: []string{`{"data":[]}`}},
			{claim: "a name is taken once", as: f.client, method: "POST", path: "/v1/vestingSchedule", body: `{"organization":"` + f.id + `","name":"standard",` + scheme + `}`, status: 409, has: []string{id}},
			{
				claim: "a dry run changes nothing", as: f.client, method: "PUT", path: path + "?dryRun=true", body: fourYears("Next"), status: 200,
				has: []string{`"dryRun":true`, `"vestingScheduleSuperseded"`},
			},
			{claim: "while another plan or shares need it a schedule stays", as: f.client, method: "DELETE", path: plan + "/vestingSchedule/" + theirs, status: 404},
			{claim: "a successor is made", as: f.client, method: "PUT", path: path, body: fourYears("Next"), status: 201, headers: []string{"If-Match", tag}, has: []string{`"name":"Next"`}},
			{claim: "but once", as: f.client, method: "PUT", path: path, body: fourYears("Third"), status: 409, has: []string{"successor"}},
			{claim: "the old one names it", as: f.client, method: "GET", path: path, status: 200, has: []string{`"successor"`}},
			{claim: "the plan has the new one", as: f.client, method: "GET", path: plan, status: 200, has: []string{"vestingSchedules"}, lacks: []string{id}},
			{claim: "pages are turned", as: f.client, method: "GET", path: "/v1/vestingSchedule?limit=1", status: 200, has: []string{"nextCursor", id}, lacks: []string{`"Next"`}},
		})
		first := f.must(t, "GET", "/v1/vestingSchedule?limit=1", "", http.StatusOK).text(t, "nextCursor")
		second := f.must(t, "GET", "/v1/vestingSchedule?limit=1&cursor="+first, "", http.StatusOK)
		if rest := second.list(t, "data"); len(rest) != 1 {
			t.Errorf("the second page has %d", len(rest))
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestVestingSchedulesAreRefused(t *testing.T) {
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
		create("a graph that leads round is refused", `"terms":{"conditions":[{"id":"a","when":{"kind":"event"},"next":["b"]},{"id":"b","when":{"kind":"event"},"next":["a"]}]}`, "/terms/conditions/0/next", "cyclic"),
		create("dates out of order", `"discrete":[{"date":"2025-02-01","fraction":"0.5"},{"date":"2025-01-01","fraction":"0.5"}]`, "/discrete/1/date", "outOfOrder"),
		create("more than the whole", `"discrete":[{"date":"2025-01-01","fraction":"0.6"},{"date":"2025-02-01","fraction":"0.5"}]`, "/discrete", "moreThanGranted"),
		create("a fraction above one", `"discrete":[{"date":"2025-01-01","fraction":"1.5"}]`, "/discrete/0/fraction"),
		create("two forms at once", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"years"}},"discrete":[{"date":"2025-01-01","fraction":"1"}]`, "ambiguous"),
		create("a frequency that does not divide the length", `"continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":9,"unit":"months"}}`, "/continuous/frequency"),
		create("unknown fields", `"colour":1`, "/colour"),
		{claim: "who may only look makes none", as: investor, method: "POST", path: "/v1/vestingSchedule", body: `{"organization":"` + f.id + `","name":"S",` + scheme + `}`, status: 403},
	})
}

//nolint:tparallel // the scenarios are of one company
func TestSharesVest(t *testing.T) {
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
			claim: "shares say how many have vested as of a day", as: ada, method: "GET", path: held + "?asOf=2025-02-27", status: 200,
			has: []string{`"vestingSchedule":"` + id + `"`, `"vestingStart":"2024-01-31"`, `"vested":"1200"`, `"unvested":"3600"`, `"nextVesting":{"date":"2025-02-28","quantity":"100","cumulative":"1300"}`},
		},
		{claim: "before the cliff none", as: f.client, method: "GET", path: held + "?asOf=2025-01-30", status: 200, has: []string{`"vested":"0"`, `"unvested":"4800"`}},
		{claim: "in the list too", as: f.client, method: "GET", path: f.home + "/shareholding?asOf=2025-01-31", status: 200, has: []string{`"vested":"1200"`}},
		{claim: "a schedule that there is none of is refused", as: f.client, method: "PATCH", path: held, body: `{"vestingSchedule":"none"}`, status: 400, has: []string{"/vestingSchedule", "unknownReference"}},
		{claim: "the holder sees the schedule", as: ada, method: "GET", path: "/v1/vestingSchedule/" + id, status: 200},
		{claim: "a guest who holds nothing does not", as: guest, method: "GET", path: "/v1/vestingSchedule/" + id, status: 404},
		{claim: "nor in the list", as: guest, method: "GET", path: "/v1/vestingSchedule", status: 200, has: []string{`{"data":[]}`}},
		{claim: "what is in use stays", as: f.client, method: "DELETE", path: plan + "/vestingSchedule/" + id, status: 409, has: []string{"inUse", last(held)}},
	})
}

//nolint:tparallel // the scenarios are of one company
func TestProjectVesting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	id := f.schedule(t, "Standard")
	ask := func(claim string, as *client, body string, status int, has ...string) scenario {
		return scenario{claim: claim, as: as, method: "POST", path: "/v1/schedule/project", body: body, status: status, has: has}
	}
	grant := `"quantity":"4800","grantDate":"2024-01-31","asOf":"2025-03-01"`
	kept := `{` + grant + `,"vestingSchedule":"` + id + `"}`
	run(t, []scenario{
		ask("a schedule that is kept is projected", f.client, kept, 200,
			`{"date":"2025-01-31","quantity":"1200","cumulative":"1200"}`, `{"date":"2028-01-31","quantity":"100","cumulative":"4800"}`, `"vested":"1300","unvested":"3500"`),
		ask("not for strangers", other.client, kept, 400, "/vestingSchedule", "unknownReference"),
		ask("nor by the id of something else", f.client, `{`+grant+`,"vestingSchedule":"`+f.common+`"}`, 400, "/vestingSchedule"),
		ask("a schedule of the body too", other.client, `{`+grant+`,"schedule":{`+scheme+`}}`, 200, `"vested":"1300"`),
		ask("with an earlier start what came before is caught up with", f.client, `{`+grant+`,"vestingStart":"2022-01-31","schedule":{`+scheme+`}}`, 200, `{"date":"2024-01-31","quantity":"2400","cumulative":"2400"}`),
		ask("what waits for a milestone counts once it has come", f.client,
			`{`+grant+`,"schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"listing","fraction":"0.5"}]},"happenings":[{"condition":"listing","date":"2024-06-01","realized":[1,2]}]}`, 200,
			`"installments":[{"date":"2024-06-01","quantity":"1200","cumulative":"1200"}]`, `"unvested":"3600"`),
		ask("every wrong field is named", f.client, `{"quantity":"0","grantDate":"2024-01-31","schedule":{"allocation":"FRACTIONAL","discrete":[{"milestone":"a","fraction":"0.7"},{"milestone":"b","fraction":"0.7"}]}}`, 400,
			"/quantity", "/schedule/discrete", "moreThanGranted"),
		ask("one of two ways to name a schedule is needed", f.client, `{`+grant+`}`, 400),
		ask("a happening that nothing waits for is refused", f.client, `{`+grant+`,"schedule":{`+scheme+`},"happenings":[{"condition":"x","date":"2024-06-01"}]}`, 400, "/happenings/0/condition"),
	})
}
