package ocf_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/captable/vesting"
)

// vestingTerms returns the VESTING_TERMS objects of the sample packages.
func vestingTerms(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(t), "ocf", "packages", "samples", "VestingTerms*.ocf.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no sample vesting terms: %v", err)
	}
	all := map[string]json.RawMessage{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var content struct {
			Items []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(text, &content); err != nil {
			t.Fatal(err)
		}
		for i, item := range content.Items {
			all[filepath.Base(file)+" "+strconv.Itoa(i)] = item
		}
	}
	return all
}

func TestGraphsOfTheSamplesAreUnderstood(t *testing.T) {
	t.Parallel()
	for name, object := range vestingTerms(t) {
		terms, err := ocf.TermsOf(object)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if faults := terms.Faults(); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
		if again := reread(t, terms); !reflect.DeepEqual(again, terms) {
			t.Errorf("%s: %+v became\n%+v", name, terms, again)
		}
	}
}

func reread(tb testing.TB, terms vesting.Terms) vesting.Terms {
	tb.Helper()
	object, err := ocf.WriteTerms(terms)
	if err != nil {
		tb.Fatal(err)
	}
	again, err := ocf.TermsOf(object)
	if err != nil {
		tb.Fatalf("%s: %v", object, err)
	}
	return again
}

func TestAGraphVestsTheSameAfterItWasWrittenAndRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		terms := someTerms(draw)
		award := vesting.Award{
			Quantity:  exact.NewDecimal(rapid.Int64Range(1, 100_000).Draw(draw, "quantity")),
			GrantDate: exact.MustDate("2020-01-31"), Start: exact.MustDate("2020-01-31"),
		}
		before, err := vesting.Project(award, terms, nil)
		if err != nil {
			draw.Skip(err)
		}
		again := reread(t, terms)
		after, err := vesting.Project(award, again, nil)
		if err != nil {
			draw.Fatalf("%+v: %v", again, err)
		}
		if !reflect.DeepEqual(before, after) {
			draw.Fatalf("%+v\nbecame %+v:\n%v\n%v", terms, again, before, after)
		}
	})
}

// someTerms draws terms with a start, instalments with or without a cliff, and a condition
// after them.
func someTerms(draw *rapid.T) vesting.Terms {
	times := rapid.IntRange(1, 48).Draw(draw, "times")
	run := vesting.Condition{
		ID: "run", Next: []string{"end"}, Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: int64(times) + 1}},
		When: vesting.When{
			Kind: vesting.After, Of: "start", Times: times, CliffAt: rapid.IntRange(0, times).Draw(draw, "cliff"),
			Every: vesting.Period{
				N:    rapid.IntRange(0, 2).Draw(draw, "length"),
				Unit: rapid.SampledFrom([]vesting.Unit{vesting.Days, vesting.Months, vesting.Years}).Draw(draw, "unit"),
			},
			Day: rapid.SampledFrom([]vesting.Day{"", vesting.StartDay, vesting.FirstDay, vesting.LastDay, "05", "30"}).Draw(draw, "day"),
		},
	}
	if run.When.CliffAt == 1 {
		run.When.CliffAt = 0 // the format does not distinguish this from no cliff
	}
	if run.When.CliffAt > 0 && run.When.CliffAt < times && rapid.Bool().Draw(draw, "own fraction") {
		run.When.CliffFraction = vesting.Fraction{Numerator: 1, Denominator: 4}
	}
	end := vesting.Condition{
		ID: "end", Next: []string{}, Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: 1}, Of: vesting.OfRemaining},
		When: vesting.When{Kind: vesting.After, Of: "run", Every: vesting.Period{N: 1, Unit: vesting.Months}, Times: 1},
	}
	if rapid.Bool().Draw(draw, "fixed") {
		end.Vests = vesting.Portion{Shares: exact.NewDecimal(3)}
	}
	return vesting.Terms{
		Allocation: rapid.SampledFrom([]vesting.Allocation{
			vesting.CumulativeRounding, vesting.CumulativeRoundDown, vesting.FrontLoaded, vesting.BackLoaded, vesting.Fractional,
		}).Draw(draw, "allocation"),
		Conditions: []vesting.Condition{
			{ID: "start", When: vesting.When{Kind: vesting.AtStart}, Next: []string{"run"}}, run, end,
		},
	}
}

func TestWhatIsNoGraphIsTold(t *testing.T) {
	t.Parallel()
	for claim, object := range map[string]string{
		"no list":             `{"vesting_conditions":{}}`,
		"an unknown trigger":  `{"vesting_conditions":[{"id":"a","trigger":{"type":"MOON"},"next_condition_ids":[]}]}`,
		"no period":           `{"vesting_conditions":[{"id":"a","trigger":{"type":"VESTING_SCHEDULE_RELATIVE"},"next_condition_ids":[]}]}`,
		"no date":             `{"vesting_conditions":[{"id":"a","trigger":{"type":"VESTING_SCHEDULE_ABSOLUTE","date":"soon"},"next_condition_ids":[]}]}`,
		"no number":           `{"vesting_conditions":[{"id":"a","quantity":"many","trigger":{"type":"VESTING_EVENT"},"next_condition_ids":[]}]}`,
		"a part of nothing":   `{"vesting_conditions":[{"id":"a","portion":{"numerator":"1","denominator":"0"},"trigger":{"type":"VESTING_EVENT"},"next_condition_ids":[]}]}`,
		"a part beyond count": `{"vesting_conditions":[{"id":"a","portion":{"numerator":"0.0000000001","denominator":"9999999999999999999"},"trigger":{"type":"VESTING_EVENT"},"next_condition_ids":[]}]}`,
	} {
		if terms, err := ocf.TermsOf(json.RawMessage(object)); err == nil {
			t.Errorf("%s was read as %+v", claim, terms)
		}
	}
}
