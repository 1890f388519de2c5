package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// A split changes every figure of its class that is counted in shares or quoted per share.
// All of them are restated in one way:
//
//   - A record of the class keeps its earlier figures with the ratio of each split that it went
//     through ([ShareCount], [GrantPast], [WarrantCount], [PastPrice], [PastStrike]). A read
//     of a day takes the figures of that day.
//   - A price that is quoted on a day of its own, such as that of a valuation, stays in the
//     journal as it was quoted. [Security.growth] restates it for the day of the read.
//
// Shares are rounded down at each split, as fractions of a share are paid in cash. Prices
// are rounded for showing only: each calculation takes the exact price, which follows from
// the oldest quotation.

// pastPrice is a price until a split or another change; the ratio is zero for any other change.
type pastPrice struct {
	price *Price
	ratio Ratio
}

// exactPrice returns a price before it was rounded: the oldest past price that the splits
// since made this one, divided by their ratios. Past prices are oldest first.
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

// restatedPrice returns a price after a split, rounded once from the exact price before it.
func (r Ratio) restatedPrice(now *Price, past []pastPrice) *Price {
	if now == nil {
		return nil
	}
	return shownPrice(new(big.Rat).Quo(exactPrice(now, past), r.Rat()), now.Currency)
}

// shownPrice returns an exact price as it is shown: half up at ten places.
func shownPrice(price *big.Rat, currency string) *Price {
	return &Price{Amount: exact.RoundHalfUp(price, exact.Places), Currency: currency}
}

// growth returns by how much a share of the class multiplied between the ends of two days: a
// price that was quoted on the first is divided by it on the second.
func (s *Security) growth(from, to Date) *big.Rat {
	growth := big.NewRat(1, 1)
	for _, split := range s.Splits {
		if from < split.Date && split.Date <= to {
			growth.Mul(growth, split.Ratio.Rat())
		}
	}
	return growth
}

// grown multiplies the ratios of the splits until the end of the day.
func grown[P any](past []P, day Date, of func(P) (Date, Ratio)) *big.Rat {
	growth := big.NewRat(1, 1)
	for _, one := range past {
		if until, ratio := of(one); until <= day && ratio.positive() {
			growth.Mul(growth, ratio.Rat())
		}
	}
	return growth
}

// pastOf returns the prices of the past of a record.
func pastOf[P any](past []P, of func(P) pastPrice) []pastPrice {
	prices := make([]pastPrice, 0, len(past))
	for _, one := range past {
		prices = append(prices, of(one))
	}
	return prices
}

// lastDay is later than any day.
const lastDay = Date(1<<31 - 1)
