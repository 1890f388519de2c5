package waterfall

import (
	"math/big"
	"slices"
)

// capped is a convertible that converts: at the part of the capitalization that its
// post-money cap gives, or at a discount if that is worth more. The part of one without a
// cap is 0.
type capped struct {
	at               int
	part, discounted *big.Rat
}

// worth follows what the whole capitalization is worth as the price of a common share
// rises: W·p for W shares at the price p, all shares of a cap and of a discount included.
// It is linear between corners, and never falls.
type worth struct {
	price, value *big.Rat
	// slope is without the parts of the capped ones, which take their parts of the whole.
	slope *big.Rat
	// fixed is what the slope does not move: the discounts.
	fixed *big.Rat
	// rest is the part of the whole that no capped one takes.
	rest *big.Rat
}

// rises returns by how much the whole rises with the price.
func (w *worth) rises() *big.Rat { return new(big.Rat).Quo(w.slope, w.rest) }

// settle computes the value at the price.
func (w *worth) settle() {
	w.value = new(big.Rat).Mul(w.slope, w.price)
	w.value.Add(w.value, w.fixed).Quo(w.value, w.rest)
}

// join makes the capped one take its part instead of its discount.
func (w *worth) join(c capped) {
	w.fixed = new(big.Rat).Sub(w.fixed, c.discounted)
	w.rest = new(big.Rat).Sub(w.rest, c.part)
	w.settle()
}

// exceeds reports whether the part of the whole is worth at least the discount.
func (w *worth) exceeds(c capped) bool {
	return c.part.Sign() > 0 && new(big.Rat).Mul(w.value, c.part).Cmp(c.discounted) >= 0
}

// convertibleClaims returns the claims of the convertibles that convert, by their place.
// Post-money caps are parts of everything that shares, shares at a discount included: these
// are more, the lower the price is.
func (s *solver) convertibleClaims(choice []byte) map[int]claim {
	claims := map[int]claim{}
	w := &worth{price: zero(), slope: new(big.Rat).Set(s.base), fixed: zero(), rest: big.NewRat(1, 1)}
	var waiting []capped
	var turns []turn
	for i, c := range s.stack.Convertibles {
		switch {
		case choice[i] == 0:
		case c.PostMoney || c.Cap.IsZero():
			one := capped{i, zero(), c.discounted()}
			if c.Cap.Sign() > 0 {
				one.part = new(big.Rat).Quo(c.Amount.Rat(), c.Cap.Rat())
			}
			waiting = append(waiting, one)
			w.fixed = new(big.Rat).Add(w.fixed, one.discounted)
		default: // a pre-money cap is of what is there without convertibles
			claims[i] = orConvert(last, c.discounted(), s.shares(c))
			w.fixed = new(big.Rat).Add(w.fixed, c.discounted())
			turns = append(turns, turn{claims[i].from, claims[i].shares})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return a.from.Cmp(b.from) })
	slices.SortStableFunc(waiting, func(a, b capped) int { // by the whole from which their part is more
		return new(big.Rat).Mul(a.discounted, b.part).Cmp(new(big.Rat).Mul(b.discounted, a.part))
	})
	w.follow(claims, waiting, turns)
	return claims
}

// follow raises the price from corner to corner and writes the claims of the capped ones.
func (w *worth) follow(claims map[int]claim, waiting []capped, turns []turn) {
	var taking []capped
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
				made.floor = nil // known when all have joined
			} else {
				made.from, made.shares = w.price, new(big.Rat).Mul(c.part, before)
			}
			claims[c.at] = made
			taking, waiting = append(taking, c), waiting[1:]
		}
		for len(turns) > 0 && turns[0].from.Cmp(w.price) <= 0 {
			w.slope = new(big.Rat).Add(w.slope, turns[0].shares)
			w.fixed = new(big.Rat).Sub(w.fixed, new(big.Rat).Mul(turns[0].from, turns[0].shares))
			turns = turns[1:]
		}
		w.bend(claims, taking, before)
		if !w.advance(waiting, turns) {
			return
		}
	}
}

// bend changes how the claims of the capped ones rise at the price.
func (w *worth) bend(claims map[int]claim, taking []capped, before *big.Rat) {
	change := new(big.Rat).Sub(w.rises(), before)
	for _, c := range taking {
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

// advance raises the price to the next corner; false without one.
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
