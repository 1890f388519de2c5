package vesting

import "math/big"

// tally is the running total of a grant in exact numbers over one common denominator.
type tally struct {
	denominator *big.Int
	whole       *big.Int // the granted quantity
	vested      *big.Int // the vested part of it
	left        *big.Int // the remainder at the last call of vest
}

// newTally computes a common denominator of all claims.
func newTally(award Award, claims []*claim) *tally {
	quantity := award.Quantity.Rat()
	t := &tally{denominator: new(big.Int).Set(quantity.Denom()), vested: new(big.Int), left: new(big.Int)}
	remaining := big.NewInt(1)
	for _, c := range claims {
		switch {
		case c.of == OfRemaining && !c.inShare:
			remaining.Mul(remaining, c.part.Denom())
			continue
		case !c.inShare:
			c.part.Mul(c.part, quantity)
		}
		t.cover(c.part.Denom())
	}
	t.denominator.Mul(t.denominator, remaining)
	t.whole = t.over(quantity)
	for _, c := range claims {
		if c.of != OfRemaining || c.inShare {
			c.units = t.over(c.part)
		}
	}
	return t
}

// cover makes the denominator a multiple of another.
func (t *tally) cover(other *big.Int) {
	if other.IsInt64() && other.Int64() == 1 {
		return
	}
	common := new(big.Int).GCD(nil, nil, t.denominator, other)
	t.denominator.Mul(t.denominator, common.Quo(other, common))
}

// over returns the numerator of a number over the common denominator, which its own denominator must divide.
func (t *tally) over(r *big.Rat) *big.Int {
	n := new(big.Int).Quo(t.denominator, r.Denom())
	return n.Mul(n, r.Num())
}

// vest adds a claim to the vested quantity, limited to the remainder, and returns the added quantity. The result
// is valid and read-only until the next call.
func (t *tally) vest(c *claim) *big.Int {
	left := t.left.Sub(t.whole, t.vested)
	if c.units == nil { // a fraction of the remainder when the condition is first met
		c.units = new(big.Int).Mul(left, c.part.Num())
		c.units.Quo(c.units, c.part.Denom())
	}
	amount := c.units
	if left.Cmp(amount) < 0 {
		amount = left
	}
	t.vested.Add(t.vested, amount)
	return amount
}
