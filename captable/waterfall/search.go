package waterfall

import (
	"math/big"
	"slices"
)

// The choices of a player. An open choice is not decided yet.
const (
	out byte = iota
	in
	open
)

// mostVisits limits the number of players times the number of partial choices that a search visits for one price.
const mostVisits = 20_000

// choose returns the choices at a sale for the amount, and the resulting curve: see the package documentation.
// See ruling 141.
func (s *solver) choose(amount *big.Rat) (*curve, []byte) {
	choice := slices.Repeat([]byte{out}, len(s.players))
	if amount.Cmp(s.floors) < 0 || len(s.players) == 0 {
		return s.short(amount, s.curve(choice)), choice
	}
	for n := range choice {
		choice[n] = open
	}
	search := &search{solver: s, amount: amount}
	search.visit(slices.Clone(choice))
	if search.best == nil {
		search.best = s.withdraw(amount)
	}
	return s.curve(search.best), search.best
}

// search finds the equilibrium with the most conversions for one amount.
type search struct {
	*solver
	amount *big.Rat
	visits int
	best   []byte
}

// visit tries the completions of a partial choice.
func (s *search) visit(choice []byte) {
	s.visits += len(choice)
	if s.visits > mostVisits && s.visits > len(choice) || !s.narrow(choice) {
		return
	}
	at := slices.Index(choice, open)
	full := slices.Clone(choice)
	for n := range full {
		if full[n] == open {
			full[n] = in
		}
	}
	switch {
	case s.best != nil && count(full) <= count(s.best):
	case s.isEquilibrium(full):
		s.best = full
	case at >= 0:
		for _, side := range []byte{in, out} {
			next := slices.Clone(choice)
			next[at] = side
			s.visit(next)
		}
	}
}

// count returns the number of conversions.
func count(choice []byte) (conversions int) {
	for _, side := range choice {
		if side == in {
			conversions++
		}
	}
	return conversions
}

// narrow decides the open choices that are the same in every equilibrium among the completions. It reports false if
// there is none.
func (s *search) narrow(choice []byte) bool {
	for changed := true; changed; {
		changed = false
		b := s.bounds(choice, s.amount)
		for n, side := range choice {
			one := &s.players[n]
			switch most := b.most(one, side); {
			case side == out:
			case most.Cmp(one.cash) >= 0 && most.Sign() > 0:
			case side == in:
				return false
			default:
				choice[n], changed = out, true
				b.leave(one)
			}
		}
		if changed {
			continue
		}
		for n, side := range choice {
			one := &s.players[n]
			switch {
			case side == in || b.fewest(one, side).Cmp(one.cash) <= 0:
			case side == out:
				return false
			default:
				choice[n], changed = in, true
			}
		}
	}
	return true
}

// isEquilibrium reports whether no player gains by its other choice.
func (s *search) isEquilibrium(choice []byte) bool {
	if !s.pays(choice, s.amount) {
		return false
	}
	b := s.bounds(choice, s.amount)
	for n := range s.players {
		one := &s.players[n]
		if choice[n] == out && b.most(one, out).Cmp(one.cash) > 0 && s.converted(choice, n, s.amount).Cmp(one.cash) > 0 {
			return false
		}
	}
	return true
}

// pays reports whether every conversion pays at least the cash.
func (s *solver) pays(choice []byte, amount *big.Rat) bool {
	paid, _ := s.curve(choice).pay(amount)
	for n := range s.players {
		one := &s.players[n]
		if got := one.payment(paid); choice[n] == in && (got.Cmp(one.cash) < 0 || got.Sign() == 0) {
			return false
		}
	}
	return true
}

// converted returns the payment of the player if it converts beside the other choices.
func (s *solver) converted(choice []byte, n int, amount *big.Rat) *big.Rat {
	other := slices.Clone(choice)
	other[n] = in
	paid, _ := s.curve(other).pay(amount)
	return s.players[n].payment(paid)
}

// withdraw returns choices in which every player has at least its cash, and in which no further conversion leaves it
// so. Initially all convert. While one of them has less, the one with the greatest proportional loss takes its cash.
// Then those return that can.
func (s *solver) withdraw(amount *big.Rat) []byte {
	choice := slices.Repeat([]byte{in}, len(s.players))
	for s.leave(choice, amount) {
	}
	for n := 0; n < len(choice); n++ {
		if choice[n] == in || s.bounds(choice, amount).most(&s.players[n], out).Cmp(s.players[n].cash) < 0 {
			continue
		}
		if choice[n] = in; s.pays(choice, amount) {
			n = -1 // others may return beside it
			continue
		}
		choice[n] = out
	}
	return choice
}

// leave takes the player with the greatest proportional loss out of the conversions. It reports false if none loses.
func (s *solver) leave(choice []byte, amount *big.Rat) bool {
	paid, _ := s.curve(choice).pay(amount)
	worst, least := -1, big.NewRat(1, 1)
	for n := range s.players {
		one := &s.players[n]
		if choice[n] == out || one.cash.Sign() == 0 {
			continue
		}
		if part := new(big.Rat).Quo(one.payment(paid), one.cash); part.Cmp(least) < 0 {
			worst, least = n, part
		}
	}
	if worst < 0 {
		return false
	}
	choice[worst] = out
	return true
}

// short returns the curve at an amount that does not cover all preferences and cash. No claim converts then. Holders
// of convertibles with fixed preferred shares take those if their rank pays them more than the cash.
func (s *solver) short(amount *big.Rat, c *curve) *curve {
	for i, convertible := range s.stack.Convertibles {
		if convertible.Into == nil || amount.Cmp(c.floors) >= 0 {
			continue
		}
		at := len(s.fixed) + i
		shares := convertible.Into.claim()
		shares.shares, shares.from, shares.upTo = zero(), zero(), nil
		for _, other := range []claim{
			shares, {rank: convertible.Seniority, floor: convertible.CashOut.Rat(), shares: zero(), from: zero()},
		} {
			claims := slices.Clone(c.claims)
			claims[at] = other
			tried := newCurve(claims)
			got, _ := c.pay(amount)
			if gets, _ := tried.pay(amount); gets[at].Cmp(got[at]) > 0 {
				c = tried
			}
		}
	}
	return c
}
