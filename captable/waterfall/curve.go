package waterfall

import (
	"cmp"
	"math/big"
	"slices"
	"sort"
)

// curve is T(p), the total value of all claims as a function of the price of a common share.
type curve struct {
	claims []claim
	// floors is T(0). ranks contains the claims with a floor, in order of payment.
	floors *big.Rat
	ranks  []int
	// corners are the prices at which the slope changes, in order. The first is 0.
	corners []corner
}

// corner is a point of the curve: from price on, where T is paid, the slope is slope.
type corner struct{ price, paid, slope *big.Rat }

func newCurve(claims []claim) *curve {
	c := &curve{claims: claims, floors: zero()}
	turns := []corner{{price: zero(), slope: zero()}} // slope is the change at the corner
	turn := func(at, by *big.Rat) { turns = append(turns, corner{price: at, slope: by}) }
	for i := range claims {
		claims[i] = claims[i].summed()
		claim := claims[i]
		c.floors.Add(c.floors, claim.floor)
		if claim.floor.Sign() > 0 {
			c.ranks = append(c.ranks, i)
		}
		turn(claim.from, claim.shares)
		for _, more := range claim.more {
			turn(more.from, more.shares)
		}
		if claim.upTo != nil {
			turn(claim.upTo, new(big.Rat).Neg(claim.shares))
			turn(claim.again, claim.shares)
		}
	}
	slices.SortStableFunc(c.ranks, func(a, b int) int { return cmp.Compare(claims[b].rank, claims[a].rank) })
	slices.SortStableFunc(turns, func(a, b corner) int { return a.price.Cmp(b.price) })
	price, paid, slope := zero(), c.floors, zero()
	for _, t := range turns {
		risen := new(big.Rat).Sub(t.price, price)
		paid = risen.Mul(risen, slope).Add(risen, paid)
		price, slope = t.price, new(big.Rat).Add(slope, t.slope)
		c.corners = append(c.corners, corner{price, paid, slope})
	}
	return c
}

// price returns the price of a common share for an amount. It is 0 if the floors take the whole amount, or if no
// claim shares.
func (c *curve) price(amount *big.Rat) *big.Rat {
	if amount.Cmp(c.floors) <= 0 {
		return zero()
	}
	after := sort.Search(len(c.corners), func(i int) bool { return c.corners[i].paid.Cmp(amount) > 0 })
	at := c.corners[after-1]
	if at.slope.Sign() == 0 {
		return at.price
	}
	price := new(big.Rat).Sub(amount, at.paid)
	return price.Quo(price, at.slope).Add(price, at.price)
}

// pay returns the payment of each claim for an amount, and the price of a common share.
func (c *curve) pay(amount *big.Rat) (paid []*big.Rat, price *big.Rat) {
	if amount.Cmp(c.floors) < 0 {
		return c.payFloors(amount), zero()
	}
	price = c.price(amount)
	paid = make([]*big.Rat, len(c.claims))
	for i, claim := range c.claims {
		paid[i] = claim.at(price)
	}
	return paid, price
}

// payFloors distributes an amount below the floors by rank, in proportion within a rank that is not covered.
func (c *curve) payFloors(amount *big.Rat) []*big.Rat {
	paid := make([]*big.Rat, len(c.claims))
	for i := range paid {
		paid[i] = zero()
	}
	left := new(big.Rat).Set(amount)
	for ranks := c.ranks; len(ranks) > 0; {
		same := 0
		for same < len(ranks) && c.claims[ranks[same]].rank == c.claims[ranks[0]].rank {
			same++
		}
		part := least(c.covers(ranks[:same], left), big.NewRat(1, 1))
		for _, i := range ranks[:same] {
			claim := c.claims[i]
			if claim.due == nil {
				paid[i] = new(big.Rat).Mul(claim.floor, part)
			} else if gross := new(big.Rat).Add(claim.floor, claim.due); gross.Mul(gross, part).Cmp(claim.due) > 0 {
				paid[i] = gross.Sub(gross, claim.due)
			}
			left.Sub(left, paid[i])
		}
		ranks = ranks[same:]
	}
	return paid
}

// covers returns the part of their preferences that an amount pays the claims of a rank. Shares are exercised where the
// part exceeds their price, which adds that price to the amount.
func (c *curve) covers(rank []int, amount *big.Rat) *big.Rat {
	wanted, dues := zero(), false
	for _, i := range rank {
		wanted.Add(wanted, c.claims[i].floor)
		dues = dues || c.claims[i].due != nil
	}
	if !dues || amount.Cmp(wanted) >= 0 {
		return wanted.Quo(amount, wanted)
	}
	var parts []claim // as functions of the part
	for _, i := range rank {
		made := claim{floor: zero(), shares: new(big.Rat).Set(c.claims[i].floor), from: zero()}
		if due := c.claims[i].due; due != nil {
			made.shares.Add(made.shares, due)
			made.from = new(big.Rat).Quo(due, made.shares)
		}
		parts = append(parts, made)
	}
	return newCurve(parts).price(amount)
}

// paid returns T at the price.
func (c *curve) paid(price *big.Rat) *big.Rat {
	after := sort.Search(len(c.corners), func(i int) bool { return c.corners[i].price.Cmp(price) > 0 })
	at := c.corners[after-1]
	paid := new(big.Rat).Sub(price, at.price)
	return paid.Mul(paid, at.slope).Add(paid, at.paid)
}
