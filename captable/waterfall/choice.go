package waterfall

import "math/big"

// solver pays one stack at many prices.
type solver struct {
	stack Stack
	// fixed contains the claims that are independent of choices: the classes, then the strikes.
	fixed   []claim
	strikes []strike
	// base is the number of all shares, including those from options, as converted.
	base *big.Rat
	// curves caches the curves of choices. A key has one byte per convertible.
	curves map[string]*curve
}

// strike groups all options with the same exercise price per common share.
type strike struct {
	price   *big.Rat
	options []int
}

func newSolver(s Stack) *solver {
	made := &solver{stack: s, base: zero(), curves: map[string]*curve{}}
	for _, class := range s.Classes {
		claim := class.claim()
		made.base.Add(made.base, claim.shares)
		made.fixed = append(made.fixed, claim)
	}
	places := map[string]int{}
	for i, option := range s.Options {
		made.base.Add(made.base, new(big.Rat).Mul(option.Granted.Rat(), option.ratio()))
		price := new(big.Rat).Quo(option.strike(), option.ratio())
		at, known := places[price.RatString()]
		if !known {
			at = len(made.strikes)
			places[price.RatString()] = at
			made.strikes = append(made.strikes, strike{price: price})
		}
		made.strikes[at].options = append(made.strikes[at].options, i)
	}
	for _, strike := range made.strikes {
		shares := zero()
		for _, i := range strike.options {
			shares.Add(shares, new(big.Rat).Mul(s.Options[i].Quantity.Rat(), s.Options[i].ratio()))
		}
		made.fixed = append(made.fixed, claim{floor: zero(), shares: shares, from: strike.price})
	}
	return made
}

// choose returns the converting instruments at a sale for the amount, and the resulting curve: see the package
// documentation.
func (s *solver) choose(amount *big.Rat) (*curve, []byte) {
	choice := make([]byte, len(s.stack.Convertibles))
	for i, c := range s.stack.Convertibles {
		if c.converts() {
			choice[i] = 1
		}
	}
	for {
		found := s.curve(choice)
		out := s.regrets(found, choice, amount)
		if out < 0 {
			return found, choice
		}
		choice[out] = 0
	}
}

// regrets returns the converting instrument with the smallest ratio of payment to cash-out, or -1 if no ratio is
// below 1.
func (s *solver) regrets(c *curve, choice []byte, amount *big.Rat) int {
	paid, _ := c.pay(amount)
	worst, least := -1, big.NewRat(1, 1)
	for i, convertible := range s.stack.Convertibles {
		if choice[i] == 0 || convertible.CashOut.IsZero() {
			continue
		}
		part := new(big.Rat).Quo(paid[len(s.fixed)+i], convertible.CashOut.Rat())
		if part.Cmp(least) < 0 {
			worst, least = i, part
		}
	}
	return worst
}

func (s *solver) curve(choice []byte) *curve {
	if known := s.curves[string(choice)]; known != nil {
		return known
	}
	claims := append([]claim{}, s.fixed...)
	converting := s.convertibleClaims(choice)
	for i, c := range s.stack.Convertibles {
		if choice[i] == 0 {
			claims = append(claims, claim{rank: c.Seniority, floor: c.CashOut.Rat(), shares: zero(), from: zero()})
			continue
		}
		claims = append(claims, converting[i])
	}
	made := newCurve(claims)
	s.curves[string(choice)] = made
	return made
}

// shares returns the shares of a pre-money cap.
func (s *solver) shares(c Convertible) *big.Rat {
	part := new(big.Rat).Quo(c.Amount.Rat(), c.Cap.Rat())
	return part.Mul(part, s.base)
}

// discounted returns the value of shares bought at a discount, which is independent of their price.
func (c Convertible) discounted() *big.Rat {
	if c.Discount.IsZero() {
		return zero()
	}
	rest := big.NewRat(1, 1)
	rest.Sub(rest, c.Discount.Rat())
	return rest.Quo(c.Amount.Rat(), rest)
}
