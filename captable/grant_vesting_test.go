package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

func TestGrantVesting(t *testing.T) {
	t.Parallel()
	t.Run("vesting begins with the vesting start, and the next instalment is known", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "96", "2024-01-15")
		command.Vesting, command.VestingStart = monthly(), exact.MustDate("2023-07-31")
		id := b.grant(command)
		for _, row := range []struct{ day, vested, next, quantity string }{
			{"2024-07-30", "0", "2024-07-31", "24"},
			{"2024-07-31", "24", "2024-08-31", "2"},
			{"2025-02-28", "38", "2025-03-31", "2"},
			{"2027-07-30", "94", "2027-07-31", "2"},
		} {
			figures := b.granted(id).On(exact.MustDate(row.day))
			equal(t, "vested on "+row.day, figures.Vested.String(), row.vested)
			equal(t, "next after "+row.day, figures.NextVesting.Date.String()+" "+figures.NextVesting.Quantity.String(), row.next+" "+row.quantity)
		}
		equal(t, "nothing behind the last", b.granted(id).On(exact.MustDate("2027-07-31")).NextVesting == nil, true)
	})
	t.Run("explicit vestings apply without a schedule and are refused beyond the quantity", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "10", "2024-01-15")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-01-15"), Quantity: number("4")}, {Date: exact.MustDate("2026-01-15"), Quantity: number("6")},
		}
		id := b.grant(command)
		equal(t, "first", b.standing(id, "2025-01-15"), "10 4 4 0 0 0 10 ")
		equal(t, "all", b.standing(id, today), "10 10 10 0 0 0 10 ")
		command.Vestings[1].Quantity = number("7")
		b.refused(command, fault.Invalid, "/vestings moreThanGranted")
	})
	t.Run("a milestone vests on the day on which it happens", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "10", "2024-01-15")
		command.Vesting = &vesting.Scheme{
			Allocation: vesting.CumulativeRounding, Discrete: []vesting.Tranche{{Milestone: "launch", Quantity: number("10")}},
		}
		id := b.grant(command)
		equal(t, "before", b.standing(id, today), "10 0 0 0 0 0 10 ")
		happen := func(condition, on string) captable.HappenGrant {
			return captable.HappenGrant{ID: id, Happening: vesting.Happening{Condition: condition, Date: exact.MustDate(on)}}
		}
		b.refused(happen("landing", today), fault.Invalid, "/condition unknownCondition")
		b.refused(happen("launch", "2026-02-01"), fault.Invalid, "/date dateInFuture")
		b.do(happen("launch", "2025-05-01"))
		equal(t, "the day before", b.standing(id, "2025-04-30"), "10 0 0 0 0 0 10 ")
		equal(t, "then", b.standing(id, "2025-05-01"), "10 10 10 0 0 0 10 ")
		b.refused(happen("launch", "2025-05-02"), fault.Conflict)
	})
	t.Run("a part or all of a grant can be accelerated", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		day := exact.MustDate(today)
		b.refused(captable.AccelerateGrant{ID: id, Quantity: figure("25"), Date: day}, fault.InsufficientShares)
		b.do(captable.AccelerateGrant{ID: id, Quantity: figure("10"), Date: day, Reason: "promotion"})
		equal(t, "part", b.standing(id, today), "48 34 34 0 0 0 48 ")
		equal(t, "goes on", b.standing(id, "2026-02-15"), "48 35 35 0 0 0 48 ")
		equal(t, "not before", b.standing(id, "2026-01-14"), "48 23 23 0 0 0 48 ")
		b.do(captable.AccelerateGrant{ID: id, Date: day})
		equal(t, "all", b.standing(id, today), "48 48 48 0 0 0 48 ")
		equal(t, "all there was", b.refused(captable.AccelerateGrant{ID: id, Date: day}, fault.Conflict)["vested"], "48")
	})
	t.Run("a grant cannot be accelerated after the service of its holder", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(terminate(id, "2025-03-15", captable.InvoluntaryDeath))
		b.refused(captable.AccelerateGrant{ID: id, Date: exact.MustDate(today)}, fault.Conflict)
	})
}

func TestGrantAsOf(t *testing.T) {
	t.Parallel()
	t.Run("a past state of a grant has the status and the deductions of its day", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(captable.AcceptGrant{ID: id, Date: exact.MustDate("2024-02-01")})
		b.do(exercise(id, "12", "2025-01-15"))
		b.do(terminate(id, "2025-03-15", captable.VoluntaryOther))
		for _, row := range []struct {
			day        string
			status     captable.Status
			deductions int
			left       bool
		}{
			{"2024-01-15", captable.StatusActive, 0, false},
			{"2024-02-01", captable.StatusAccepted, 0, false},
			{"2025-01-15", captable.StatusAccepted, 1, false},
			{"2025-06-15", captable.StatusAccepted, 2, true},
			{"2025-06-16", captable.StatusExpired, 3, true},
		} {
			was, ok := b.granted(id).AsOf(exact.MustDate(row.day))
			equal(t, "there", ok, true)
			equal(t, "status on "+row.day, was.Status, row.status)
			equal(t, "deductions on "+row.day, len(was.Deductions), row.deductions)
			equal(t, "left on "+row.day, was.Termination != nil, row.left)
		}
		_, ok := b.granted(id).AsOf(exact.MustDate("2024-01-14"))
		equal(t, "before the grant", ok, false)
	})
}

func TestGrantSplit(t *testing.T) {
	t.Parallel()
	t.Run("a split restates quantity, price and deductions of a grant from its date on", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(exercise(id, "12", "2025-01-15"))
		b.do(captable.CancelGrant{ID: id, Quantity: figure("7"), Date: exact.MustDate("2025-02-01"), Reason: "r"})
		b.do(split(class, "3", "1", "2025-06-01"))
		equal(t, "before", b.standing(id, "2025-05-31"), "48 16 4 12 7 0 29 ")
		equal(t, "after", b.standing(id, "2025-06-01"), "144 48 12 36 21 0 87 ")
		equal(t, "price", b.granted(id).ExercisePrice.Amount.String(), "0.5")
		equal(t, "pool", b.figuresOf(ref, today), "300 144 87 36 21 21 177 ")
		b.refused(exercise(id, "1", "2025-05-31"), fault.Invalid, "/date beforeSplit", "/date datesOutOfOrder")
		b.do(exercise(id, "12", "2025-06-01"))
		b.audited()
	})
	t.Run("a split restates vesting quantities that are stated in shares", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		command := option(ada, ref, "10", "2024-01-15")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-01-15"), Quantity: number("4")}, {Date: exact.MustDate("2027-01-15"), Quantity: number("6")},
		}
		listed := b.grant(command)
		command.Vestings, command.Vesting = nil, &vesting.Scheme{Allocation: vesting.CumulativeRounding, Discrete: []vesting.Tranche{
			{Date: exact.MustDate("2025-01-15"), Quantity: number("4")}, {Date: exact.MustDate("2027-01-15"), Quantity: number("6")},
		}}
		counted := b.grant(command)
		b.do(split(class, "2", "1", "2025-06-01"))
		for _, id := range []captable.GrantID{listed, counted} {
			equal(t, "before", b.standing(id, "2025-05-31"), "10 4 4 0 0 0 10 ")
			equal(t, "after", b.standing(id, today), "20 8 8 0 0 0 20 ")
		}
	})
	t.Run("a split rounds every grant down, and the pool with them", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		first, second := b.grant(option(ada, ref, "15", "2025-01-01")), b.grant(option(bob, ref, "9", "2025-01-01"))
		b.do(split(class, "1", "10", today))
		equal(t, "first", b.standing(first, today), "1 1 1 0 0 0 1 ")
		equal(t, "second", string(b.granted(second).Status)+" "+b.standing(second, today), "cancelled 0 0 0 0 0 0 0 ")
		equal(t, "pool", b.figuresOf(ref, today), "10 1 1 0 0 0 9 ")
		b.audited()
	})
	t.Run("a split before the last event of a grant, or to a price out of range, is refused", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		command := option(ada, ref, "1", "2024-01-15")
		command.ExercisePrice = price("5000000000000000000")
		id := b.grant(command)
		b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate("2025-03-01"), Reason: captable.VoluntaryOther}})
		equal(t, "date", b.refused(split(class, "2", "1", "2025-02-28"), fault.Conflict)["date"], "2025-03-01")
		b.refused(split(class, "1", "10", "2025-03-01"), fault.Conflict)
	})
}
