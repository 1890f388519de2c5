package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// convertible creates a common class and a preferred class that converts into it.
func (b *bundle) convertible(authorized, ratio string) (common, preferredClass captable.SecurityID) {
	b.Helper()
	common = b.common(authorized)
	terms := preferred("Preferred")
	terms.Conversion = &captable.Conversion{Security: common, Ratio: number(ratio)}
	return common, b.security(terms)
}

func convert(id captable.ShareholdingID, into captable.SecurityID, on string) captable.ConvertShareholding {
	return captable.ConvertShareholding{ID: id, Security: into, Date: exact.MustDate(on)}
}

func TestConvertShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a conversion exchanges all shares at the ratio and keeps the amount invested", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		id := b.issue(ada, class, "100", "2025-01-01")
		b.do(amend(id, `{"pricePerShare":"3"}`))
		event := b.ended(convert(id, common, "2025-06-01"))
		result := b.holding(event.Results[0].ID)
		equal(t, "event", event.EventType(), "shareholdingConverted")
		equal(t, "old", b.holding(id).Status, captable.StatusConverted)
		equal(t, "result", result.Shares.String()+" of "+result.Certificate, "150 of CS-1")
		equal(t, "holder", result.Entity, ada)
		equal(t, "invested", result.Invested().String(), "300")
		equal(t, "cash", event.CashFraction.String(), "0")
		b.totals(class, "0", "0", "0", "1000")
		b.totals(common, "150", "150", "0", "850")
	})
	t.Run("a conversion pays the fraction of a share in cash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "0.3333333333")
		event := b.ended(convert(b.issue(ada, class, "100", today), common, today))
		equal(t, "shares", event.Results[0].Shares.String(), "33")
		equal(t, "cash", event.CashFraction.String(), "0.33333333")
	})
	t.Run("a conversion into a class with fractional shares gives ten decimal places", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.FractionalShares = true
		units := b.security(terms)
		from := preferred("Preferred")
		from.FractionalShares, from.Conversion = true, &captable.Conversion{Security: units, Ratio: number("0.3333333333")}
		event := b.ended(convert(b.issue(ada, b.security(from), "0.5", today), units, today))
		equal(t, "shares", event.Results[0].Shares.String(), "0.1666666666")
		equal(t, "cash", event.CashFraction.String(), "0")
	})
	t.Run("converted shares take the legends of the other security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		one, two := b.legend("One"), b.legend("Two")
		terms := preferred("Common")
		terms.Legends = []captable.LegendID{two}
		common := b.security(terms)
		from := preferred("Preferred")
		from.Conversion = &captable.Conversion{Security: common, Ratio: number("1")}
		command := issue(ada, b.security(from), "1", today)
		command.Legends = []captable.LegendID{one}
		id := b.do(command)[0].(captable.ShareholdingIssued).ID
		equal(t, "legend", b.ended(convert(id, common, today)).Results[0].Legends[0], two)
	})
	t.Run("a conversion takes new shares first, then treasury shares, and is refused beyond them", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("100", "1")
		b.repurchased(common, "80", "2025-01-01")
		id, other := b.issue(bob, class, "50", today), b.issue(bob, class, "51", today)
		event := b.ended(convert(id, common, today))
		equal(t, "from treasury", event.Results[0].FromTreasury.String(), "30")
		b.totals(common, "100", "50", "50", "50")
		equal(t, "treasury", b.treasuryOn(today), "50")
		equal(t, "available", b.refused(convert(other, common, today), fault.InsufficientShares)["available"], "50")
		b.refused(convert(b.issue(bob, class, "50", today), common, "2026-01-14"), fault.Invalid, "/date beforeIssue")
	})
	t.Run("a conversion into another class than the stated one or into less than a share is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "0.1")
		other := b.security(preferred("Other"))
		id, plain := b.issue(ada, class, "9", today), b.issue(ada, common, "9", today)
		b.refused(convert(id, other, today), fault.Conflict)
		b.refused(convert(plain, class, today), fault.Conflict)
		b.refused(convert(id, common, today), fault.Conflict)
		b.refused(convert(captable.ShareholdingID{9}, common, today), fault.NotFound)
	})
	t.Run("a refused conversion names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, class := b.convertible("1000", "1")
		id := b.issue(ada, class, "9", today)
		b.refused(captable.ConvertShareholding{ID: id, Security: captable.SecurityID{9}}, fault.Invalid, "/security unknownReference", "/date required")
	})
	t.Run("a conversion into more shares than the largest number is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("unlimited", "9999999999999999999")
		b.refused(convert(b.issue(ada, class, "2", today), common, today), fault.Conflict)
		id := b.issue(ada, class, "1", today)
		b.ended(convert(id, common, today))
		b.refused(convert(b.issue(ada, class, "1", today), common, today), fault.Conflict)
	})
}
