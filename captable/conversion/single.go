package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// Single is one instrument that converts by itself, at figures that are known already: a
// price that a round has set, or at maturity none, and the shares that its cap is divided by.
type Single struct {
	// Amount is what converts: the purchase amount, or what [Standing.Converting] gives.
	Amount *big.Rat
	// Price is what the others pay for a share; nil where nobody buys, as at maturity:
	// then only a cap sets a price.
	Price *big.Rat
	// Discount is what is taken off Price: 0.20 is 20 % off; zero for none.
	Discount exact.Decimal
	// Cap is a valuation, CapShares the capitalization that it is divided by; zero for none.
	Cap, CapShares exact.Decimal
}

// Converted is what one instrument becomes: whole shares, and cash for what is left.
type Converted struct {
	Basis Basis
	// Price is what the holder pays for a share, Shares what the amount buys at it.
	Price, Shares *big.Rat
	// Whole are the shares to issue; Cash is what the rest of a share would have cost, so
	// that Whole at the price and Cash are the amount.
	Whole exact.Decimal
	Cash  *big.Rat
}

// Convert gives the most shares that the terms give: the lowest price. Of equal prices the
// discount is named before the cap, and both before the price of the round. The conversion
// has no [Single.Faults].
func (s Single) Convert() Converted {
	out := Converted{}
	for _, term := range s.terms() {
		if out.Price == nil || term.Price.Cmp(out.Price) < 0 {
			out.Basis, out.Price = term.Basis, term.Price
		}
	}
	out.Shares = new(big.Rat).Quo(s.Amount, out.Price)
	out.Whole = exact.RoundDown(out.Shares, 0)
	paid := new(big.Rat).Mul(out.Whole.Rat(), out.Price)
	out.Cash = paid.Sub(s.Amount, paid)
	return out
}

// terms gives the price of each term, in the order in which the first of equal ones is named.
func (s Single) terms() []Offer {
	var all []Offer
	if s.Price != nil && s.Discount.Sign() > 0 {
		left := new(big.Rat).Sub(big.NewRat(1, 1), s.Discount.Rat())
		all = append(all, Offer{Basis: Discount, Price: left.Mul(left, s.Price)})
	}
	if s.Cap.Sign() > 0 {
		all = append(all, Offer{Basis: Cap, Price: new(big.Rat).Quo(s.Cap.Rat(), s.CapShares.Rat())})
	}
	if s.Price != nil {
		all = append(all, Offer{Basis: RoundPrice, Price: s.Price})
	}
	return all
}

// Faults lists what cannot be converted with: codes notPositive, negative, notBelowOne, and
// required where neither a price nor a cap is given.
func (s Single) Faults() []Fault {
	var f faults
	if s.Amount == nil || s.Amount.Sign() <= 0 {
		f.add("/amount", "notPositive", "An amount that converts is above zero.")
	}
	if s.Price != nil && s.Price.Sign() <= 0 {
		f.add("/price", "notPositive", "A price a share is above zero.")
	}
	f.fraction("/discount", s.Discount, "A discount")
	switch {
	case s.Cap.Sign() < 0:
		f.add("/cap", "negative", "A valuation cap is above zero.")
	case s.Cap.Sign() > 0 && s.CapShares.Sign() <= 0:
		f.add("/capShares", "notPositive", "A cap is divided by the shares of the company, which are above zero.")
	case s.Price == nil && s.Cap.IsZero():
		f.add("/price", "required", "Without a price and without a cap there is nothing to convert at.")
	}
	return f
}

// Converting divides what is owed into what converts and what is paid in cash: interest that
// is paid as it falls due never becomes shares.
func (s Standing) Converting(payout Payout) (converts, paid *big.Rat) {
	if payout == Cash {
		return new(big.Rat).Set(s.Principal), new(big.Rat).Set(s.Interest)
	}
	return s.Balance(), new(big.Rat)
}
