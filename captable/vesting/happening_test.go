package vesting_test

import (
	"errors"
	"testing"

	"equity/captable/vesting"
)

// milestones returns a scheme that vests half on a date and half on a sale.
func milestones() vesting.Scheme {
	return vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Discrete: []vesting.Tranche{
		{Date: day("2025-01-01"), Fraction: number("0.5")}, {Milestone: "sale", Fraction: number("0.5")},
	}}
}

func TestHappenings(t *testing.T) {
	t.Parallel()
	award := vesting.Award{Quantity: number("100"), GrantDate: day("2024-01-01")}
	t.Run("a condition vests with its event", func(t *testing.T) {
		t.Parallel()
		terms := compiled(t, milestones())
		equal(t, "before", project(t, award, terms).Total(), number("50"))
		after := project(t, award, terms, vesting.Happening{Condition: "sale", Date: day("2024-06-01")})
		equal(t, "on the day", after.On(day("2024-06-01")), number("50"))
		equal(t, "in the end", after.Total(), number("100"))
	})
	t.Run("a partly achieved milestone vests that fraction", func(t *testing.T) {
		t.Parallel()
		half := vesting.Happening{Condition: "sale", Date: day("2024-06-01"), Realized: vesting.Fraction{Numerator: 1, Denominator: 2}}
		equal(t, "in the end", project(t, award, compiled(t, milestones()), half).Total(), number("75"))
	})
	for claim, c := range map[string]struct {
		happened []vesting.Happening
		want     vesting.Fault
	}{
		"no condition depends on it": {
			[]vesting.Happening{{Condition: "rain", Date: day("2024-06-01")}},
			vesting.Fault{Pointer: "/happenings/0/condition", Code: "unknownCondition"},
		},
		"it has no date": {[]vesting.Happening{{Condition: "sale"}}, vesting.Fault{Pointer: "/happenings/0/date", Code: "required"}},
		"it is a duplicate": {
			[]vesting.Happening{{Condition: "sale", Date: 1}, {Condition: "sale", Date: 2}},
			vesting.Fault{Pointer: "/happenings/1/condition", Code: "duplicate"},
		},
		"it is achieved above 1": {
			[]vesting.Happening{{Condition: "sale", Date: 1, Realized: vesting.Fraction{Numerator: 3, Denominator: 2}}},
			vesting.Fault{Pointer: "/happenings/0/realized", Code: "badFraction"},
		},
	} {
		t.Run("a happening is refused if "+claim, func(t *testing.T) {
			t.Parallel()
			_, err := vesting.Project(award, compiled(t, milestones()), c.happened)
			faulty(t, err, c.want.Pointer+" "+c.want.Code)
		})
	}
}

// faulty fails the test unless the error has exactly these faults, each with a message.
func faulty(tb judge, err error, want ...string) {
	tb.Helper()
	faults, is := errors.AsType[vesting.Faults](err)
	if !is || len(faults) != len(want) {
		tb.Fatalf("got %v, want %q", err, want)
	}
	for i, fault := range faults {
		equal(tb, "fault", fault.Pointer+" "+fault.Code, want[i])
		if fault.Message == "" {
			tb.Errorf("%s has no message", fault.Pointer)
		}
	}
}

func TestCatchingUp(t *testing.T) {
	t.Parallel()
	for policy, want := range map[vesting.CatchUp]string{
		vesting.OnGrantDate:      "2024-08-01 50",
		vesting.OnNextInstalment: "2024-10-15 75",
		vesting.AsScheduled:      "2024-04-15 25",
	} {
		t.Run("the first instalment follows the catch-up policy "+string(policy), func(t *testing.T) {
			t.Parallel()
			award := vesting.Award{Quantity: number("100"), GrantDate: day("2024-08-01"), Start: day("2024-01-15"), CatchUp: policy}
			first := project(t, award, compiled(t, quarterly(vesting.CumulativeRounding, nil)))[0]
			equal(t, "first", first.Date.String()+" "+first.Quantity.String(), want)
		})
	}
	t.Run("an acceleration vests early and shortens the schedule", func(t *testing.T) {
		t.Parallel()
		award := vesting.Award{
			Quantity: number("100"), GrantDate: day("2024-01-15"), Start: day("2024-01-15"),
			Accelerations: []vesting.Vesting{{Date: day("2024-02-01"), Quantity: number("40")}},
		}
		equal(t, "instalments", instalments(project(t, award, compiled(t, quarterly(vesting.CumulativeRounding, nil)))), "40 25 25 10")
	})
}
