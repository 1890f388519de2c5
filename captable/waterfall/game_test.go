package waterfall_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// game pays a stack with given choices. It shares no code with the package: it finds the price of a common share
// by bisection, in exact fractions until the difference is far below a cent.
type game struct {
	waterfall.Stack
	convert []bool // the classes, then the options, then the convertibles
}

func rat(n int64) *big.Rat { return big.NewRat(n, 1) }

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

func lesser(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// player returns the payment of a participant at a price of a common share.
type player struct {
	rank  int
	floor *big.Rat
	at    func(price *big.Rat) *big.Rat
}

func (g game) players() []player {
	var list []player
	base := rat(0)
	for i, class := range g.Classes {
		shares := rat(0)
		for _, h := range class.Holdings {
			shares = add(shares, h.Shares.Rat())
		}
		sharing, paid := mul(shares, class.Ratio.Rat()), mul(shares, class.Price.Rat())
		floor, most := mul(paid, class.Multiple.Rat()), mul(paid, class.CapMultiple.Rat())
		base = add(base, sharing)
		p := player{class.Seniority, floor, func(*big.Rat) *big.Rat { return floor }}
		switch {
		case floor.Sign() == 0 && class.Participation != waterfall.Capped, g.convert[i] && class.Participation != waterfall.Full:
			p = player{0, rat(0), func(price *big.Rat) *big.Rat { return mul(sharing, price) }}
		case class.Participation == waterfall.Full:
			p.at = func(price *big.Rat) *big.Rat { return add(floor, mul(sharing, price)) }
		case class.Participation == waterfall.Capped:
			p.at = func(price *big.Rat) *big.Rat { return lesser(most, add(floor, mul(sharing, price))) }
		}
		list = append(list, p)
	}
	for i, o := range g.Options {
		base = add(base, o.Granted.Rat())
		exercised := g.convert[len(g.Classes)+i]
		list = append(list, player{0, rat(0), func(price *big.Rat) *big.Rat {
			if !exercised {
				return rat(0)
			}
			return mul(o.Quantity.Rat(), sub(price, o.Strike.Rat()))
		}})
	}
	return append(list, g.convertibles(base)...)
}

// convertibles returns those that take cash, and those that convert: each at its discount or at its cap's fraction
// of everything that converts at that price.
func (g game) convertibles(base *big.Rat) []player {
	var list []player
	chosen := g.convert[len(g.Classes)+len(g.Options):]
	for i, c := range g.Convertibles {
		cash := c.CashOut.Rat()
		if !chosen[i] {
			list = append(list, player{c.Seniority, cash, func(*big.Rat) *big.Rat { return cash }})
			continue
		}
		at := func(price *big.Rat) *big.Rat { return g.converted(chosen, base, price)[i] }
		list = append(list, player{-9, at(rat(0)), at})
	}
	return list
}

// converted returns the value of each convertible at the price. It starts with the discounts and changes one after
// another to its fraction of the whole, while that is worth more.
func (g game) converted(chosen []bool, base, price *big.Rat) []*big.Rat {
	worth := make([]*big.Rat, len(g.Convertibles))
	for again := true; again; {
		again = false
		whole, rest := mul(base, price), rat(1)
		for i, c := range g.Convertibles {
			switch {
			case !chosen[i]:
			case worth[i] == nil && c.Cap.Sign() > 0 && c.PostMoney && c.Discount.IsZero():
				worth[i] = rat(-1) // gets its fraction
				fallthrough
			case worth[i] != nil && worth[i].Sign() < 0:
				part := quo(c.Amount.Rat(), c.Cap.Rat())
				rest = sub(rest, part)
			default:
				whole = add(whole, g.apart(c, base, price))
			}
		}
		whole = quo(whole, rest)
		for i, c := range g.Convertibles {
			if !chosen[i] || worth[i] != nil || c.Cap.IsZero() || !c.PostMoney {
				continue
			}
			if mul(whole, quo(c.Amount.Rat(), c.Cap.Rat())).Cmp(g.apart(c, base, price)) > 0 {
				worth[i], again = rat(-1), true
			}
		}
		if again {
			continue
		}
		for i, c := range g.Convertibles {
			switch {
			case !chosen[i]:
			case worth[i] != nil:
				worth[i] = mul(whole, quo(c.Amount.Rat(), c.Cap.Rat()))
			default:
				worth[i] = g.apart(c, base, price)
			}
		}
	}
	return worth
}

// apart returns the value that is independent of the other convertibles: a discount, or a pre-money cap.
func (g game) apart(c waterfall.Convertible, base, price *big.Rat) *big.Rat {
	worth := rat(0)
	if c.Discount.Sign() > 0 {
		worth = quo(c.Amount.Rat(), sub(rat(1), c.Discount.Rat()))
	}
	if c.Cap.Sign() > 0 && !c.PostMoney {
		if capped := mul(mul(base, price), quo(c.Amount.Rat(), c.Cap.Rat())); capped.Cmp(worth) > 0 {
			return capped
		}
	}
	return worth
}

// pay returns the payments for an amount.
func (g game) pay(amount *big.Rat) []*big.Rat {
	players := g.players()
	total := func(price *big.Rat) *big.Rat {
		sum := rat(0)
		for _, p := range players {
			sum = add(sum, p.at(price))
		}
		return sum
	}
	paid := make([]*big.Rat, len(players))
	floors := rat(0)
	for _, p := range players {
		floors = add(floors, p.floor)
	}
	if amount.Cmp(floors) < 0 {
		left := amount
		for rank := 3; rank >= -9; rank-- {
			wanted := rat(0)
			for _, p := range players {
				if p.rank == rank {
					wanted = add(wanted, p.floor)
				}
			}
			for i, p := range players {
				if p.rank == rank && wanted.Sign() > 0 {
					paid[i] = mul(p.floor, lesser(rat(1), quo(left, wanted)))
				} else if p.rank == rank {
					paid[i] = rat(0)
				}
			}
			left = sub(left, lesser(left, wanted))
		}
		return paid
	}
	low, high := rat(0), rat(1<<20)
	for range 60 {
		if middle := mul(add(low, high), big.NewRat(1, 2)); total(middle).Cmp(amount) <= 0 {
			low = middle
		} else {
			high = middle
		}
	}
	for i, p := range players {
		paid[i] = p.at(low)
	}
	return paid
}

func TestChoicesAreAnEquilibrium(t *testing.T) {
	t.Parallel()
	properties(t, func(t *rapid.T, s waterfall.Stack) {
		value := anyValue(t)
		out := s.Pay([]exact.Decimal{value})[0]
		g := game{Stack: s}
		for _, claim := range out.Claims {
			g.convert = append(g.convert, claim.Converts)
		}
		cent := big.NewRat(int64(len(out.Payouts)+1), 100)
		at := g.pay(value.Rat())
		for i, claim := range out.Claims {
			if off := sub(at[i], claim.Amount.Rat()); off.Abs(off).Cmp(cent) > 0 {
				t.Fatalf("%s got %s; by the choices that were made it is %s\n%+v", claim.ID, claim.Amount, at[i].FloatString(4), out)
			}
			if claim.Kind == waterfall.OfConvertible && s.Convertibles[i-len(s.Classes)-len(s.Options)].Cap.IsZero() && s.Convertibles[i-len(s.Classes)-len(s.Options)].Discount.IsZero() {
				continue // it cannot convert
			}
			g.convert[i] = !g.convert[i]
			if otherwise := g.pay(value.Rat())[i]; sub(otherwise, at[i]).Cmp(cent) > 0 {
				t.Fatalf("%s would have %s instead of %s\n%+v", claim.ID, otherwise.FloatString(4), at[i].FloatString(4), out)
			}
			g.convert[i] = !g.convert[i]
		}
	})
}
