package waterfall

import (
	"math/big"
	"slices"
)

// capped is a converting instrument. It gets the fraction of the capitalization by its post-money cap, or the
// shares of its discount if those are worth more. The fraction is 0 without a cap. See ruling 34.
type capped struct {
	at               int
	part, discounted *big.Rat
}

// worth is the value of the whole capitalization as a function of the price of a common share: W·p for W shares at
// the price p, including all shares from caps and discounts. It is piecewise linear and nondecreasing.
type worth struct {
	price, value *big.Rat
	// slope excludes the capped instruments, which get fractions of the whole.
	slope *big.Rat
	// fixed is the part independent of the price: the discounts.
	fixed *big.Rat
	// rest is the fraction of the whole without capped instruments.
	rest *big.Rat
}

// rises returns the slope of the whole.
func (w *worth) rises() *big.Rat { return new(big.Rat).Quo(w.slope, w.rest) }

// settle computes the value at the price.
func (w *worth) settle() {
	w.value = new(big.Rat).Mul(w.slope, w.price)
	w.value.Add(w.value, w.fixed).Quo(w.value, w.rest)
}

// join changes a capped instrument from its discount to its fraction of the whole.
func (w *worth) join(c capped) {
	w.fixed = new(big.Rat).Sub(w.fixed, c.discounted)
	w.rest = new(big.Rat).Sub(w.rest, c.part)
	w.settle()
}

// exceeds reports whether the instrument's fraction of the whole is worth at least its discount.
func (w *worth) exceeds(c capped) bool {
	return c.part.Sign() > 0 && new(big.Rat).Mul(w.value, c.part).Cmp(c.discounted) >= 0
}

// convertibleClaims returns the claims of the converting caps and discounts by player. Post-money caps are fractions
// of everything that shares: the shares of converting players, and those from discounts, whose number rises as the
// price falls. Claims that take cash or a preference instead do not count.
func (s *solver) convertibleClaims(choice []byte) map[int]claim {
	claims := map[int]claim{}
	w := &worth{price: zero(), slope: new(big.Rat).Set(s.shared), fixed: zero(), rest: big.NewRat(1, 1)}
	var waiting []capped
	var turns []turn
	for n, one := range s.players {
		switch {
		case choice[n] != in:
		case one.in != nil:
			w.slope = new(big.Rat).Add(w.slope, one.shares)
		case one.shares.Sign() > 0: // a pre-money cap excludes all convertibles
			claims[n] = orConvert(last, one.discounted, one.shares)
			w.fixed = new(big.Rat).Add(w.fixed, one.discounted)
			turns = append(turns, turn{claims[n].from, claims[n].shares})
		default:
			waiting = append(waiting, capped{n, one.part, one.discounted})
			w.fixed = new(big.Rat).Add(w.fixed, one.discounted)
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return a.from.Cmp(b.from) })
	slices.SortStableFunc(waiting, func(a, b capped) int { // by the value of the whole at which the fraction exceeds the discount
		return new(big.Rat).Mul(a.discounted, b.part).Cmp(new(big.Rat).Mul(b.discounted, a.part))
	})
	w.follow(claims, waiting, turns)
	return claims
}

// follow raises the price from corner to corner and records the claims of the capped instruments.
func (w *worth) follow(claims map[int]claim, waiting []capped, turns []turn) {
	var deduction []capped
	w.settle()
	for _, c := range waiting {
		claims[c.at] = claim{rank: last, floor: c.discounted, shares: zero(), from: zero()}
	}
	for {
		before := w.rises()
		for len(waiting) > 0 && w.exceeds(waiting[0]) {
			c := waiting[0]
			w.join(c)
			made := claims[c.at]
			if w.price.Sign() == 0 {
				made.floor = nil // set when all have joined
			} else {
				made.from, made.shares = w.price, new(big.Rat).Mul(c.part, before)
			}
			claims[c.at] = made
			deduction, waiting = append(deduction, c), waiting[1:]
		}
		for len(turns) > 0 && turns[0].from.Cmp(w.price) <= 0 {
			w.slope = new(big.Rat).Add(w.slope, turns[0].shares)
			w.fixed = new(big.Rat).Sub(w.fixed, new(big.Rat).Mul(turns[0].from, turns[0].shares))
			turns = turns[1:]
		}
		w.bend(claims, deduction, before)
		if !w.advance(waiting, turns) {
			return
		}
	}
}

// bend changes the slopes of the capped instruments' claims at the price.
func (w *worth) bend(claims map[int]claim, deduction []capped, before *big.Rat) {
	change := new(big.Rat).Sub(w.rises(), before)
	for _, c := range deduction {
		made := claims[c.at]
		switch {
		case w.price.Sign() == 0:
			made.floor = new(big.Rat).Mul(w.value, c.part)
			made.shares = new(big.Rat).Mul(w.rises(), c.part)
		case change.Sign() != 0:
			made.more = append(slices.Clip(made.more), turn{w.price, new(big.Rat).Mul(change, c.part)})
		}
		claims[c.at] = made
	}
}

// advance raises the price to the next corner, or returns false.
func (w *worth) advance(waiting []capped, turns []turn) bool {
	var next *big.Rat
	if len(waiting) > 0 && waiting[0].part.Sign() > 0 && w.slope.Sign() > 0 {
		value := new(big.Rat).Quo(waiting[0].discounted, waiting[0].part)
		next = value.Mul(value, w.rest).Sub(value, w.fixed)
		next.Quo(next, w.slope)
	}
	if len(turns) > 0 && (next == nil || turns[0].from.Cmp(next) < 0) {
		next = turns[0].from
	}
	if next == nil {
		return false
	}
	w.price = next
	w.settle()
	return true
}
