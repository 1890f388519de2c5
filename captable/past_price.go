package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// pastPrice is a price until a split or another change. The ratio is zero for any other change.
type pastPrice struct {
	price *Price
	ratio Ratio
}

// exactPrice returns a price before rounding: the oldest past price from which the later splits
// derive the present one, divided by their ratios. Past prices are oldest first.
func exactPrice(now *Price, past []pastPrice) *big.Rat {
	if now == nil {
		return nil
	}
	found, growth := now.Amount.Rat(), big.NewRat(1, 1)
	for _, earlier := range slices.Backward(past) {
		if earlier.ratio.positive() {
			growth.Mul(growth, earlier.ratio.Rat())
		}
		if before := earlier.price; before != nil && before.Currency == now.Currency {
			restated := new(big.Rat).Quo(before.Amount.Rat(), growth)
			if exact.RoundHalfUp(restated, exact.Places).Equal(now.Amount) {
				found = restated
			}
		}
	}
	return found
}

// restatedPrice returns a price after a split. It is rounded once, from the exact price before
// the split.
func (r Ratio) restatedPrice(now *Price, past []pastPrice) *Price {
	if now == nil {
		return nil
	}
	return shownPrice(new(big.Rat).Quo(exactPrice(now, past), r.Rat()), now.Currency)
}

// datedPrices are prices that were in force until a date.
type datedPrices[P any] interface {
	until() Date
	// endedBy returns the prices with a split as their end.
	endedBy(ratio Ratio, on Date) P
	// dividedBy returns the prices after a split. Past are the earlier prices, oldest first, from
	// which the exact prices are derived.
	dividedBy(ratio Ratio, past []P) P
}

// splitHistory divides the prices in force on the date and on each later day by the ratio of a
// split. It returns the past prices, oldest first, and the present ones. The prices before the
// division are kept as entries of their own, so that the exact prices can be derived from them. See ruling 60.
func splitHistory[P datedPrices[P]](past []P, now P, ratio Ratio, on Date) (divided []P, present P) {
	at := slices.IndexFunc(past, func(p P) bool { return p.until() > on })
	if at < 0 {
		at = len(past)
	}
	divided = slices.Clone(past[:at])
	for _, later := range past[at:] {
		after := later.dividedBy(ratio, divided)
		divided = append(divided, later.endedBy(ratio, on), after)
		on = later.until()
	}
	after := now.dividedBy(ratio, divided)
	return append(divided, now.endedBy(ratio, on)), after
}

// shownPrice returns an exact price for output, rounded half up to ten decimal places.
func shownPrice(price *big.Rat, currency string) *Price {
	return &Price{Amount: exact.RoundHalfUp(price, exact.Places), Currency: currency}
}

// grown returns the product of the ratios of the splits until the end of the day.
func grown[P any](past []P, day Date, of func(P) (Date, Ratio)) *big.Rat {
	growth := big.NewRat(1, 1)
	for _, one := range past {
		if until, ratio := of(one); until <= day && ratio.positive() {
			growth.Mul(growth, ratio.Rat())
		}
	}
	return growth
}

// pastOf converts the past entries of a record to prices.
func pastOf[P any](past []P, of func(P) pastPrice) []pastPrice {
	prices := make([]pastPrice, 0, len(past))
	for _, one := range past {
		prices = append(prices, of(one))
	}
	return prices
}

// lastDay is later than any day.
const lastDay = Date(1<<31 - 1)
