package captable_test

import (
	"errors"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// figuresOf returns the following figures of a pool on a day: reserve, granted, outstanding,
// exercised, cancelled, returned and available.
func (b *bundle) figuresOf(ref captable.PoolRef, day string) string {
	b.Helper()
	plan, ok := b.state.Plan(ref.Plan)
	if !ok {
		b.Fatal("there is no such plan")
	}
	var written strings.Builder
	for _, pool := range b.state.PlanOn(plan, exact.MustDate(day)).Pools {
		if pool.ID == ref.Pool {
			for _, figure := range []captable.Decimal{
				pool.Reserve, pool.Granted, pool.Outstanding(), pool.Exercised, pool.Cancelled, pool.Returned, pool.Available(),
			} {
				written.WriteString(figure.String() + " ")
			}
		}
	}
	return written.String()
}

// pooled returns a class of 1,000 authorized shares with a pool of 100 that is in effect on
// every day.
func pooled(t *testing.T) (*bundle, captable.SecurityID, captable.PoolRef) {
	t.Helper()
	b := setup(t)
	class := b.common("1000")
	return b, class, b.plan(planned(class, "100"))
}

func TestPoolBalance(t *testing.T) {
	t.Parallel()
	first, second, third := exact.MustDate("2025-01-01"), exact.MustDate("2025-06-01"), exact.MustDate(today)
	t.Run("a pool has the granted, exercised and cancelled options of each day", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		b.state.Granted(ref, number("60"), first)
		b.state.Exercised(ref, number("10"), second)
		b.state.Exercised(ref, number("5"), second)
		b.state.Cancelled(ref, number("20"), true, third)
		b.state.Cancelled(ref, number("8"), false, third)
		equal(t, "before", b.figuresOf(ref, "2024-12-31"), "100 0 0 0 0 0 100 ")
		equal(t, "first", b.figuresOf(ref, "2025-01-01"), "100 60 60 0 0 0 40 ")
		equal(t, "second", b.figuresOf(ref, "2025-12-31"), "100 60 45 15 0 0 40 ")
		equal(t, "third", b.figuresOf(ref, today), "100 60 17 15 28 20 60 ")
		equal(t, "reserved", b.class(class).Reserved.String(), "77")
		equal(t, "reserved then", b.on("2025-12-31").Securities[0].Reserved.String(), "85")
		restored := unpacked(t, packed(b.state))
		equal(t, "last date", restored.LastDate(), third)
		if string(packed(restored)) != string(packed(b.state)) {
			t.Error("the snapshot holds another state")
		}
	})
	t.Run("a retracted grant frees its options, but its plan cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.state.Granted(ref, number("60"), first)
		b.state.Retracted(ref, number("60"), first)
		equal(t, "figures", b.figuresOf(ref, "2025-01-01"), "100 0 0 0 0 0 100 ")
		b.refused(captable.DeletePlan{ID: ref.Plan}, fault.InUse)
	})
	t.Run("a grant is limited to the available options of its day and of later days", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.state.Granted(ref, number("60"), second)
		b.state.Cancelled(ref, number("30"), true, third)
		for _, row := range []struct {
			on        captable.Date
			available string
		}{{first, "40"}, {second, "40"}, {third, "70"}} {
			if err := b.state.CheckGrant(ref, number(row.available), row.on); err != nil {
				t.Errorf("%s on %s: %v", row.available, row.on, err)
			}
			var refusal *fault.Error
			if err := b.state.CheckGrant(ref, number(row.available).Add(number("1")), row.on); !errors.As(err, &refusal) {
				t.Fatalf("one more than %s on %s was not refused", row.available, row.on)
			}
			equal(t, "code", refusal.Code, fault.InsufficientShares)
			equal(t, "available", refusal.Details["available"], row.available)
		}
	})
	t.Run("a grant from an unknown pool changes nothing", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		before := string(packed(b.state))
		b.state.Granted(captable.PoolRef{Plan: ref.Plan}, number("1"), first)
		b.state.Granted(captable.PoolRef{Pool: ref.Pool}, number("1"), first)
		equal(t, "same", string(packed(b.state)) == before, true)
	})
}

func TestPoolSize(t *testing.T) {
	t.Parallel()
	t.Run("a pool size counts from today or from its stated approval", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.do(b.resize(ref, "150", ""))
		b.do(b.resize(ref, "250", "2025-03-01"))
		equal(t, "before", b.figuresOf(ref, "2025-02-28"), "100 0 0 0 0 0 100 ")
		equal(t, "approved", b.figuresOf(ref, "2025-03-01"), "250 0 0 0 0 0 250 ")
		equal(t, "today", b.figuresOf(ref, today), "250 0 0 0 0 0 250 ")
	})
	t.Run("a pool without an approval begins with the approval of its plan", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "100")
		terms.BoardApprovalDate = exact.MustDate("2025-03-01")
		ref := b.plan(terms)
		equal(t, "before", b.figuresOf(ref, "2025-02-28"), "0 0 0 0 0 0 0 ")
		equal(t, "after", b.figuresOf(ref, "2025-03-01"), "100 0 0 0 0 0 100 ")
	})
	t.Run("a pool beyond the authorized shares, less issued and reserved ones, is refused", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		b.issue(ada, class, "800", today)
		figures := b.refused(b.resize(ref, "201", ""), fault.InsufficientShares)
		equal(t, "figures", figures["available"]+" "+figures["requested"]+" "+figures["issued"]+" "+figures["reserved"], "100 101 800 100")
		b.do(b.resize(ref, "200", ""))
		b.refused(issue(ada, class, "1", today), fault.InsufficientShares)
		terms := b.class(class).SecurityTerms
		terms.AuthorizedShares = limit("999")
		figures = b.refused(captable.ReplaceSecurity{ID: class, SecurityTerms: terms}, fault.Conflict)
		equal(t, "figures", figures["issued"]+" "+figures["reserved"], "800 200")
	})
	t.Run("pools beyond the largest number are refused, even in an unlimited class", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		most := "9999999999999999999"
		terms := planned(b.common("unlimited"), most)
		terms.Pools = append(terms.Pools, captable.PoolTerms{Name: "More", Security: terms.Pools[0].Security, TotalShares: number(most)})
		b.refused(captable.CreatePlan{PlanTerms: terms}, fault.InsufficientShares)
	})
	t.Run("a pool size below the used options of any later day is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.state.Granted(ref, number("60"), exact.MustDate("2025-01-01"))
		b.state.Cancelled(ref, number("50"), true, exact.MustDate("2025-06-01"))
		figures := b.refused(b.resize(ref, "50", "2025-03-01"), fault.InsufficientShares)
		equal(t, "figures", figures["available"]+" "+figures["requested"]+" "+figures["reserve"], "40 50 100")
		b.do(b.resize(ref, "10", ""))
		equal(t, "today", b.figuresOf(ref, today), "10 60 10 0 50 50 0 ")
		b.refused(b.resize(ref, "9", ""), fault.InsufficientShares)
	})
}

func TestPoolSplit(t *testing.T) {
	t.Parallel()
	used := func(t *testing.T) (*bundle, captable.SecurityID, captable.PoolRef) {
		t.Helper()
		b := setup(t)
		class := b.common("1000")
		terms := planned(class, "100")
		terms.Pools[0].StrikePrice = price("3")
		ref := b.plan(terms)
		on := exact.MustDate("2025-01-01")
		id := b.grant(option(ada, ref, "61", on.String()))
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("10"), Date: on})
		b.do(captable.CancelGrant{ID: id, Quantity: figure("19"), Date: on, Reason: "r"})
		b.do(captable.CancelGrant{ID: id, Quantity: figure("8"), Date: on, Reason: "r", Behavior: captable.Retire})
		return b, class, ref
	}
	t.Run("a split multiplies the pool and divides its price from its date on", func(t *testing.T) {
		t.Parallel()
		b, class, ref := used(t)
		b.do(split(class, "2", "1", today))
		equal(t, "before", b.figuresOf(ref, "2026-01-14"), "100 61 24 10 27 19 58 ")
		equal(t, "after", b.figuresOf(ref, today), "200 122 48 20 54 38 116 ")
		_, pool, _ := b.state.Pool(ref)
		equal(t, "price", pool.StrikePrice.Amount.String(), "1.5")
		equal(t, "total", pool.TotalShares.String(), "200")
		equal(t, "reserved", b.class(class).Reserved.String(), "164")
	})
	t.Run("a split rounds the figures of a pool down and keeps them balanced", func(t *testing.T) {
		t.Parallel()
		b, class, ref := used(t)
		b.do(split(class, "1", "7", today))
		equal(t, "after", b.figuresOf(ref, today), "14 7 3 1 3 2 9 ")
		if faults := b.state.Audit(); len(faults) > 0 {
			t.Error(faults)
		}
	})
	t.Run("a split beyond the authorized shares or before the last change is refused", func(t *testing.T) {
		t.Parallel()
		b, class, _ := used(t)
		command := split(class, "20", "1", today)
		command.KeepAuthorized = true
		equal(t, "needed", b.refused(command, fault.InsufficientShares)["requested"], "1840")
		equal(t, "date", b.refused(split(class, "2", "1", "2024-12-31"), fault.Conflict)["date"], "2025-01-01")
	})
}
