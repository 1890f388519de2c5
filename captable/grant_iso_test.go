package captable_test

import (
	"strconv"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// years returns the ISO and NSO quantities for each year of a grant.
func (b *bundle) years(id captable.GrantID) string {
	b.Helper()
	var years []string
	for _, year := range b.state.ISOSplit(b.granted(id), exact.MustDate(today)).ByYear {
		years = append(years, strconv.Itoa(year.Year)+": "+year.ISO.String()+" "+year.NSO.String())
	}
	return strings.Join(years, ", ")
}

func TestISOSplit(t *testing.T) {
	t.Parallel()
	t.Run("limits a calendar year over all grants of the holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000000")
		ref := b.plan(planned(class, "500000"))
		iso := func(quantity, on string) captable.GrantID {
			command := option(ada, ref, quantity, on)
			command.Type, command.ExercisePrice = captable.GrantISO, price("10")
			return b.grant(command)
		}
		first, second := iso("8000", "2025-02-01"), iso("5000", "2025-03-01")
		split := func(id captable.GrantID) string {
			s := b.state.ISOSplit(b.granted(id), exact.MustDate(today))
			return s.ISO.String() + " " + s.NSO.String()
		}
		equal(t, "first", split(first), "8000 0")
		equal(t, "second", split(second), "2000 3000")
		b.do(captable.VoidGrant{ID: first})
		equal(t, "without the first", split(second), "5000 0")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate(today)})
		equal(t, "after a split", split(second), "10000 0")
	})
	t.Run("takes the value that the grant or a valuation states", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000000")
		ref := b.plan(planned(class, "500000"))
		b.do(valued(class, "20", "2025-01-01"))
		command := option(ada, ref, "8000", "2025-02-01")
		command.Type = captable.GrantISO
		valued := b.grant(command)
		equal(t, "by valuation", b.state.ISOSplit(b.granted(valued), exact.MustDate(today)).ISO.String(), "5000")
		command.MarketValue = price("50")
		b.do(captable.CorrectGrant{ID: valued, GrantOption: command, Reason: "r"})
		equal(t, "by grant", b.state.ISOSplit(b.granted(valued), exact.MustDate(today)).ISO.String(), "2000")
		nso := b.grant(option(ada, ref, "1", today))
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate(today)})
		equal(t, "after a split, in its shares", b.state.ISOSplit(b.granted(valued), exact.MustDate(today)).ISO.String(), "4000")
		equal(t, "and before, in those of then", b.state.ISOSplit(b.granted(valued), exact.MustDate(today)-1).ISO.String(), "2000")
		equal(t, "not of others", b.state.ISOSplit(b.granted(nso), exact.MustDate(today)) == nil, true)
	})
}

// Under 26 CFR 1.422-4(b), an option counts in the year in which it first becomes exercisable.
func TestISOSplitByYear(t *testing.T) {
	t.Parallel()
	// granting creates a grant of 24,000 options at 10. Half vest in 2025 and half in 2026.
	granting := func(t *testing.T, change func(*captable.GrantOption)) (*bundle, captable.GrantID) {
		t.Helper()
		b := setup(t)
		command := option(ada, b.plan(planned(b.common("1000000"), "500000")), "24000", "2025-02-01")
		command.Type, command.ExercisePrice = captable.GrantISO, price("10")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-12-31"), Quantity: number("12000")}, {Date: exact.MustDate("2026-12-31"), Quantity: number("12000")},
		}
		change(&command)
		return b, b.grant(command)
	}
	t.Run("each year has a limit of its own", func(t *testing.T) {
		t.Parallel()
		b, id := granting(t, func(*captable.GrantOption) {})
		equal(t, "split", b.years(id), "2025: 10000 2000, 2026: 10000 2000")
	})
	t.Run("what may be exercised before it vests counts in the year of the grant", func(t *testing.T) {
		t.Parallel()
		b, id := granting(t, func(command *captable.GrantOption) { command.EarlyExercise = true })
		equal(t, "split", b.years(id), "2025: 10000 14000")
	})
	// Paragraph (b)(5) disregards an option that is cancelled before the year in which it would
	// have become exercisable.
	for claim, c := range map[string]struct{ ended, want string }{
		"what was ended in an earlier year is of no year":          {"2025-12-31", "2025: 10000 2000"},
		"what was ended in its year counts to the end of that one": {"2026-01-10", "2025: 10000 2000, 2026: 10000 2000"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			for _, command := range []func(captable.GrantID) captable.Command{
				func(id captable.GrantID) captable.Command {
					return captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate(c.ended), Reason: captable.VoluntaryOther}}
				},
				func(id captable.GrantID) captable.Command {
					return captable.CancelGrant{ID: id, Date: exact.MustDate(c.ended), Reason: "r"}
				},
			} {
				b, id := granting(t, func(*captable.GrantOption) {})
				b.do(command(id))
				equal(t, "split", b.years(id), c.want)
			}
		})
	}
}

func TestISOSplitWithPartialCancellations(t *testing.T) {
	t.Parallel()
	granted := func(t *testing.T, early bool) (*bundle, captable.GrantID, captable.GrantID) {
		t.Helper()
		b := setup(t)
		ref := b.plan(planned(b.common("1000000"), "500000"))
		iso := func(on string) captable.GrantID {
			command := option(ada, ref, "24000", on)
			command.Type, command.ExercisePrice, command.EarlyExercise = captable.GrantISO, price("10"), early
			command.Vestings = []vesting.Vesting{
				{Date: exact.MustDate("2024-06-01"), Quantity: number("8000")},
				{Date: exact.MustDate("2025-06-01"), Quantity: number("8000")},
				{Date: exact.MustDate("2026-06-01"), Quantity: number("8000")},
			}
			return b.grant(command)
		}
		return b, iso("2024-01-01"), iso("2024-01-02")
	}
	cancel := func(b *bundle, id captable.GrantID, quantity, on string) {
		b.do(captable.CancelGrant{ID: id, Quantity: figure(quantity), Date: exact.MustDate(on), Reason: "agreed"})
	}
	t.Run("OptionsCancelledInAnEarlierYearNoLongerCount", func(t *testing.T) {
		t.Parallel()
		b, first, second := granted(t, false)
		equal(t, "before", b.years(second), "2024: 2000 6000, 2025: 2000 6000, 2026: 2000 6000")
		cancel(b, first, "5000", "2025-07-01")
		equal(t, "first", b.years(first), "2024: 8000 0, 2025: 8000 0, 2026: 3000 0")
		equal(t, "second", b.years(second), "2024: 2000 6000, 2025: 2000 6000, 2026: 7000 1000")
	})
	t.Run("OptionsCancelledInTheYearItselfCount", func(t *testing.T) {
		t.Parallel()
		b, first, second := granted(t, false)
		cancel(b, first, "12000", "2025-02-01")
		equal(t, "first", b.years(first), "2024: 8000 0, 2025: 8000 0")
		equal(t, "second", b.years(second), "2024: 2000 6000, 2025: 2000 6000, 2026: 8000 0")
	})
	t.Run("SeveralCancellationsAddUp", func(t *testing.T) {
		t.Parallel()
		b, first, second := granted(t, false)
		cancel(b, first, "1000", "2024-02-01")
		cancel(b, first, "1000", "2025-02-01")
		equal(t, "second", b.years(second), "2024: 2000 6000, 2025: 2000 6000, 2026: 4000 4000")
	})
	t.Run("EarlyExercisableOptionsCountInTheYearOfTheGrant", func(t *testing.T) {
		t.Parallel()
		b, first, second := granted(t, true)
		cancel(b, first, "20000", "2025-02-01")
		equal(t, "first", b.years(first), "2024: 10000 14000")
		equal(t, "second", b.years(second), "2024: 0 24000")
	})
}
