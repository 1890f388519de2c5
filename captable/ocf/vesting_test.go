package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// vestingOf returns a VESTING_TERMS object with one condition.
func vestingOf(id, name, condition string) string {
	return `{"id":"` + id + `","object_type":"VESTING_TERMS","name":"` + name + `","description":"d","allocation_type":"CUMULATIVE_ROUNDING","vesting_conditions":[` + condition + `]}`
}

const atStart = `{"id":"start","portion":{"numerator":"1","denominator":"1"},"trigger":{"type":"VESTING_START_DATE"},"next_condition_ids":[]}`

func TestVestingTermsComeInAndGoOut(t *testing.T) {
	t.Parallel()
	p := sound()
	p.vesting = []string{vestingOf("a", "At once", atStart), vestingOf("b", "at ONCE", atStart)}
	p.transactions = append(p.transactions,
		issue("two", "2024-03-01", "ada", "common", "5", `"vesting_terms_id":"a"`), tx("VESTING_START", "two", "2024-02-01", `"vesting_condition_id":"start"`),
		issue("three", "2024-03-01", "ada", "common", "5", `"vesting_terms_id":"a","vestings":[{"date":"2025-01-01","amount":"5"}]`),
	)
	w := setup(t)

	equalLists(t, "warnings", warnings(w.take(p.files())), []string{"VESTING_TERMS/b/name vestingTerms"})

	for h := range w.state.Shareholdings() {
		schedule, linked := w.state.VestingScheduleOf(h.VestingSchedule)
		equal(t, h.ExternalID+" vests by the terms", linked, h.ExternalID == "two")
		if linked {
			equal(t, "terms", schedule.Name+" since "+h.VestingStart.String(), "At once since 2024-02-01")
		}
	}
	same(t, w.export("2026-01-01"), p.files())
}

func TestVestingTermsThatAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		terms string
		want  []string
	}{
		"in a circle": {vestingOf("a", "A", `{"id":"x","quantity":"1","trigger":{"type":"VESTING_EVENT"},"next_condition_ids":["y"]},
			{"id":"y","quantity":"1","trigger":{"type":"VESTING_EVENT"},"next_condition_ids":["x"]}`), []string{"VESTING_TERMS/a/vesting_conditions/0/next_condition_ids cyclic"}},
		"by a trigger that is none": {vestingOf("a", "A", `{"id":"x","quantity":"1","trigger":{"type":"MOON"},"next_condition_ids":[]}`), []string{"VESTING_TERMS/a/vesting_conditions vestingTerms"}},
		"without conditions":        {vestingOf("a", "A", ""), []string{"VESTING_TERMS/a/vesting_conditions required"}},
		"without an allocation": {
			`{"id":"a","object_type":"VESTING_TERMS","name":"A","description":"d","vesting_conditions":[` + atStart + `]}`, []string{"VESTING_TERMS/a/allocation_type required"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.vesting = []string{c.terms}
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), c.want)
		})
	}
}

func TestExportOfVestingSchedules(t *testing.T) {
	t.Parallel()
	b := company(t)
	terms := captable.VestingScheduleTerms{Name: "4 years", Scheme: vesting.Scheme{
		Allocation: vesting.CumulativeRounding, Continuous: &vesting.Continuous{
			Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
			Cliff: &vesting.Cliff{After: vesting.Period{N: 12, Unit: vesting.Months}, Fraction: new(number("0.25"))},
		},
	}}
	id := b.do(captable.CreateVestingSchedule{VestingScheduleTerms: terms})[0].(captable.VestingScheduleCreated).ID
	held := b.issue(b.ada, b.common, "480", captable.ShareholdingDetails{VestingSchedule: id.String(), VestingStart: exact.MustDate("2024-01-31")})

	objects := b.exported("2026-03-01")

	equal(t, "the terms", fields(objects[id.String()], "object_type", "name", "allocation_type"), `["VESTING_TERMS","4 years","CUMULATIVE_ROUNDING"]`)
	equal(t, "what vests by them", fields(objects[held.String()+"-issued"], "vesting_terms_id"), `["`+id.String()+`"]`)
	equal(t, "since when", fields(objects[held.String()+"-vesting"], "object_type", "date", "security_id"), `["TX_VESTING_START","2024-01-31","`+held.String()+`"]`)
	valid(t, b.export("2026-03-01"))

	again := setup(t)
	again.taken(b.export("2026-03-01"))
	award := vesting.Award{Quantity: number("480"), GrantDate: exact.MustDate("2024-02-01"), Start: exact.MustDate("2024-01-31")}
	for schedule := range again.state.VestingSchedules() {
		projected, err := schedule.Project(award, nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "vested at the cliff", projected.On(exact.MustDate("2025-01-31")).String(), "120")
	}
}
