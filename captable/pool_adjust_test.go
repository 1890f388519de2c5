package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func adjust(ref captable.PoolRef, shares, from string) captable.AdjustPool {
	return captable.AdjustPool{PoolRef: ref, TotalShares: number(shares), EffectiveDate: exact.MustDate(from)}
}

func TestAdjustPool(t *testing.T) {
	t.Parallel()
	t.Run("an adjustment sets the size of a pool from its date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		ref := b.plan(planned(class, "100"))
		b.do(adjust(ref, "250", "2025-06-01"))
		_, pool, _ := b.state.Pool(ref)
		equal(t, "total", pool.TotalShares.String(), "250")
		equal(t, "available", pool.Available().String(), "250")
		equal(t, "reserved", b.class(class).Reserved.String(), "250")
		equal(t, "reserved the day before", b.on("2025-05-31").Securities[0].Reserved.String(), "100")
	})
	t.Run("an adjustment below the used options of any later day is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "100"))
		b.state.Granted(ref, number("60"), exact.MustDate("2025-06-01"))
		b.refused(adjust(ref, "59", "2025-01-01"), fault.InsufficientShares)
		b.do(adjust(ref, "60", "2025-01-01"))
	})
	t.Run("an adjustment beyond the authorized shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "100"))
		b.refused(adjust(ref, "1001", today), fault.InsufficientShares)
	})
	t.Run("a refused adjustment names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "100"))
		command := adjust(ref, "-1", "2030-01-01")
		command.BoardApprovalDate, command.StockholderApprovalDate = exact.MustDate("2030-01-01"), exact.MustDate("2030-01-01")
		b.refused(command, fault.Invalid, "/effectiveDate dateInFuture", "/boardApprovalDate dateInFuture",
			"/stockholderApprovalDate dateInFuture", "/totalShares negative")
	})
	t.Run("an adjustment before a split counts in shares of its date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		ref := b.plan(planned(class, "100"))
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-06-01")})
		b.do(adjust(ref, "250", "2025-05-31"))
		for day, want := range map[string]string{"2025-05-30": "100", "2025-05-31": "250", "2025-06-01": "500"} {
			equal(t, day, b.on(day).Securities[0].Reserved.String(), want)
		}
		_, pool, _ := b.state.Pool(ref)
		equal(t, "size", pool.TotalShares.String(), "500")
		b.audited()
	})
	t.Run("a replacement of the plan before a split counts in shares of its date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		ref := b.plan(planned(class, "100"))
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-06-01")})
		terms := planned(class, "250")
		terms.Pools[0].ID, terms.Pools[0].BoardApprovalDate = ref.Pool, exact.MustDate("2025-05-31")
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
		for day, want := range map[string]string{"2025-05-30": "100", "2025-05-31": "250", "2025-06-01": "500"} {
			equal(t, day, b.on(day).Securities[0].Reserved.String(), want)
		}
		b.audited()
	})
	t.Run("a pool of a new plan before a split counts in shares of its date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-06-01")})
		terms := planned(class, "100")
		terms.BoardApprovalDate = exact.MustDate("2025-05-31")
		terms.Pools[0].StrikePrice = price("3")
		ref := b.plan(terms)
		equal(t, "reserved", b.on("2025-05-31").Securities[0].Reserved.String()+" "+b.on("2025-06-01").Securities[0].Reserved.String(), "100 200")
		_, pool, _ := b.state.Pool(ref)
		equal(t, "pool", pool.TotalShares.String()+" at "+pool.StrikePrice.Amount.String(), "200 at 1.5")
		terms = b.terms(ref)
		terms.Pools = append(terms.Pools, captable.PoolTerms{Name: "Second", Security: class, TotalShares: number("1")})
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
		equal(
			t, "with a second pool",
			b.on("2025-05-31").Securities[0].Reserved.String()+" "+b.on("2025-06-01").Securities[0].Reserved.String(), "101 202",
		)
		b.audited()
	})
	t.Run("an adjustment of an unknown pool is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(adjust(captable.PoolRef{}, "1", today), fault.NotFound)
	})
}
