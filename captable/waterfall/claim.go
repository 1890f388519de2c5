package waterfall

import (
	"math/big"
	"sort"
)

// claim is the payment of one class, of all options at one strike, or of one convertible, as a function of the
// price of a common share. Its numbers are immutable.
type claim struct {
	rank int
	// floor is paid by rank before any sharing, less the exercise price of its shares.
	floor *big.Rat
	// due is that exercise price, or nil. Floor and due together are the preference.
	due *big.Rat
	// shares participate above the price from.
	shares, from *big.Rat
	// upTo is the price at which a capped claim stops, and again the price from which it participates as
	// converted. Both are nil without a cap.
	upTo, again *big.Rat
	// more contains further prices at which the number of shares rises, in ascending order.
	more []turn
	// sums holds for the first k of more the sum of shares, and the sum of price times shares
	// as from. A curve sets it, so that many prices share the additions.
	sums []turn
}

// turn is a price, and the number of shares added from it on.
type turn struct{ from, shares *big.Rat }

// last is the rank of conversions at a discount, below all preferences.
const last = -1 << 31

func zero() *big.Rat { return new(big.Rat) }

// at returns the value of the claim at a price of a common share, when all floors are paid.
func (c claim) at(price *big.Rat) *big.Rat {
	sharing := new(big.Rat).Sub(price, c.from)
	if c.upTo != nil {
		sharing.Sub(least(price, c.upTo), c.from)
		if more := new(big.Rat).Sub(price, c.again); more.Sign() > 0 {
			sharing = new(big.Rat).Add(sharing, more)
		}
	}
	if sharing.Sign() <= 0 {
		return c.floor
	}
	worth := new(big.Rat).Mul(sharing, c.shares)
	if k := sort.Search(len(c.more), func(i int) bool { return c.more[i].from.Cmp(price) >= 0 }); k > 0 {
		above := new(big.Rat).Mul(price, c.sums[k-1].shares)
		worth.Add(worth, above.Sub(above, c.sums[k-1].from))
	}
	return worth.Add(worth, c.floor)
}

// summed returns the claim with its sums.
func (c claim) summed() claim {
	c.sums = make([]turn, 0, len(c.more))
	shares, from := zero(), zero()
	for _, more := range c.more {
		shares = new(big.Rat).Add(shares, more.shares)
		from = new(big.Rat).Add(from, new(big.Rat).Mul(more.from, more.shares))
		c.sums = append(c.sums, turn{from, shares})
	}
	return c
}

// converts reports whether the claim participates as converted at the price.
func (c claim) converts(price *big.Rat) bool {
	from := c.from
	if c.upTo != nil {
		from = c.again
	}
	return c.shares.Sign() > 0 && price.Cmp(from) >= 0 && price.Sign() > 0
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func greatest(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// orConvert returns the claim of the greater of the floor and the shares.
func orConvert(rank int, floor, shares *big.Rat) claim {
	c := claim{rank: rank, floor: floor, shares: shares, from: zero()}
	if shares.Sign() > 0 {
		c.from = new(big.Rat).Quo(floor, shares)
	}
	return c
}

// claim returns the claim of all shares of the class.
func (c Class) claim() claim {
	held := c.held()
	price := c.price()
	floor := new(big.Rat).Mul(new(big.Rat).Mul(price, c.Multiple.Rat()), held)
	made := orConvert(c.Seniority, floor, new(big.Rat).Mul(held, c.ratio()))
	if !c.participates() {
		return made
	}
	made.from = zero()
	if c.Participation == Capped && made.shares.Sign() > 0 {
		most := new(big.Rat).Mul(new(big.Rat).Mul(price, c.CapMultiple.Rat()), held)
		made.upTo = new(big.Rat).Sub(most, floor)
		made.upTo.Quo(made.upTo, made.shares)
		made.again = most.Quo(most, made.shares)
	}
	return made
}

// claim returns the claim of options or warrants over the quantity of shares. The exercised shares have the
// preference and the choice of their class.
func (o Option) claim(quantity *big.Rat) claim {
	strike, ratio := o.strike(), o.ratio()
	made := claim{floor: zero(), shares: new(big.Rat).Mul(quantity, ratio), from: zero()}
	first, most := zero(), zero() // per share
	if o.Of != nil {
		first.Mul(o.Of.price(), o.Of.Multiple.Rat())
		most.Mul(o.Of.price(), o.Of.CapMultiple.Rat())
	}
	if first.Cmp(strike) > 0 {
		made.rank = o.Of.Seniority
		made.floor.Sub(first, strike).Mul(made.floor, quantity)
		made.due = new(big.Rat).Mul(strike, quantity)
	}
	if ratio.Sign() == 0 {
		return made
	}
	of := func(perShare *big.Rat) *big.Rat { return new(big.Rat).Quo(perShare, ratio) } // per common share
	switch {
	case o.Of == nil || !o.Of.participates():
		made.from = of(greatest(first, strike))
	case o.Of.Participation == Capped && strike.Cmp(most) >= 0:
		made.from = of(strike)
	default:
		made.from = of(greatest(zero(), new(big.Rat).Sub(strike, first)))
		if o.Of.Participation == Capped {
			made.upTo, made.again = of(new(big.Rat).Sub(most, first)), of(most)
		}
	}
	return made
}

// participates reports whether the shares take part beside their preference.
func (c Class) participates() bool { return c.Participation == Full || c.Participation == Capped }

// held returns the number of shares of the class.
func (c Class) held() *big.Rat {
	sum := zero()
	for _, holding := range c.Holdings {
		sum.Add(sum, holding.Shares.Rat())
	}
	return sum
}
