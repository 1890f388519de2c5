package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

func terminate(id captable.GrantID, on string, reason captable.TerminationReason) captable.TerminateGrant {
	return captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate(on), Reason: reason}}
}

// vestingOption returns a command to grant 48 options in 2024 that vest monthly. The exercise
// window is three months after a voluntary termination, and ends at once after a dismissal for
// cause.
func vestingOption(ref captable.PoolRef) captable.GrantOption {
	command := option(ada, ref, "48", "2024-01-15")
	command.Vesting = monthly()
	command.TerminationWindows = []captable.TerminationWindow{
		{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 3, Unit: vesting.Months}},
		{Reason: captable.InvoluntaryWithCause, Period: vesting.Period{N: 0, Unit: vesting.Days}},
	}
	return command
}

func TestTermination(t *testing.T) {
	t.Parallel()
	t.Run("a termination forfeits unvested options and keeps the others until the window ends", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(terminate(id, "2025-03-15", captable.VoluntaryOther))
		equal(t, "the day before", b.standing(id, "2025-03-14"), "48 13 13 0 0 0 48 ")
		equal(t, "on the day", b.standing(id, "2025-03-15"), "48 14 14 0 34 0 14 ")
		equal(t, "last day", b.standing(id, "2025-06-15"), "48 14 14 0 34 0 14 ")
		equal(t, "behind it", b.standing(id, "2025-06-16"), "48 14 0 0 34 14 0 ")
		equal(t, "no more vests", b.granted(id).On(exact.MustDate("2025-03-15")).NextVesting == nil, true)
		figures := b.refused(exercise(id, "1", "2025-06-16"), fault.InsufficientShares)
		equal(t, "exercisable", figures["exercisable"]+" of "+figures["vested"], "0 of 14")
		b.do(exercise(id, "1", "2025-06-15"))
		equal(t, "pool", b.figuresOf(ref, today), "100 48 0 1 47 47 99 ")
		b.audited()
	})
	t.Run("a termination keeps all vested options through a split, despite rounded instalments", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		few := option(ada, ref, "4", "2024-01-15")
		few.Vesting = monthly()
		few.Vesting.Allocation = vesting.CumulativeRounding
		id := b.grant(few)
		b.do(terminate(id, "2025-08-20", captable.VoluntaryOther)) // after 19 of 48 instalments, 1.58 of 4 round to 2 and 4.75 of 12 round to 5
		equal(t, "before the split", b.standing(id, "2025-08-31"), "4 2 2 0 2 0 2 ")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate("2025-09-01")})
		equal(t, "behind it", b.standing(id, "2025-09-01"), "12 6 6 0 6 0 6 ")
		equal(t, "explained", b.explainOn("option/"+id.String()+"/vested", exact.MustDate("2025-09-01")).Value.String(), "6")
		b.do(exercise(id, "6", "2025-09-02"))
		equal(t, "taken", b.standing(id, "2025-09-02"), "12 6 0 6 6 0 0 ")
		b.audited()
	})
	t.Run("a termination for a reason without a window keeps vested options until they expire", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(terminate(id, "2025-03-15", captable.InvoluntaryDeath))
		equal(t, "now", b.standing(id, today), "48 14 14 0 34 0 14 ")
	})
	t.Run("a termination with a window of zero days ends the vested options after its date", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(terminate(id, "2025-03-15", captable.InvoluntaryWithCause))
		equal(t, "on the day", b.standing(id, "2025-03-15"), "48 14 14 0 34 0 14 ")
		equal(t, "next day", b.standing(id, "2025-03-16"), "48 14 0 0 34 14 0 ")
	})
	t.Run("a second termination and an unknown reason are refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.refused(terminate(id, "2025-03-15", "bored"), fault.Invalid, "/reason enum")
		b.refused(captable.TerminateGrant{ID: id}, fault.Invalid, "/date required", "/reason enum")
		b.do(terminate(id, "2025-03-15", captable.VoluntaryOther))
		equal(t, "date", b.refused(terminate(id, today, captable.VoluntaryOther), fault.Conflict)["date"], "2025-03-15")
	})
	t.Run("a termination keeps vested units for a release", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		units := vestingOption(ref)
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		id := b.grant(units)
		b.do(terminate(id, "2025-03-15", captable.VoluntaryOther))
		equal(t, "now", b.standing(id, today), "48 14 14 0 34 0 14 ")
		b.do(captable.ReleaseGrant{ID: id, Date: exact.MustDate(today)})
		equal(t, "status", b.granted(id).Status, captable.StatusReleased)
	})
}

func TestCancelGrant(t *testing.T) {
	t.Parallel()
	cancel := func(id captable.GrantID, quantity *captable.Decimal) captable.CancelGrant {
		return captable.CancelGrant{ID: id, Quantity: quantity, Date: exact.MustDate(today), Reason: "agreed"}
	}
	t.Run("a cancellation takes unvested options before vested ones", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(cancel(id, figure("20")))
		equal(t, "unvested", b.standing(id, today), "48 24 24 0 20 0 28 ")
		b.do(cancel(id, figure("10")))
		equal(t, "and vested", b.standing(id, today), "48 24 18 0 30 0 18 ")
		equal(t, "vested ever", b.granted(id).On(exact.MustDate("2028-01-15")).Vested.String(), "24")
		equal(t, "outstanding", b.refused(cancel(id, figure("19")), fault.InsufficientShares)["available"], "18")
		b.do(cancel(id, nil))
		equal(t, "status", b.granted(id).Status, captable.StatusCancelled)
		equal(t, "pool", b.figuresOf(ref, today), "100 48 0 0 48 48 100 ")
		b.audited()
	})
	t.Run("a cancellation follows the behaviour of its plan unless it states another", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "100")
		terms.CancellationBehavior = captable.Retire
		ref := b.plan(terms)
		first, second := b.grant(option(ada, ref, "10", today)), b.grant(option(ada, ref, "20", today))
		b.do(cancel(first, nil))
		returned := cancel(second, nil)
		returned.Behavior = captable.ReturnToPool
		b.do(returned)
		equal(t, "pool", b.figuresOf(ref, today), "100 30 0 0 30 20 90 ")
	})
	t.Run("a refused cancellation names every wrong field", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		wrong := captable.CancelGrant{ID: id, Quantity: figure("-1"), Date: exact.MustDate("2024-01-14"), Behavior: "burn"}
		b.refused(wrong, fault.Invalid, "/reason required", "/cancellationBehavior enum", "/date beforeIssue", "/quantity notPositive")
		b.refused(captable.CancelGrant{ID: captable.GrantID{1}}, fault.NotFound)
	})
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	expiring := func(t *testing.T) (*bundle, captable.PoolRef, captable.GrantID) {
		t.Helper()
		b, _, ref := pooled(t)
		command := vestingOption(ref)
		command.ExpirationDate = exact.MustDate("2025-12-31")
		return b, ref, b.grant(command)
	}
	t.Run("a grant expires after its last day, recorded or not", func(t *testing.T) {
		t.Parallel()
		b, ref, id := expiring(t)
		equal(t, "last day", b.standing(id, "2025-12-31"), "48 23 23 0 0 0 48 ")
		equal(t, "unrecorded", b.standing(id, today), "48 23 0 0 0 48 0 ")
		equal(t, "events", len(b.do(captable.ExpireGrants{})), 1)
		equal(t, "recorded", b.standing(id, today), "48 23 0 0 0 48 0 ")
		equal(t, "years later", b.standing(id, "2030-01-01"), "48 23 0 0 0 48 0 ")
		equal(t, "status", b.granted(id).Status, captable.StatusExpired)
		equal(t, "ended", b.granted(id).End.Date, exact.MustDate("2026-01-01"))
		equal(t, "pool", b.figuresOf(ref, today), "100 48 0 0 48 48 100 ")
		equal(t, "again", len(b.do(captable.ExpireGrants{})), 0)
		b.audited()
	})
	t.Run("an expiry has no author, recorded or not", func(t *testing.T) {
		t.Parallel()
		b, _, id := expiring(t)
		ending := func() captable.End {
			was, _ := b.granted(id).AsOf(exact.MustDate(today))
			return *was.End
		}
		want := captable.End{Date: exact.MustDate("2026-01-01")}
		equal(t, "unrecorded", ending(), want)
		b.do(captable.ExpireGrants{})
		equal(t, "recorded", ending(), want)
	})
	t.Run("an expiry counts for the pool of each day, recorded or not", func(t *testing.T) {
		t.Parallel()
		b, ref, _ := expiring(t)
		equal(t, "last day", b.figuresOf(ref, "2025-12-31"), "100 48 48 0 0 0 52 ")
		equal(t, "the day after", b.figuresOf(ref, "2026-01-01"), "100 48 0 0 48 48 100 ")
		b.do(captable.ExpireGrants{})
		equal(t, "recorded", b.figuresOf(ref, "2026-01-01"), "100 48 0 0 48 48 100 ")
	})
	t.Run("an expiry frees options for a new grant and is recorded with it", func(t *testing.T) {
		t.Parallel()
		b, ref, id := expiring(t)
		b.refused(option(bob, ref, "60", "2025-12-31"), fault.InsufficientShares)
		events := b.do(option(bob, ref, "60", "2026-01-01"))
		equal(t, "events", len(events), 2)
		equal(t, "status", b.granted(id).Status, captable.StatusExpired)
		equal(t, "pool", b.figuresOf(ref, today), "100 108 60 0 48 48 40 ")
	})
	t.Run("an expiry keeps vested units", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		units := vestingOption(ref)
		units.Type, units.ExercisePrice, units.ExpirationDate = captable.GrantRSU, nil, exact.MustDate("2025-12-31")
		id := b.grant(units)
		equal(t, "unrecorded", b.standing(id, today), "48 23 23 0 0 25 23 ")
		b.do(captable.ExpireGrants{})
		equal(t, "recorded", b.standing(id, today), "48 23 23 0 0 25 23 ")
		equal(t, "again", len(b.do(captable.ExpireGrants{})), 0)
	})
	t.Run("an expiry on a future day is refused", func(t *testing.T) {
		t.Parallel()
		b, _, _ := expiring(t)
		b.refused(captable.ExpireGrants{Date: exact.MustDate("2026-02-01")}, fault.Invalid, "/date dateInFuture")
	})
}
