package captable

import (
	"math/big"

	"equity/captable/exact"
)

// PaidPrice is the price paid for a share that differs from the issue price of its class. It
// replaces the issue price in the liquidation preference of the share. See ruling 140.
type PaidPrice struct {
	// Price is per share of the day of the payment.
	Price
	// Splits are the ratios of the splits between the payment and the issue of the shareholding,
	// which results from the paid one.
	Splits []Ratio
}

// paidPrice returns the price paid on a day for shares of the class. It returns nil if the class
// has no liquidation preference, if the price is absent or zero, and if it is the issue price of
// the class on that day.
func (s *State) paidPrice(class SecurityID, price *Price, day Date) *PaidPrice {
	security, known := s.Security(class)
	if !known || !security.HasPreference() || price == nil || price.Amount.Sign() <= 0 {
		return nil
	}
	issue := security.ExactPriceOn(day)
	if issue != nil && issue.Currency == price.Currency && issue.Amount.Cmp(price.Amount.Rat()) == 0 {
		return nil
	}
	return &PaidPrice{Price: *price}
}

// PreferencePriceOn returns the price paid per share of the day that replaces the issue price of
// the class in the liquidation preference, before rounding. It returns nil if the issue price
// applies.
func (h *Shareholding) PreferencePriceOn(day Date) *ExactPrice {
	paid := h.PreferencePrice
	if paid == nil {
		return nil
	}
	growth := grown(h.Before, day, func(count ShareCount) (Date, Ratio) { return count.Until, count.Ratio })
	for _, split := range paid.Splits {
		growth.Mul(growth, split.Rat())
	}
	return &ExactPrice{Amount: growth.Quo(paid.Amount.Rat(), growth), Currency: paid.Currency}
}

// followPrice changes the price of the preference with a corrected price paid. It does so for
// shares from a conversion, whose preference follows from the price paid, and for shares that
// were issued with a preference of the price paid. The preference of other shares comes from
// elsewhere. A removed price changes nothing.
func (s *State) followPrice(old, next *Shareholding) {
	price := next.PricePerShare
	if price == nil || price.equal(old.PricePerShare) {
		return
	}
	switch {
	case next.converted():
		next.PreferencePrice = s.paidPrice(next.Security, price, next.IssueDate)
	case next.Origin == nil && next.PreferencePrice != nil && next.PreferencePrice.equal(old.PricePerShare):
		next.PreferencePrice = nil
		if price.Amount.Sign() > 0 {
			next.PreferencePrice = &PaidPrice{Price: *price}
		}
	}
}

// converted reports whether the shares result from a convertible.
func (h *Shareholding) converted() bool {
	return h.Origin != nil && h.Origin.Kind == StatusConverted && !h.Origin.Holding.IsZero()
}

// averagePrice returns the average price of shares that were consolidated, so that their
// preference stays the same. It returns nil if a price is unknown or in another currency.
func averagePrice(s *State, from []*Shareholding, day Date) *PaidPrice {
	security, _ := s.Security(from[0].Security)
	sum, shares, currency := new(big.Rat), Decimal{}, ""
	for i, h := range from {
		price := h.PreferencePriceOn(day)
		if price == nil {
			price = security.ExactPriceOn(day)
		}
		if price == nil || i > 0 && price.Currency != currency {
			return nil
		}
		currency = price.Currency
		sum.Add(sum, new(big.Rat).Mul(price.Amount, h.Shares.Rat()))
		shares = shares.Add(h.Shares)
	}
	return &PaidPrice{Price: Price{Amount: exact.RoundHalfUp(sum.Quo(sum, shares.Rat()), exact.Places), Currency: currency}}
}

// equal reports whether the prices are equal or both absent.
func (q *ExactPrice) equal(other *ExactPrice) bool {
	if q == nil || other == nil {
		return q == other
	}
	return q.Currency == other.Currency && q.Amount.Cmp(other.Amount) == 0
}
