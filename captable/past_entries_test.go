package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// As of a day before a split, each exercise of a warrant is in shares before the split, even if
// other exercises followed.
func TestExercisesOfAPastDayAreInSharesOfTheDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("100000")
	id := b.instrument(warrant(ada, common, "100", "2023-01-01"))
	for _, day := range []string{"2023-02-01", "2023-03-01"} {
		b.do(captable.ExerciseWarrant{ID: id, Quantity: number("10"), Date: exact.MustDate(day), Payment: captable.PayCash})
	}
	b.do(captable.SplitSecurity{ID: common, Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate("2023-04-01")})
	exercised, _ := b.state.Instrument(id)
	for day, want := range map[string]string{"2023-02-15": "10", "2023-03-15": "10", "2023-04-01": "30"} {
		was, _ := exercised.On(exact.MustDate(day))
		for _, exercise := range was.Exercises {
			equal(t, "an exercise as of "+day, exercise.Quantity.String(), want)
		}
	}
}

// A request to exercise is shown from its effective date.
func TestRequestsAreShownFromTheirDate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.plan(planned(b.common("1000"), "100"))
	id := b.grant(option(ada, ref, "10", "2023-01-01"))
	b.do(captable.RequestExercise{ID: id, Quantity: number("2"), Date: exact.MustDate("2023-06-01")})
	for day, want := range map[string]int{"2023-05-31": 0, "2023-06-01": 1} {
		was, _ := b.granted(id).AsOf(exact.MustDate(day))
		equal(t, "requests as of "+day, len(was.Requests), want)
	}
}

// The next vesting as of a past day is in shares of that day, even after a partial cancellation
// of the award.
func TestNextVestingOfAPastDayIsInSharesOfTheDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("10000")
	schedule := b.do(
		captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{Name: "Monthly", Scheme: *monthly()}},
	)[0].(captable.VestingScheduleCreated).ID
	command := issue(bob, common, "1920", "2023-01-01")
	command.VestingSchedule = schedule.String()
	award := b.do(command)[0].(captable.ShareholdingIssued).ID
	b.do(captable.CancelShareholding{ID: award, Shares: new(number("35")), Date: exact.MustDate("2023-02-01"), Reason: "r"})
	next := func() string {
		for h := range b.state.ShareholdingsOf(bob) {
			if was, _ := h.On(exact.MustDate("2023-02-01")); was.Status.Outstanding() {
				vested, _ := b.state.VestedOn(was, exact.MustDate("2023-02-01"))
				return vested.Next.Quantity.String()
			}
		}
		return ""
	}
	before := next()
	b.do(captable.SplitSecurity{ID: common, Numerator: number("2"), Denominator: number("5"), Date: exact.MustDate("2023-03-01")})
	equal(t, "next vesting", next(), before)
}
