package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// Single is one instrument that converts on its own, with known figures: a price set by a round (none at maturity)
// and the denominator of its cap.
type Single struct {
	// Amount is the converting amount: the purchase amount, or the result of [Standing.Converting].
	Amount *big.Rat
	// Price is the price per share of other buyers, or nil without buyers, as at maturity. Then only a cap sets a
	// price.
	Price *big.Rat
	// Discount is the discount on Price: 0.20 is 20 %, and zero means no discount.
	Discount exact.Decimal
	// Cap is a valuation and CapShares its denominator. Both are zero without a cap.
	Cap, CapShares exact.Decimal
}

// Converted is the conversion of one instrument: whole shares, and cash for the remainder.
type Converted struct {
	Basis Basis
	// Price is the price per share for the holder, and Shares the exact number of shares for the amount.
	Price, Shares *big.Rat
	// Whole is the number of issued shares. Cash is the price of the remaining fraction, so that Whole at the
	// price plus Cash is the amount.
	Whole exact.Decimal
	Cash  *big.Rat
}

// Convert converts at the lowest price of the terms. Among equal prices, the discount is named before the cap, and
// both before the price of the round. The instrument must have no [Single.Faults].
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

// terms returns the price of each term. Among equal prices, the first in this order is named.
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

// Faults returns the invalid terms, with the codes notPositive, negative, notBelowOne, and required if there is
// neither a price nor a cap.
func (s Single) Faults() []Fault {
	var f faults
	if s.Amount == nil || s.Amount.Sign() <= 0 {
		f.add("/amount", "notPositive", "amount must be above zero.")
	}
	if s.Price != nil && s.Price.Sign() <= 0 {
		f.add("/price", "notPositive", "price must be above zero.")
	}
	f.fraction("/discount", s.Discount, "A discount")
	switch {
	case s.Cap.Sign() < 0:
		f.add("/cap", "negative", "The valuation cap must be above zero.")
	case s.Cap.Sign() > 0 && s.CapShares.Sign() <= 0:
		f.add("/capShares", "notPositive", "capShares must be above zero with a cap.")
	case s.Price == nil && s.Cap.IsZero():
		f.add("/price", "required", "A price or a cap is required.")
	}
	return f
}

// Converting divides the balance into the converting amount and the interest paid in cash, which never becomes
// shares.
func (s Standing) Converting(payout Payout) (converts, paid *big.Rat) {
	if payout == Cash {
		return new(big.Rat).Set(s.Principal), new(big.Rat).Set(s.Interest)
	}
	return s.Balance(), new(big.Rat)
}
