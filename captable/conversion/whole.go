package conversion

import "math/big"

// Whole is a round at closing, in whole shares and with a rounded price. Every figure is computed from rounded
// ones.
type Whole struct {
	Price, TotalShares, PoolAvailable, PoolIncrease, Capitalization *big.Rat
	// Conversions and NewMoney are in the order of the solution.
	Conversions []WholeConversion
	NewMoney    []*big.Rat
}

// WholeConversion is one instrument's conversion into whole shares.
type WholeConversion struct {
	ID, Elects    string
	Basis         Basis
	Price, Shares *big.Rat
}

// Rounding contains the rounding rules of a closing.
type Rounding struct {
	// Places is the number of decimal places of prices, which are rounded up. If it is negative, prices and shares
	// are exact.
	Places int
}

// closing is a round in the process of rounding.
type closing struct {
	*problem
	Rounding
	exact Solution
}

// widest is the maximum number of steps in the search for whole shares.
const widest = 10_000

// Close rounds shares down, and prices up to the places, until the shares after the round are the sum of their
// parts at the resulting price. The round must be solved, and priced by its valuation with SafesInsidePreMoney.
// Several totals can be consistent. The first one above the total without conversions is taken, as in
// spreadsheets. ok is false if no total is consistent.
func (s Solution) Close(r Round, by Rounding) (Whole, bool) {
	c := closing{problem: r.WithDefaults().problem(), Rounding: by, exact: s}
	if by.Places < 0 {
		return c.unrounded(), true
	}
	total := c.start()
	seen := map[string]bool{}
	for range widest {
		if total.Sign() <= 0 || seen[total.RatString()] {
			return c.near(total)
		}
		seen[total.RatString()] = true
		w := c.attempt(total)
		if w.TotalShares.Cmp(total) == 0 {
			return w, true
		}
		total = w.TotalShares
	}
	return Whole{}, false
}

// start returns the total without conversions.
func (c closing) start() *big.Rat {
	after := new(big.Rat).Add(c.behind, c.money)
	left := new(big.Rat).Sub(big.NewRat(1, 1), c.target)
	left.Sub(left, new(big.Rat).Quo(c.money, after))
	if left.Sign() <= 0 {
		return c.total
	}
	return floor(new(big.Rat).Quo(c.total, left))
}

// around is the search distance from a total whose rounding does not settle.
const around = 64

// near searches for a consistent total in whole shares, outwards from the given one. Rounding each conversion down
// changes it by only a few shares.
func (c closing) near(total *big.Rat) (Whole, bool) {
	for offset := range int64(around + 1) {
		for _, sign := range []int64{-1, 1} {
			near := new(big.Rat).Add(total, big.NewRat(sign*offset, 1))
			if near.Sign() <= 0 {
				continue
			}
			if w := c.attempt(near); w.TotalShares.Cmp(near) == 0 {
				return w, true
			}
		}
	}
	return Whole{}, false
}

// attempt computes all figures for an assumed total.
func (c closing) attempt(total *big.Rat) Whole {
	w := Whole{PoolAvailable: floor(new(big.Rat).Mul(c.target, total))}
	if least := new(big.Rat).Add(c.round.Company.PoolAvailable.Rat(), c.round.Pool.Increase.Rat()); w.PoolAvailable.Cmp(least) < 0 {
		w.PoolAvailable = least
	}
	w.PoolIncrease = new(big.Rat).Sub(w.PoolAvailable, c.round.Company.PoolAvailable.Rat())
	after := new(big.Rat).Add(c.behind, c.money)
	w.Price = c.up(after.Quo(after, total))
	bought := new(big.Rat)
	for _, purchase := range c.exact.NewMoney {
		shares := floor(new(big.Rat).Quo(purchase.Amount, w.Price))
		w.NewMoney = append(w.NewMoney, shares)
		bought.Add(bought, shares)
	}
	x := point{new(big.Rat).Sub(total, bought), new(big.Rat).Add(c.base, w.PoolAvailable), new(big.Rat).Inv(w.Price), big.NewRat(1, 1)}
	x[company].Sub(x[company], w.PoolIncrease)
	w.Capitalization = new(big.Rat).Add(c.total, c.convert(&w, x))
	w.TotalShares = new(big.Rat).Add(w.Capitalization, w.PoolIncrease)
	w.TotalShares.Add(w.TotalShares, bought)
	return w
}

// convert converts every instrument at a rounded price and returns the sum of shares. Fixed percentages come last,
// because they are fractions of the other shares.
func (c closing) convert(w *Whole, x point) *big.Rat {
	w.Conversions = make([]WholeConversion, len(c.offers))
	sum, fixed, scaled := new(big.Rat), new(big.Rat), x.scaled()
	for i, offers := range c.offers {
		o := offers[best(offers, scaled)]
		instrument := c.round.Convertibles[i]
		w.Conversions[i] = WholeConversion{ID: instrument.ID, Elects: instrument.Elects, Basis: o.basis}
		if o.basis == FixedPercent {
			fixed.Add(fixed, o.rate)
			continue
		}
		price := c.up(new(big.Rat).Quo(instrument.Amount, o.at(x)))
		shares := floor(new(big.Rat).Quo(instrument.Amount, price))
		w.Conversions[i].Price, w.Conversions[i].Shares = price, shares
		sum.Add(sum, shares)
	}
	whole := new(big.Rat).Add(c.total, sum)
	whole.Quo(whole, fixed.Sub(big.NewRat(1, 1), fixed))
	for i := range w.Conversions {
		if conversion := &w.Conversions[i]; conversion.Basis == FixedPercent {
			conversion.Shares = floor(new(big.Rat).Mul(whole, c.offers[i][0].rate))
			conversion.Price = new(big.Rat)
			if conversion.Shares.Sign() > 0 {
				conversion.Price.Quo(c.round.Convertibles[i].Amount, conversion.Shares)
			}
			sum.Add(sum, conversion.Shares)
		}
	}
	return sum
}

// unrounded returns the exact solution in the same form.
func (c closing) unrounded() Whole {
	w := Whole{
		Price: c.exact.Price, TotalShares: c.exact.TotalShares, PoolAvailable: c.exact.PoolAvailable,
		PoolIncrease: c.exact.PoolIncrease, Capitalization: c.exact.Capitalization,
	}
	for _, one := range c.exact.Conversions {
		w.Conversions = append(w.Conversions, WholeConversion{one.ID, one.Elects, one.Basis, one.Price, one.Shares})
	}
	for _, one := range c.exact.NewMoney {
		w.NewMoney = append(w.NewMoney, one.Shares)
	}
	return w
}

// floor returns the whole shares of a positive number.
func floor(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
}

// up rounds a positive price up to the places.
func (by Rounding) up(price *big.Rat) *big.Rat {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(by.Places)), nil))
	scaled := new(big.Rat).Mul(price, unit)
	whole := floor(scaled)
	if whole.Cmp(scaled) < 0 {
		whole.Add(whole, big.NewRat(1, 1))
	}
	return whole.Quo(whole, unit)
}
