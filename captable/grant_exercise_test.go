package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func exercise(id captable.GrantID, quantity, on string) captable.ExerciseGrant {
	return captable.ExerciseGrant{ID: id, Quantity: number(quantity), Date: exact.MustDate(on)}
}

// exercised carries out an exercise or a release and returns its event.
func (b *bundle) exercised(command captable.Command) captable.OptionExercised {
	b.Helper()
	return b.do(command)[0].(captable.OptionExercised)
}

func TestExercise(t *testing.T) {
	t.Parallel()
	t.Run("an exercise creates shares for the price and moves them from reserved to issued", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		event := b.exercised(exercise(id, "20", "2025-06-01"))
		held := b.holding(event.Result.ID)
		equal(t, "shares", held.Shares.String(), "20")
		equal(t, "paid", held.Invested().String(), "30")
		equal(t, "origin", held.Origin.Option, id)
		equal(t, "kind", held.Origin.Kind, captable.StatusExercised)
		equal(t, "grant", b.standing(id, "2025-06-01"), "60 60 40 20 0 0 40 ")
		equal(t, "the day before", b.standing(id, "2025-05-31"), "60 60 60 0 0 0 60 ")
		equal(t, "pool", b.figuresOf(ref, today), "100 60 40 20 0 0 40 ")
		b.totals(class, "20", "20", "0", "900")
		b.audited()
	})
	t.Run("an exercise of the last options ends the grant", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		b.do(exercise(id, "60", today))
		equal(t, "status", b.granted(id).Status, captable.StatusExercised)
		equal(t, "ended", b.granted(id).End.Date, exact.MustDate(today))
		equal(t, "now", b.refused(exercise(id, "1", today), fault.Conflict)["status"], "exercised")
	})
	t.Run("an exercise needs no available shares besides the reserve of its pool", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		b.issue(bob, class, "900", "2025-01-01")
		id := b.grant(option(ada, ref, "100", "2025-01-01"))
		b.do(exercise(id, "100", today))
		b.totals(class, "1000", "1000", "0", "0")
		b.audited()
	})
	t.Run("an exercise of more options than are exercisable is refused with the figures", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "48", "2024-01-15")
		command.Vesting = monthly()
		id := b.grant(command)
		b.do(exercise(id, "12", "2025-01-15"))
		figures := b.refused(exercise(id, "13", today), fault.InsufficientShares)
		equal(
			t, "figures",
			figures["exercisable"]+" "+figures["vested"]+" "+figures["exercised"]+" "+figures["outstanding"]+" "+figures["requested"],
			"12 24 12 36 13",
		)
		equal(t, "before the cliff", b.refused(exercise(id, "1", "2025-01-14"), fault.Invalid, "/date datesOutOfOrder")["x"], "")
		b.do(exercise(id, "12", today))
	})
	t.Run("an early exercise takes unvested options, and its shares continue to vest", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "48", "2024-01-15")
		command.Vesting, command.EarlyExercise = monthly(), true
		id := b.grant(command)
		event := b.exercised(exercise(id, "30", "2024-01-15"))
		equal(t, "unvested", event.Deduction.Unvested.String(), "30")
		equal(t, "start", b.holding(event.Result.ID).VestingStart, exact.MustDate("2024-01-15"))
		equal(t, "vested of what was exercised first", b.standing(id, today), "48 24 18 30 0 0 18 ")
		b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate(today), Reason: captable.VoluntaryOther}})
		equal(t, "forfeits what was not exercised", b.standing(id, today), "48 24 0 30 18 0 0 ")
	})
	t.Run("an exercise of units is refused, and a refused exercise names every wrong field", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		units := option(ada, ref, "10", "2025-01-01")
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		b.refused(exercise(b.grant(units), "1", today), fault.Conflict)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		wrong := exercise(id, "0.5", "2024-12-31")
		wrong.Payment = "card"
		b.refused(wrong, fault.Invalid, "/quantity notWhole", "/date beforeIssue", "/payment enum")
		b.refused(captable.ExerciseGrant{ID: id}, fault.Invalid, "/quantity notPositive", "/date required")
	})
	t.Run("an exercise by a holder who is not in the register is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		delete(b.holders, ada)
		b.refused(exercise(id, "1", today), fault.Conflict)
	})
}

func TestNetExercise(t *testing.T) {
	t.Parallel()
	t.Run("a net exercise withholds shares at market value and pays the fraction in cash", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		command := exercise(id, "20", today)
		command.Payment, command.MarketValue = captable.PayNet, price("7")
		event := b.exercised(command) // 20 · (7 − 1.5) / 7 = 15.714…
		equal(t, "shares", event.Result.Shares.String(), "15")
		equal(t, "withheld", event.Withheld.String(), "5")
		equal(t, "fraction", event.CashFraction.String(), "0.7142857142")
		equal(t, "invested", b.holding(event.Result.ID).Invested().String(), "0")
		equal(t, "pool", b.figuresOf(ref, today), "100 60 40 20 0 0 40 ")
		b.totals(class, "15", "15", "0", "905")
		b.audited()
	})
	t.Run("a net exercise without a market value needs a valuation of the class", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		command := exercise(id, "20", today)
		command.Payment = captable.PayNet
		b.refused(command, fault.Invalid, "/marketValue required")
		b.do(valued(class, "3", today))
		equal(t, "shares", b.exercised(command).Result.Shares.String(), "10")
	})
	t.Run("a net exercise that leaves less than a share is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		command := exercise(id, "1", today)
		command.Payment, command.MarketValue = captable.PayNet, price("1.5")
		b.refused(command, fault.Conflict)
		command.MarketValue = price("2")
		b.refused(command, fault.Conflict)
	})
	t.Run("appreciation rights can only be exercised net", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		rights := option(ada, ref, "60", "2025-01-01")
		rights.Type = captable.GrantSAR
		id := b.grant(rights)
		command := exercise(id, "60", today)
		command.MarketValue, command.Payment = price("3"), captable.PayCash
		b.refused(command, fault.Invalid, "/payment notOfType")
		command.Payment = ""
		equal(t, "shares", b.exercised(command).Result.Shares.String(), "30")
		equal(t, "status", b.granted(id).Status, captable.StatusExercised)
	})
}

func TestRelease(t *testing.T) {
	t.Parallel()
	units := func(t *testing.T) (*bundle, captable.PoolRef, captable.GrantID) {
		t.Helper()
		b, _, ref := pooled(t)
		command := option(ada, ref, "48", "2024-01-15")
		command.Type, command.ExercisePrice, command.Vesting = captable.GrantRSU, nil, monthly()
		return b, ref, b.grant(command)
	}
	release := func(id captable.GrantID, quantity *captable.Decimal) captable.ReleaseGrant {
		return captable.ReleaseGrant{ID: id, Quantity: quantity, Date: exact.MustDate(today)}
	}
	t.Run("a release creates shares for the vested units, less the withheld shares", func(t *testing.T) {
		t.Parallel()
		b, ref, id := units(t)
		command := release(id, nil)
		command.Withheld = number("9")
		event := b.exercised(command)
		equal(t, "event", event.EventType(), "optionReleased")
		equal(t, "shares", event.Result.Shares.String(), "15")
		equal(t, "grant", b.standing(id, today), "48 24 0 24 0 0 24 ")
		equal(t, "pool", b.figuresOf(ref, today), "100 48 24 24 0 0 52 ")
		b.audited()
	})
	t.Run("a release of more units than are releasable is refused", func(t *testing.T) {
		t.Parallel()
		b, _, id := units(t)
		equal(t, "releasable", b.refused(release(id, figure("25")), fault.InsufficientShares)["releasable"], "24")
		b.do(release(id, figure("24")))
		b.refused(release(id, nil), fault.InsufficientShares)
	})
	t.Run("a release that withholds all of its shares is refused", func(t *testing.T) {
		t.Parallel()
		b, _, id := units(t)
		command := release(id, figure("9"))
		command.Withheld = number("9")
		equal(t, "withheld", b.refused(command, fault.InsufficientShares)["withheld"], "9")
	})
	t.Run("a release of options is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.refused(release(b.grant(option(ada, ref, "1", today)), nil), fault.Conflict)
	})
}

func TestExerciseRequest(t *testing.T) {
	t.Parallel()
	request := func(b *bundle, id captable.GrantID, quantity string) captable.RequestID {
		return b.do(captable.RequestExercise{ID: id, Quantity: number(quantity)})[0].(captable.ExerciseRequested).Request.ID
	}
	t.Run("a request is pending until an exercise of the same quantity accepts it", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		asked := request(b, id, "4")
		equal(t, "status", b.granted(id).Requests[0].Status, captable.RequestPending)
		equal(t, "untouched", b.standing(id, today), "10 10 10 0 0 0 10 ")
		other := exercise(id, "5", today)
		other.Request = asked
		equal(t, "asked for", b.refused(other, fault.Conflict)["requested"], "4")
		granted := exercise(id, "4", today)
		granted.Request = asked
		b.do(granted)
		equal(t, "status", b.granted(id).Requests[0].Status, captable.RequestAccepted)
		equal(t, "again", b.refused(granted, fault.Conflict)["status"], "accepted")
	})
	t.Run("a request beyond the exercisable options less pending requests is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		request(b, id, "6")
		figures := b.refused(captable.RequestExercise{ID: id, Quantity: number("5")}, fault.InsufficientShares)
		equal(t, "figures", figures["exercisable"]+" "+figures["requestedBefore"], "10 6")
		b.refused(captable.RequestExercise{ID: id, Payment: "card"}, fault.Invalid, "/quantity notPositive", "/payment enum")
	})
	t.Run("a declined request has a reason and makes its options available to other requests", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		asked := request(b, id, "6")
		b.refused(captable.DeclineExercise{ID: id, Request: asked}, fault.Invalid, "/reason required")
		b.do(captable.DeclineExercise{ID: id, Request: asked, Reason: "blackout"})
		equal(t, "why", b.granted(id).Requests[0].Reason, "blackout")
		b.refused(captable.DeclineExercise{ID: id, Request: asked, Reason: "r"}, fault.Conflict)
		b.refused(captable.DeclineExercise{ID: id, Request: captable.RequestID{1}, Reason: "r"}, fault.NotFound)
		request(b, id, "10")
	})
}
