package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func split(id captable.SecurityID, numerator, denominator, on string) captable.SplitSecurity {
	return captable.SplitSecurity{ID: id, Numerator: number(numerator), Denominator: number(denominator), Date: exact.MustDate(on)}
}

func TestSplitSecurity(t *testing.T) {
	t.Parallel()
	t.Run("a split of 2 for 1 doubles shares and limit and halves prices", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("A")
		terms.ParValue, terms.Price = price("0.01"), &captable.Price{Amount: number("3"), Currency: "EUR"}
		class := b.security(terms)
		id := b.issue(ada, class, "100", "2025-01-01")
		event := b.do(split(class, "2", "1", "2025-06-01"))[0].(captable.SecuritySplit)
		equal(t, "event", event.EventType()+event.Authorized.String(), "securitySplit2000")
		b.totals(class, "200", "200", "0", "1800")
		equal(t, "par", *b.class(class).ParValue, captable.Price{Amount: number("0.005")})
		equal(t, "price", *b.class(class).Price, captable.Price{Amount: number("1.5"), Currency: "EUR"})
		equal(t, "holding", b.holding(id).Shares.String(), "200")
		equal(t, "before", text(t, b.holding(id).Before), `[{"until":"2025-06-01","shares":"100","ratio":{"numerator":"2","denominator":"1"}}]`)
		equal(t, "splits", text(t, b.class(class).Splits), `[{"date":"2025-06-01","ratio":{"numerator":"2","denominator":"1"}}]`)
		equal(t, "version", b.holding(id).Version, 3)
	})
	t.Run("a split of 1 for 3 rounds each shareholding down", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		one, two, three := b.issue(ada, class, "10", today), b.issue(bob, class, "11", today), b.issue(cleo, class, "12", today)
		b.do(split(class, "1", "3", today))
		equal(t, "holdings", b.holding(one).Shares.String()+b.holding(two).Shares.String()+b.holding(three).Shares.String(), "334")
		b.totals(class, "10", "10", "0", "23")
	})
	t.Run("a split of 1 for 3 keeps fractions in a class with fractional shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.FractionalShares = true
		class := b.security(terms)
		id := b.issue(ada, class, "10", today)
		b.do(split(class, "1", "3", today))
		equal(t, "holding", b.holding(id).Shares.String(), "3.3333333333")
		b.totals(class, "3.3333333333", "3.3333333333", "0", "330")
	})
	t.Run("a split restates ended shares, but not voided ones or other securities", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, other := b.common("100"), b.security(preferred("Other"))
		ended, voided, elsewhere := b.issue(ada, class, "10", today), b.issue(ada, class, "20", today), b.issue(ada, other, "30", today)
		b.ended(cancel(ended, "", today))
		b.do(captable.VoidShareholding{ID: voided})
		b.do(split(class, "2", "1", today))
		equal(t, "holdings", b.holding(ended).Shares.String()+b.holding(voided).Shares.String()+b.holding(elsewhere).Shares.String(), "202030")
		b.totals(class, "0", "0", "0", "200")
		b.totals(other, "30", "30", "0", "970")
	})
	t.Run("a split keeps the value of conversions into and out of its class", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		b.do(split(common, "2", "1", today))
		equal(t, "after the split of what it converts into", b.class(class).Conversion.Ratio.String(), "3")
		b.do(split(class, "4", "1", today))
		equal(t, "after its own", b.class(class).Conversion.Ratio.String(), "0.75")
	})
	t.Run("a split keeps a class unlimited, and keeps a limit if requested", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		free, bound := b.common("unlimited"), b.security(preferred("Bound"))
		b.issue(ada, free, "10", today)
		b.issue(ada, bound, "400", today)
		b.do(split(free, "10", "1", today))
		b.totals(free, "100", "100", "0", "unlimited")
		command := split(bound, "2", "1", today)
		command.KeepAuthorized = true
		b.do(command)
		b.totals(bound, "800", "800", "0", "200")
		equal(t, "limits", len(b.class(bound).Authorizations), 1)
		equal(t, "available", b.refused(command, fault.InsufficientShares)["available"], "1000")
	})
	t.Run("a split multiplies later limits, unless the limits are kept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.do(authorize(class, "50", "2025-08-01"))
		b.do(split(class, "2", "1", "2025-07-01"))
		equal(t, "between", b.on("2025-07-31").Totals.Authorized.String(), "200")
		b.totals(class, "0", "0", "0", "300")
		kept := split(class, "2", "1", "2025-07-31")
		kept.KeepAuthorized = true
		b.do(kept)
		equal(t, "kept", b.on("2025-07-31").Totals.Authorized.String(), "200")
		b.totals(class, "0", "0", "0", "300")
	})
	t.Run("a split beyond a kept limit, treasury shares included, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "60", "2025-01-01")
		command := split(class, "2", "1", today)
		command.KeepAuthorized = true
		b.refused(command, fault.InsufficientShares)
	})
	t.Run("a split divides a later pool without an approval on the days before", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		b.do(split(class, "3", "2", "2025-03-01"))
		terms := planned(class, "100")
		terms.BoardApprovalDate = 0
		terms.Pools[0].BoardApprovalDate, terms.Pools[0].StrikePrice = 0, price("3")
		plan, _ := b.state.Plan(b.plan(terms).Plan)
		for day, want := range map[string]string{"2025-02-28": "66 at 4.5", "2025-03-01": "100 at 3", today: "100 at 3"} {
			pool := b.state.PlanOn(plan, exact.MustDate(day)).Pools[0]
			equal(t, day, pool.Reserve.String()+" at "+pool.StrikePrice.Amount.String(), want)
		}
	})
	t.Run("a split may precede the acceptance of a grant", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		grant := b.grant(option(ada, ref, "10", "2025-01-01"))
		b.do(captable.AcceptGrant{ID: grant, Date: exact.MustDate("2025-06-01")})
		b.do(split(class, "2", "1", "2025-03-01"))
		equal(t, "quantity", b.granted(grant).Quantity.String(), "20")
	})
	t.Run("a split ends a shareholding that it rounds to zero", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		small, large := b.issue(ada, class, "9", "2025-01-01"), b.issue(bob, class, "100", "2025-01-01")
		b.do(split(class, "1", "10", "2025-06-01"))
		equal(t, "status", b.holding(small).Status, captable.StatusCancelled)
		equal(t, "end", b.holding(small).End.Date.String()+" "+b.holding(small).End.Reason, "2025-06-01 split")
		equal(t, "Ada holds", b.state.Holds(ada), false)
		equal(t, "other", b.holding(large).Shares.String(), "10")
		equal(t, "before", b.on("2025-05-31").Totals.Outstanding.String(), "109")
		equal(t, "after", b.on("2025-06-01").Totals.Outstanding.String(), "10")
		b.totals(class, "10", "10", "0", "90")
		b.refused(cancel(small, "", today), fault.Conflict)
	})
}

func TestSplitRefused(t *testing.T) {
	t.Parallel()
	t.Run("a refused split names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.refused(captable.SplitSecurity{ID: class}, fault.Invalid, "/date required", "/numerator notPositive", "/denominator notPositive")
		b.refused(split(class, "-1", "0", "2026-01-17"), fault.Invalid, "/date dateInFuture", "/numerator notPositive", "/denominator notPositive")
		b.refused(split(captable.SecurityID{9}, "2", "1", today), fault.NotFound)
	})
	t.Run("a split before a later issue or end of shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "10", "2025-06-01")
		equal(t, "figure", b.refused(split(class, "2", "1", "2025-05-31"), fault.Conflict)["shareholding"], id.String())
		b.ended(cancel(id, "", "2025-07-01"))
		b.refused(split(class, "2", "1", "2025-06-30"), fault.Conflict)
		b.do(split(class, "2", "1", "2025-07-01"))
	})
	t.Run("a split dated before another split is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.do(split(class, "2", "1", "2025-06-01"))
		b.refused(split(class, "2", "1", "2025-05-31"), fault.Conflict)
		b.do(split(class, "2", "1", "2025-06-01"))
	})
	t.Run("a split to shares, a price or a ratio out of range is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("A")
		terms.AuthorizedShares, terms.Price = limit("unlimited"), price("5000000000000000000")
		class := b.security(terms)
		b.issue(ada, class, "5000000000000000000", today)
		b.refused(split(class, "2", "1", today), fault.Conflict) // the shares would be out of range
		b.refused(split(class, "1", "2", today), fault.Conflict) // the price would be out of range
		_, other := b.convertible("unlimited", "0.0000000001")
		b.refused(split(other, "3", "1", today), fault.Conflict) // the ratio would round to zero
	})
	t.Run("a split that puts the conversion ratio of another security out of range is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, _ := b.convertible("unlimited", "5000000000000000000")
		b.refused(split(common, "2", "1", today), fault.Conflict)
		small := setup(t)
		common, _ = small.convertible("unlimited", "0.0000000001")
		small.refused(split(common, "1", "3", today), fault.Conflict)
	})
}

func TestAfterASplit(t *testing.T) {
	t.Parallel()
	t.Run("issues, transfers and repurchases before a split count in shares of their day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		id := b.issue(ada, class, "100", "2025-01-01")
		b.do(split(class, "2", "1", "2025-06-01"))
		equal(t, "issued", b.holding(b.issue(bob, class, "10", "2025-05-31")).Shares.String(), "20")
		moved := b.ended(transfer(id, bob, "10", "2025-05-31"))
		equal(t, "transferred", b.holding(moved.Results[0].ID).Shares.String(), "20")
		equal(t, "kept", b.holding(moved.Balance.ID).Shares.String(), "180")
		bought := repurchase(moved.Balance.ID, "15", "2025-05-31")
		bought.ToTreasury = true
		b.do(bought)
		b.totals(class, "220", "190", "30", "1810")
		for day, want := range map[string]string{"2025-05-30": "100 0", "2025-05-31": "95 15", "2025-06-01": "190 30"} {
			table := b.on(day)
			equal(t, day, table.Totals.Outstanding.String()+" "+table.Totals.Treasury.String(), want)
		}
		b.audited()
	})
	t.Run("a conversion dated before a split uses the ratio of its day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1")
		id := b.issue(ada, class, "100", "2025-01-01")
		b.do(split(common, "2", "1", "2025-06-01"))
		converted := b.ended(convert(id, common, "2025-05-31"))
		equal(t, "shares of the day", converted.Results[0].Shares.String(), "100")
		equal(t, "shares", b.holding(converted.Results[0].ID).Shares.String(), "200")
		b.audited()
	})
}
