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
	for _, year := range b.state.ISOSplit(b.granted(id), exact.MustDate(today), "USD").ByYear {
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
			s := b.state.ISOSplit(b.granted(id), exact.MustDate(today), "USD")
			return s.ISO.String() + " " + s.NSO.String()
		}
		equal(t, "first", split(first), "8000 0")
		equal(t, "second", split(second), "2000 3000")
		b.do(captable.VoidGrant{ID: first})
		equal(t, "without the first", split(second), "5000 0")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate(today)})
		equal(t, "after a split", split(second), "10000 0")
	})
	t.Run("the split of an ISO uses the value that its grant or a valuation states", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000000")
		ref := b.plan(planned(class, "500000"))
		b.do(valuedAt(class, "20", "2025-01-01"))
		command := option(ada, ref, "8000", "2025-02-01")
		command.Type, command.ExercisePrice = captable.GrantISO, price("20")
		valued := b.grant(command)
		equal(t, "by valuation", b.state.ISOSplit(b.granted(valued), exact.MustDate(today), "USD").ISO.String(), "5000")
		command.MarketValue, command.ExercisePrice = price("50"), price("50")
		b.do(captable.CorrectGrant{ID: valued, GrantOption: command, Reason: "r"})
		equal(t, "by grant", b.state.ISOSplit(b.granted(valued), exact.MustDate(today), "USD").ISO.String(), "2000")
		nso := b.grant(option(ada, ref, "1", today))
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate(today)})
		equal(t, "after a split, in its shares", b.state.ISOSplit(b.granted(valued), exact.MustDate(today), "USD").ISO.String(), "4000")
		equal(t, "and before, in those of then", b.state.ISOSplit(b.granted(valued), exact.MustDate(today)-1, "USD").ISO.String(), "2000")
		equal(t, "not of others", b.state.ISOSplit(b.granted(nso), exact.MustDate(today), "USD") == nil, true)
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
	t.Run("options with early exercise count in the year of the grant", func(t *testing.T) {
		t.Parallel()
		b, id := granting(t, func(command *captable.GrantOption) { command.EarlyExercise = true })
		equal(t, "split", b.years(id), "2025: 10000 14000")
	})
	// Paragraph (b)(5) disregards an option that is cancelled before the year in which it would
	// have become exercisable.
	for claim, c := range map[string]struct{ ended, want string }{
		"options that end before their year count in no year":        {"2025-12-31", "2025: 10000 2000"},
		"options that end after their year began count in that year": {"2026-01-10", "2025: 10000 2000, 2026: 10000 2000"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			for _, command := range []func(captable.GrantID) captable.Command{
				func(id captable.GrantID) captable.Command {
					return captable.TerminateGrant{
						ID: id, Termination: captable.Termination{Date: exact.MustDate(c.ended), Reason: captable.VoluntaryOther},
					}
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

// exercises returns the kinds of the options of each exercise.
func (b *bundle) exercises(id captable.GrantID, day string) string {
	b.Helper()
	var all []string
	for _, exercise := range b.state.ISOSplit(b.granted(id), exact.MustDate(day), "USD").Exercises {
		all = append(all, exercise.Date.String()+": "+exercise.ISO.String()+" "+exercise.NSO.String())
	}
	return strings.Join(all, ", ")
}

// finding returns the codes of the findings about a grant.
func (b *bundle) finding(id captable.GrantID) string {
	b.Helper()
	var codes []string
	for _, finding := range b.state.ISOSplit(b.granted(id), exact.MustDate(today), "USD").Findings {
		codes = append(codes, finding.Code)
	}
	return strings.Join(codes, " ")
}

// listed returns the command to grant ISOs at 1 dollar that become exercisable on one day.
func listed(ref captable.PoolRef, quantity, on, exercisable string) captable.GrantOption {
	command := option(ada, ref, quantity, on)
	command.Type, command.ExercisePrice = captable.GrantISO, price("1")
	command.Vestings = []vesting.Vesting{{Date: exact.MustDate(exercisable), Quantity: number(quantity)}}
	return command
}

func isoExercise(id captable.GrantID, quantity, on string) captable.Command {
	return captable.ExerciseGrant{ID: id, Quantity: number(quantity), Date: exact.MustDate(on), Payment: captable.PayCash}
}

// The facts are those of 26 CFR 1.422-4(d), example 4.
func TestExercisedISOsKeepTheirKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.plan(planned(b.common("1000000"), "500000"))
	first, second := b.grant(listed(ref, "100000", "2020-01-02", "2024-07-01")), b.grant(listed(ref, "100000", "2020-06-01", "2022-01-02"))
	b.do(isoExercise(second, "60000", "2022-02-01"))
	b.do(captable.AccelerateGrant{ID: first, Date: exact.MustDate("2022-07-01")})
	equal(t, "accelerated", b.years(first), "2022: 40000 60000")
	equal(t, "exercised in part", b.years(second), "2022: 60000 40000")
	equal(t, "exercises", b.exercises(second, today), "2022-02-01: 60000 0")
	equal(t, "before the acceleration", b.state.ISOSplit(b.granted(second), exact.MustDate("2022-06-30"), "USD").ISO.String(), "100000")
}

func TestRepricedISOIsANewGrant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("1000000")
	ref := b.plan(planned(class, "500000"))
	b.do(valuedAt(class, "1", "2020-01-01"))
	first := b.grant(listed(ref, "90000", "2020-01-02", "2022-07-01"))
	b.do(valuedAt(class, "0.5", "2021-01-01"))
	b.do(captable.RepriceGrants{Plan: ref.Plan, ExercisePrice: *price("0.5"), Date: exact.MustDate("2021-01-02")})
	b.do(valuedAt(class, "1", "2021-05-01"))
	second := b.grant(listed(ref, "90000", "2021-06-01", "2022-09-01"))
	equal(t, "repriced", b.years(first), "2022: 90000 0")
	equal(t, "later", b.years(second), "2022: 55000 35000")
}

// Under 26 CFR 1.422-4(b)(5)(ii), an option that is changed in the year in which it becomes exercisable counts until the end of that year.
func TestISORepricedInItsYearCountsTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("1000000")
	ref := b.plan(planned(class, "500000"))
	b.do(valuedAt(class, "1", "2020-01-01"))
	first := b.grant(listed(ref, "60000", "2020-01-02", "2022-01-10"))
	b.do(isoExercise(first, "10000", "2022-01-20"))
	b.do(valuedAt(class, "0.5", "2022-02-01"))
	b.do(captable.RepriceGrants{Plan: ref.Plan, ExercisePrice: *price("0.5"), Date: exact.MustDate("2022-03-01")})
	equal(t, "repriced", b.years(first), "2022: 60000 0")
	second := b.grant(listed(ref, "50000", "2022-04-01", "2022-09-01"))
	// 60,000 of the first option and 25,000 of its repriced part leave 15,000 dollars.
	equal(t, "later", b.years(second), "2022: 30000 20000")
	b.do(isoExercise(first, "50000", "2022-04-02"))
	equal(t, "exercises", b.exercises(first, today), "2022-01-20: 10000 0, 2022-04-02: 50000 0")
}

func TestISOBelowItsValueIsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.plan(planned(b.common("1000000"), "500000"))
	command := listed(ref, "50000", "2020-01-02", "2022-07-01")
	command.MarketValue = price("4")
	below := b.grant(command)
	equal(t, "below", b.years(below), "2022: 0 50000")
	equal(t, "finding", b.finding(below), captable.ISOBelowValue)
	other := b.grant(listed(ref, "100000", "2020-01-03", "2022-07-01"))
	equal(t, "the whole limit is left", b.years(other), "2022: 100000 0")
	equal(t, "no finding", b.finding(other), "")
}

func TestISOLimitIsInDollars(t *testing.T) {
	t.Parallel()
	b := setup(t)
	command := listed(b.plan(planned(b.common("1000000"), "500000")), "200000", "2020-01-02", "2022-07-01")
	command.ExercisePrice = &captable.Price{Amount: number("1"), Currency: "EUR"}
	id := b.grant(command)
	equal(t, "split", b.years(id), "2022: 200000 0")
	equal(t, "finding", b.finding(id), captable.ISOValueCurrency)
}

func TestISOExercisedLateAfterServiceIsNone(t *testing.T) {
	t.Parallel()
	for reason, last := range map[captable.TerminationReason]string{
		captable.VoluntaryOther: "2023-04-30", captable.InvoluntaryDisability: "2024-01-31", captable.InvoluntaryDeath: "",
	} {
		b := setup(t)
		id := b.grant(listed(b.plan(planned(b.common("1000000"), "500000")), "3000", "2020-01-02", "2022-07-01"))
		b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate("2023-01-31"), Reason: reason}})
		if last == "" {
			b.do(isoExercise(id, "2000", "2025-02-01"))
			equal(t, string(reason), b.years(id)+", "+b.finding(id), "2022: 3000 0, ")
			continue
		}
		b.do(isoExercise(id, "1000", last))
		equal(t, "on the last day", b.state.ISOSplit(b.granted(id), exact.MustDate(last), "USD").ISO.String(), "3000")
		b.do(isoExercise(id, "500", (exact.MustDate(last) + 1).String()))
		equal(t, "after it", b.years(id), "2022: 1000 2000")
		equal(t, "exercises", b.exercises(id, today), last+": 1000 0, "+(exact.MustDate(last)+1).String()+": 0 500")
		equal(t, "finding", b.finding(id), captable.ISOAfterService)
	}
}

// A forfeiture or lapse does not change the kind of options.
func TestISOsThatEndedStayISOsAfterService(t *testing.T) {
	t.Parallel()
	b := setup(t)
	command := listed(b.plan(planned(b.common("1000000"), "500000")), "3000", "2020-01-02", "2022-07-01")
	command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
	id := b.grant(command)
	b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate("2023-01-31"), Reason: captable.VoluntaryOther}})
	b.do(isoExercise(id, "1000", "2023-02-10"))
	equal(t, "split", b.years(id)+", "+b.finding(id), "2022: 3000 0, ")
}
