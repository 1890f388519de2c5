package conversion

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// Solution is the exact solution of a round, without rounding. Shares have fractions.
type Solution struct {
	// Price is the price per share for new money.
	Price *big.Rat
	// PreMoney and PostMoney are the values of all shares before and after the new money, at the price.
	PreMoney, PostMoney *big.Rat
	// TotalShares is the fully diluted number of shares after the round.
	TotalShares *big.Rat
	// PoolIncrease is added to the pool. PoolAvailable is available for grants afterwards.
	PoolIncrease, PoolAvailable *big.Rat
	// Capitalization is the denominator of post-money caps. PreMoneyCapitalization is that of pre-money caps.
	Capitalization, PreMoneyCapitalization *big.Rat
	// Conversions are in the order of the round's convertibles.
	Conversions []Conversion
	// NewMoney contains the purchases of the round's investors in their order, then those by pro rata right.
	NewMoney []Purchase
	// Explanation lists the components of each capitalization, and the term behind each price, line by line.
	Explanation []string
}

// Conversion is the conversion of one instrument.
type Conversion struct {
	ID    string
	Basis Basis
	// Elects is the instrument of the elected terms, or empty.
	Elects        string
	Amount        *big.Rat
	Shares, Price *big.Rat
	// BeforeNewMoney is the part of the company capitalization, Ownership the part of all shares after the round.
	BeforeNewMoney, Ownership *big.Rat
	// Offers are all terms with their results. The basis has the most shares.
	Offers []Offer
}

// Offer is the result of one term of an instrument.
type Offer struct {
	Basis Basis
	// Capitalization is the denominator of the cap, or nil for terms without one.
	Capitalization *big.Rat
	Price, Shares  *big.Rat
}

// Purchase is a purchase with new money.
type Purchase struct {
	ID                        string
	Amount, Shares, Ownership *big.Rat
	// ProRata marks a purchase by pro rata right.
	ProRata bool
}

// solution computes all figures from the solved point.
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
	scaled, parts := x.scaled(), x.partsOf(s.TotalShares)
	for i, c := range p.round.Convertibles {
		s.Conversions = append(s.Conversions, c.converted(p.offers[i], best(p.offers[i], scaled), x, &parts))
	}
	s.NewMoney = p.purchases(s)
	s.Explanation = p.explain(s)
	return s
}

// parts holds the values of the unknowns as parts of the company capitalization and of all shares after the round, and
// their inverses. The digits of an unknown grow with the number of convertibles, so that a quotient of two is computed once.
type parts struct{ company, total, inverse point }

func (x point) partsOf(total *big.Rat) (of parts) {
	for i, value := range x {
		of.company[i], of.total[i] = new(big.Rat).Quo(value, x[company]), new(big.Rat).Quo(value, total)
		of.inverse[i] = new(big.Rat)
		if value.Sign() != 0 {
			of.inverse[i].Inv(value)
		}
	}
	return of
}

// converted returns the conversion of the instrument at the solved point, with its best offer.
func (c Convertible) converted(offers []offer, best int, x point, of *parts) Conversion {
	out := Conversion{ID: c.ID, Elects: c.Elects, Amount: c.Amount}
	for _, o := range offers {
		shares := o.at(x)
		term := Offer{Basis: o.basis, Shares: shares, Price: exact.Product(new(big.Rat).Quo(c.Amount, o.rate), of.inverse[o.of])}
		if o.of == company || o.of == preMoney {
			term.Capitalization = x[o.of]
		}
		out.Offers = append(out.Offers, term)
	}
	chosen := out.Offers[best]
	out.Basis, out.Shares, out.Price = chosen.Basis, chosen.Shares, chosen.Price
	rate, unit := offers[best].rate, offers[best].of
	out.BeforeNewMoney, out.Ownership = exact.Product(rate, of.company[unit]), exact.Product(rate, of.total[unit])
	return out
}

// purchases allocates the new money: pro rata rights first, then the investors, in proportion to their offers.
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

// part returns the holder's fraction of the company capitalization before the new money.
func (r Participation) part(s Solution) *big.Rat {
	held := new(big.Rat).Set(r.Shares.Rat())
	for _, c := range s.Conversions {
		if slices.Contains(r.Convertibles, c.ID) {
			held.Add(held, c.Shares)
		}
	}
	return held.Quo(held, s.Capitalization)
}
