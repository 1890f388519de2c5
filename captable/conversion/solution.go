package conversion

import (
	"math/big"
	"slices"
)

// Solution is a round solved exactly: nothing is rounded, shares have fractions.
type Solution struct {
	// Price is what new money pays a share.
	Price *big.Rat
	// PreMoney and PostMoney are all shares before and after the new money, at the price.
	PreMoney, PostMoney *big.Rat
	// TotalShares is everything after the round, fully diluted.
	TotalShares *big.Rat
	// PoolIncrease joins the pool; PoolAvailable is what is left to grant afterwards.
	PoolIncrease, PoolAvailable *big.Rat
	// Capitalization is what post-money caps are divided by; PreMoneyCapitalization is
	// the same for pre-money caps.
	Capitalization, PreMoneyCapitalization *big.Rat
	// Conversions are in the order of the round's convertibles.
	Conversions []Conversion
	// NewMoney are the purchases of the round's investors in their order, then those of
	// who used a pro rata right.
	NewMoney []Purchase
	// Explanation says line by line what counted and which term set which price.
	Explanation []string
}

// Conversion is what one instrument becomes.
type Conversion struct {
	ID    string
	Basis Basis
	// Elects is the instrument whose terms these are, empty for its own.
	Elects        string
	Amount        *big.Rat
	Shares, Price *big.Rat
	// BeforeNewMoney is the part of the company capitalization, Ownership the part of
	// all shares after the round.
	BeforeNewMoney, Ownership *big.Rat
	// Offers are all terms with what each would have given; the basis has the most.
	Offers []Offer
}

// Offer is what one term of an instrument gives.
type Offer struct {
	Basis Basis
	// Capitalization is what the cap was divided by, nil for terms without one.
	Capitalization *big.Rat
	Price, Shares  *big.Rat
}

// Purchase is what new money buys.
type Purchase struct {
	ID                        string
	Amount, Shares, Ownership *big.Rat
	// ProRata marks a purchase by right of what the buyer held.
	ProRata bool
}

// solution reads everything off the solved point.
func (p *problem) solution(x point) Solution {
	s := Solution{
		Price:                  new(big.Rat).Inv(x[perDollar]),
		TotalShares:            p.after(x),
		PoolIncrease:           new(big.Rat).Sub(x[preMoney], p.total),
		PoolAvailable:          new(big.Rat).Sub(x[preMoney], p.base),
		Capitalization:         x[company],
		PreMoneyCapitalization: x[preMoney],
	}
	s.PreMoney = new(big.Rat).Mul(p.before(x), s.Price)
	s.PostMoney = new(big.Rat).Mul(s.TotalShares, s.Price)
	scaled := x.scaled()
	for i, c := range p.round.Convertibles {
		s.Conversions = append(s.Conversions, c.converted(p.offers[i], best(p.offers[i], scaled), x, s.TotalShares))
	}
	s.NewMoney = p.purchases(s)
	s.Explanation = p.explain(s)
	return s
}

// converted gives the instrument as it converts at the solved point, at its best offer.
func (c Convertible) converted(offers []offer, best int, x point, total *big.Rat) Conversion {
	out := Conversion{ID: c.ID, Elects: c.Elects, Amount: c.Amount}
	for _, o := range offers {
		shares := o.at(x)
		term := Offer{Basis: o.basis, Shares: shares, Price: new(big.Rat).Quo(c.Amount, shares)}
		if o.of == company || o.of == preMoney {
			term.Capitalization = x[o.of]
		}
		out.Offers = append(out.Offers, term)
	}
	chosen := out.Offers[best]
	out.Basis, out.Shares, out.Price = chosen.Basis, chosen.Shares, chosen.Price
	out.BeforeNewMoney = new(big.Rat).Quo(out.Shares, x[company])
	out.Ownership = new(big.Rat).Quo(out.Shares, total)
	return out
}

// purchases shares out the new money: pro rata rights first, the investors what is left,
// in proportion to what they offered.
func (p *problem) purchases(s Solution) []Purchase {
	left := big.NewRat(1, 1)
	var rights []Purchase
	for _, right := range p.round.ProRata {
		part := right.part(s)
		left.Sub(left, part)
		rights = append(rights, s.purchase(right.ID, part.Mul(part, p.money), true))
	}
	var all []Purchase
	for _, money := range p.round.NewMoney {
		all = append(all, s.purchase(money.ID, new(big.Rat).Mul(money.Amount.Rat(), left), false))
	}
	return append(all, rights...)
}

func (s Solution) purchase(id string, amount *big.Rat, proRata bool) Purchase {
	shares := new(big.Rat).Quo(amount, s.Price)
	return Purchase{ID: id, Amount: amount, Shares: shares, Ownership: new(big.Rat).Quo(shares, s.TotalShares), ProRata: proRata}
}

// part is what the holder had of the company capitalization before the new money.
func (r Participation) part(s Solution) *big.Rat {
	held := new(big.Rat).Set(r.Shares.Rat())
	for _, c := range s.Conversions {
		if slices.Contains(r.Convertibles, c.ID) {
			held.Add(held, c.Shares)
		}
	}
	return held.Quo(held, s.Capitalization)
}
