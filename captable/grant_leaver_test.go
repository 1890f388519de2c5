package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

func leaving(who captable.EntityID, on string, reason captable.TerminationReason) captable.TerminateHolder {
	return captable.TerminateHolder{Entity: who, Termination: captable.Termination{Date: exact.MustDate(on), Reason: reason}}
}

func TestTerminatingHolders(t *testing.T) {
	t.Parallel()
	held := func(t *testing.T) (*bundle, captable.PoolRef) {
		t.Helper()
		b := setup(t)
		return b, b.plan(planned(b.common("1000"), "1000"))
	}
	halved := func(ref captable.PoolRef, quantity string) captable.GrantOption {
		command := option(ada, ref, quantity, "2025-01-01")
		command.Vestings = []vesting.Vesting{{Date: exact.MustDate("2025-02-01"), Quantity: number("40")}}
		command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
		return command
	}
	t.Run("a termination of a holder forfeits unvested options of each grant and opens windows", func(t *testing.T) {
		t.Parallel()
		b, ref := held(t)
		first, second, other := b.grant(halved(ref, "100")), b.grant(halved(ref, "50")), b.grant(option(bob, ref, "7", "2025-01-01"))
		equal(t, "events", len(b.do(leaving(ada, "2025-03-01", captable.VoluntaryOther))), 2)
		for id, forfeited := range map[captable.GrantID]string{first: "60", second: "10", other: "0"} {
			equal(t, "forfeited", b.granted(id).On(exact.MustDate("2025-03-01")).Cancelled.String(), forfeited)
		}
		equal(t, "last day", b.granted(first).On(exact.MustDate("2025-03-01")).LastDay, exact.MustDate("2025-04-01"))
	})
	t.Run("a termination of a holder skips ended, later and terminated grants", func(t *testing.T) {
		t.Parallel()
		b, ref := held(t)
		ended, terminated := b.grant(halved(ref, "40")), b.grant(halved(ref, "40"))
		b.do(captable.CancelGrant{ID: ended, Date: exact.MustDate("2025-01-02"), Reason: "r"})
		b.do(captable.TerminateGrant{
			ID: terminated, Termination: captable.Termination{Date: exact.MustDate("2025-02-02"), Reason: captable.InvoluntaryDeath},
		})
		b.grant(option(ada, ref, "5", "2025-06-01"))
		equal(t, "events", len(b.do(leaving(ada, "2025-03-01", captable.VoluntaryOther))), 0)
	})
	t.Run("a refused termination names every wrong field", func(t *testing.T) {
		t.Parallel()
		b, ref := held(t)
		id := b.grant(halved(ref, "100"))
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("1"), Date: exact.MustDate("2025-03-02")})
		b.refused(leaving(ada, "2025-03-01", "left"), fault.Invalid, "/terminationDate datesOutOfOrder", "/terminationReason enum")
		b.refused(leaving(ada, "2035-03-01", captable.VoluntaryOther), fault.Invalid, "/terminationDate dateInFuture")
	})
}
