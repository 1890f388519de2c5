package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// valued returns a 409A valuation per share with the effective date.
func valued(of captable.SecurityID, price, on string) captable.PutValuation {
	return captable.PutValuation{ValuationTerms: captable.ValuationTerms{
		Security: of, Type: "409A", EffectiveDate: exact.MustDate(on), PricePerShare: dollars(price),
	}}
}

func (b *bundle) value(of captable.SecurityID, price, on string) captable.ValuationID {
	b.Helper()
	return b.do(valued(of, price, on))[0].(captable.ValuationCreated).ID
}

func TestPutValuation(t *testing.T) {
	t.Parallel()
	t.Run("a valuation without an id is created", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		valuation, ok := b.state.Valuation(b.value(b.common("100"), "1.25", "2025-06-01"))
		if !ok || valuation.PricePerShare.Amount != number("1.25") || valuation.Version != 2 {
			t.Errorf("got %+v", valuation)
		}
	})
	t.Run("a valuation with the id of an existing one replaces it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		again := valued(class, "2", "2025-06-01")
		again.ID = b.value(class, "1.25", "2025-06-01")
		b.do(again)
		valuation, _ := b.state.Valuation(again.ID)
		equal(t, "price", valuation.PricePerShare.Amount.String(), "2")
		equal(t, "version", valuation.Version, 3)
	})
	t.Run("a valuation with an unknown id is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := valued(b.common("100"), "1", today)
		command.ID = captable.ValuationID{1}
		b.refused(command, fault.NotFound)
	})
	t.Run("a refused valuation names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(captable.PutValuation{ValuationTerms: captable.ValuationTerms{
			Security: captable.SecurityID{9}, Type: "guess", EffectiveDate: exact.MustDate("2030-01-01"), ExpiresOn: exact.MustDate("2029-01-01"),
			PricePerShare: &captable.Money{Amount: number("-1"), Currency: "usd"}, CompanyValue: &captable.Money{Amount: number("-1"), Currency: "USD"},
		}}, fault.Invalid, "/type enum", "/effectiveDate dateInFuture", "/expiresOn beforeStart",
			"/pricePerShare/amount negative", "/pricePerShare/currency pattern", "/companyValue/amount negative", "/security unknownReference")
	})
	t.Run("a 409A valuation needs a price, and any other needs a price or a company value", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := captable.ValuationTerms{Type: "409A", EffectiveDate: exact.MustDate(today), CompanyValue: dollars("1")}
		b.refused(captable.PutValuation{ValuationTerms: terms}, fault.Invalid, "/pricePerShare required")
		terms.Type = "board"
		b.do(captable.PutValuation{ValuationTerms: terms})
		terms.CompanyValue = nil
		b.refused(captable.PutValuation{ValuationTerms: terms}, fault.Invalid, "/pricePerShare required")
	})
	t.Run("a valuation with a price needs a class", func(t *testing.T) {
		t.Parallel()
		setup(t).refused(valued(captable.SecurityID{}, "1", today), fault.Invalid, "/security required")
	})
	t.Run("a valuation keeps its externalId, and one of another valuation is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := valued(b.common("100"), "1", today)
		command.ExternalID = "x"
		id := b.do(command)[0].(captable.ValuationCreated).ID
		b.refused(command, fault.Conflict)
		command.ID = id
		b.do(command)
	})
	t.Run("a class with a valuation cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.value(class, "1", today)
		equal(t, "valuation", b.refused(captable.DeleteSecurity{ID: class}, fault.InUse)["valuation"], id.String())
	})
}

func TestPriceOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class, other := b.common("1000"), b.security(preferred("Other"))
	b.value(class, "1", "2024-01-01")
	expiring := valued(class, "3", "2025-01-01")
	expiring.ExpiresOn = exact.MustDate("2025-12-31")
	b.do(expiring)
	b.value(other, "9", "2025-02-01")
	b.do(split(class, "2", "1", "2025-07-01"))
	for _, c := range []struct{ claim, on, want string }{
		{"nothing before the first", "2023-12-31", "none"},
		{"the first from its day on", "2024-01-01", "1"},
		{"the latest", "2025-01-01", "3"},
		{"halved by a split of one into two", "2025-07-01", "1.5"},
		{"the one before once it has expired", "2025-12-31", "0.5"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			got := "none"
			if price := b.state.PriceOn(class, exact.MustDate(c.on)); price != nil {
				got = price.Amount.String()
			}
			equal(t, "price", got, c.want)
		})
	}
}
