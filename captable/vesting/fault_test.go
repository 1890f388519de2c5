package vesting_test

import (
	"encoding/json"
	"testing"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// Every faulty field of a scheme is reported at once, with its pointer.
func TestInvalidSchemes(t *testing.T) {
	t.Parallel()
	continuous := func(length, frequency vesting.Period, cliff *vesting.Cliff) vesting.Scheme {
		return vesting.Scheme{Allocation: vesting.Fractional, Continuous: &vesting.Continuous{Length: length, Frequency: frequency, Cliff: cliff}}
	}
	discrete := func(all ...vesting.Tranche) vesting.Scheme {
		return vesting.Scheme{Allocation: vesting.Fractional, Discrete: all}
	}
	half := number("0.5")
	for claim, c := range map[string]struct {
		scheme vesting.Scheme
		want   []string
	}{
		"no form": {vesting.Scheme{Allocation: vesting.Fractional}, []string{" ambiguous"}},
		"two forms": {
			vesting.Scheme{Allocation: vesting.Fractional, Continuous: &vesting.Continuous{}, Terms: &vesting.Terms{}},
			[]string{" ambiguous"},
		},
		"unknown values": {
			vesting.Scheme{Allocation: "EVENLY", DayRule: "32", Continuous: &vesting.Continuous{Length: months(2), Frequency: months(1)}},
			[]string{"/allocation unknownValue", "/dayRule unknownValue"},
		},
		"a frequency with a remainder": {continuous(months(12), months(5), nil), []string{"/continuous/frequency notDivisor"}},
		"days in months": {
			continuous(months(12), vesting.Period{N: 30, Unit: vesting.Days}, nil), []string{"/continuous/frequency notDivisor"},
		},
		"too many instalments": {
			continuous(vesting.Period{N: 36_000, Unit: vesting.Days}, vesting.Period{N: 1, Unit: vesting.Days}, nil),
			[]string{"/continuous/frequency notDivisor"},
		},
		"periods with an unknown unit and above the limit": {
			continuous(vesting.Period{N: 1, Unit: "moons"}, vesting.Period{N: 9999, Unit: vesting.Years}, nil),
			[]string{"/continuous/length/unit unknownValue", "/continuous/frequency/n outOfRange"},
		},
		"a cliff between two instalments": {
			continuous(months(12), months(3), &vesting.Cliff{After: months(4)}), []string{"/continuous/cliff/after notMultiple"},
		},
		"a cliff after the last instalment": {
			continuous(months(12), months(3), &vesting.Cliff{After: months(15)}), []string{"/continuous/cliff/after notMultiple"},
		},
		"a cliff fraction above 1": {
			continuous(months(12), months(3), &vesting.Cliff{After: months(3), Fraction: new(number("1.1"))}),
			[]string{"/continuous/cliff/fraction badFraction"},
		},
		"a tranche with a date and a milestone": {
			discrete(vesting.Tranche{Date: 1, Milestone: "sale", Fraction: half}), []string{"/discrete/0 ambiguous"},
		},
		"a tranche with a quantity and a fraction": {
			discrete(vesting.Tranche{Date: 1, Quantity: number("1"), Fraction: half}), []string{"/discrete/0 ambiguous"},
		},
		"a tranche with a negative quantity": {discrete(vesting.Tranche{Date: 1, Quantity: number("-1")}), []string{"/discrete/0 badFraction"}},
		"terms without conditions": {
			vesting.Scheme{Allocation: vesting.Fractional, Terms: &vesting.Terms{}}, []string{"/terms/conditions required"},
		},
		"a condition without a kind": {graph(vesting.Condition{ID: "a"}), []string{"/terms/conditions/0/when/kind unknownValue"}},
		"a date condition without a date": {
			graph(vesting.Condition{ID: "a", When: vesting.When{Kind: vesting.OnDate}}), []string{"/terms/conditions/0/when/date required"},
		},
		"an unknown next condition": {
			graph(vesting.Condition{ID: "a", When: vesting.When{Kind: vesting.AtStart}, Next: []string{"b"}}),
			[]string{"/terms/conditions/0/next/0 unknownCondition"},
		},
		"an unreachable condition": {
			graph(start(), vesting.Condition{ID: "b", When: vesting.When{Kind: vesting.After, Of: "a", Every: months(1), Times: 1}}),
			[]string{"/terms/conditions/1 unreachable"},
		},
		"a portion with a fraction and shares": {graph(vesting.Condition{
			ID: "a", When: vesting.When{Kind: vesting.AtStart},
			Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: 2}, Shares: number("1")},
		}), []string{"/terms/conditions/0/vests/shares ambiguous"}},
		"a path of more than the grant": {graph(start("b"), vesting.Condition{
			ID:    "b",
			When:  vesting.When{Kind: vesting.After, Of: "a", Every: months(1), Times: 3},
			Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: 2}},
		}), []string{"/terms moreThanGranted"}},
		"a fraction above 1": {graph(vesting.Condition{
			ID: "a", When: vesting.When{Kind: vesting.AtStart},
			Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 3, Denominator: 2}},
		}), []string{"/terms/conditions/0/vests/fraction badFraction"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			_, err := c.scheme.Compile()
			faulty(t, err, c.want...)
		})
	}
	t.Run("a cycle", func(t *testing.T) {
		t.Parallel()
		back := start("b")
		_, err := graph(back, vesting.Condition{
			ID: "b", When: vesting.When{Kind: vesting.After, Of: "a", Every: months(1), Times: 1}, Next: []string{"a"},
		}).Compile()
		if err == nil {
			t.Error("a cycle was accepted")
		}
	})
}

// start returns the condition a, which is met at the vesting start.
func start(next ...string) vesting.Condition {
	return vesting.Condition{ID: "a", When: vesting.When{Kind: vesting.AtStart}, Next: next}
}

func graph(conditions ...vesting.Condition) vesting.Scheme {
	return vesting.Scheme{Allocation: vesting.Fractional, Terms: &vesting.Terms{Conditions: conditions}}
}

func TestInvalidAwards(t *testing.T) {
	t.Parallel()
	listed := func(vestings ...vesting.Vesting) vesting.Award {
		return vesting.Award{Quantity: number("10"), GrantDate: 1, Vestings: vestings}
	}
	for claim, c := range map[string]struct {
		award vesting.Award
		want  []string
	}{
		"with a negative quantity":            {vesting.Award{Quantity: number("-1"), GrantDate: 1}, []string{"/quantity negative"}},
		"vested at once without a grant date": {vesting.Award{Quantity: number("1")}, []string{"/grantDate required"}},
		"with too many decimal places":        {vesting.Award{GrantDate: 1, Places: exact.Places + 1}, []string{"/places outOfRange"}},
		"with an unknown catch-up policy":     {vesting.Award{GrantDate: 1, CatchUp: "never"}, []string{"/catchUp unknownValue"}},
		"with vestings above the quantity":    {listed(vesting.Vesting{Date: 1, Quantity: number("11")}), []string{"/vestings moreThanGranted"}},
		"with a negative vesting":             {listed(vesting.Vesting{Date: 1, Quantity: number("-1")}), []string{"/vestings/0/quantity negative"}},
		"with vestings out of order": {
			listed(vesting.Vesting{Date: 2, Quantity: number("1")}, vesting.Vesting{Date: 1, Quantity: number("1")}, vesting.Vesting{}),
			[]string{"/vestings/1/date outOfOrder", "/vestings/2/date required"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			_, err := vesting.Project(c.award, vesting.Terms{}, nil)
			faulty(t, err, c.want...)
		})
	}
}

func TestFractions(t *testing.T) {
	t.Parallel()
	t.Run("a fraction is a pair of numbers", func(t *testing.T) {
		t.Parallel()
		var read vesting.Fraction
		if err := json.Unmarshal([]byte(`[12,48]`), &read); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(read)
		equal(t, "again", string(text), "[12,48]")
		equal(t, "error", err, nil)
	})
	for _, text := range []string{`"1/4"`, `[1]`, `[1,2,3]`, `[0,0]`, `[0.5,1]`, `{}`} {
		t.Run("the JSON value "+text+" is not a fraction", func(t *testing.T) {
			t.Parallel()
			var read vesting.Fraction
			if err := json.Unmarshal([]byte(text), &read); err == nil {
				t.Errorf("read as %v", read)
			}
		})
	}
}
