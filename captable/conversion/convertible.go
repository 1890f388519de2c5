package conversion

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// CapBasis says which capitalization a valuation cap is divided by.
type CapBasis string

// The two bases. A post-money cap counts all converting instruments, but neither the
// increase of the pool nor the new money; a pre-money cap counts the pool with its
// increase, but no converting instruments.
const (
	PostMoney CapBasis = "post"
	PreMoney  CapBasis = "pre"
)

// Basis is the term that sets the price at which an instrument converts.
type Basis string

// The bases, in the order in which the first of equal terms is named.
const (
	FixedShares  Basis = "fixedShares"
	FixedPercent Basis = "fixedPercent"
	Cap          Basis = "cap"
	Discount     Basis = "discount"
	RoundPrice   Basis = "roundPrice"
)

// Convertible is a SAFE or a note that converts in a round, at whichever of its terms
// gives the most shares. What is zero is not among its terms.
type Convertible struct {
	// ID names the instrument within the round.
	ID string
	// Amount is what converts: the purchase amount, or principal and interest.
	Amount *big.Rat
	// Cap is a valuation, CapBasis what it is divided by; none is PostMoney.
	Cap      exact.Decimal
	CapBasis CapBasis
	// Discount is what is taken off the round's price: 0.20 is 20 % off.
	Discount exact.Decimal
	// FixedPercent is a fraction of the company before the new money, whatever its value.
	FixedPercent exact.Decimal
	// FixedShares is what it becomes whatever the other terms say; nil for none.
	FixedShares *big.Rat
	// MFN instruments may take over the terms of one later instrument, whole. Elects is
	// its ID; without one the instrument converts on its own terms.
	MFN    bool
	Elects string
}

// WithDefaults gives the instrument with what was left open.
func (c Convertible) WithDefaults() Convertible {
	if c.CapBasis == "" {
		c.CapBasis = PostMoney
	}
	return c
}

// Faults lists the terms that cannot be converted with: codes required, notPositive,
// negative, amountReachesCap, notBelowOne, unknownTerm.
func (c Convertible) Faults() []Fault {
	var f faults
	c = c.WithDefaults()
	known(&f, "/capBasis", c.CapBasis, PostMoney, PreMoney)
	if c.ID == "" {
		f.add("/id", "required", "An instrument needs a name within the round.")
	}
	if c.Cap.Sign() < 0 {
		f.add("/cap", "negative", "A valuation cap is above zero.")
	}
	f.fraction("/discount", c.Discount, "A discount")
	f.fraction("/fixedPercent", c.FixedPercent, "A fixed percentage")
	if c.FixedShares != nil && c.FixedShares.Sign() <= 0 {
		f.add("/fixedShares", "notPositive", "A fixed number of shares is above zero.")
	}
	switch {
	case c.Amount == nil || c.Amount.Sign() <= 0:
		f.add("/amount", "notPositive", "An amount that converts is above zero.")
	case c.Cap.Sign() > 0 && c.Amount.Cmp(c.Cap.Rat()) >= 0:
		f.add("/amount", "amountReachesCap", "An investment that reaches its cap would own the whole company.")
	}
	return f
}

// fraction checks a number from zero to below one.
func (f *faults) fraction(pointer string, number exact.Decimal, what string) {
	switch {
	case number.Sign() < 0:
		f.add(pointer, "negative", what+" is zero or more.")
	case number.Cmp(exact.NewDecimal(1)) >= 0:
		f.add(pointer, "notBelowOne", what+" is a fraction below one: 0.20 for 20 %.")
	}
}

// electing gives the instrument with the terms that it elected out of all; its amount
// stays its own. The election is valid, see [Round.Faults].
func (c Convertible) electing(all []Convertible) Convertible {
	if c.Elects == "" {
		return c
	}
	i := slices.IndexFunc(all, func(other Convertible) bool { return other.ID == c.Elects })
	c.Cap, c.CapBasis, c.Discount = all[i].Cap, all[i].CapBasis, all[i].Discount
	return c
}

// electionFaults checks the election of an instrument against those that came after it:
// codes notMFN, notLater, unsupportedTerms. A pre-money package cannot be elected. Without an
// election the instrument converts on its own terms, whatever was issued later.
func (c Convertible) electionFaults(later []Convertible) []Fault {
	var f faults
	i := slices.IndexFunc(later, func(other Convertible) bool { return other.ID == c.Elects })
	switch {
	case c.Elects == "":
	case !c.MFN:
		f.add("/elects", "notMFN", "Only an MFN instrument elects the terms of another.")
	case i < 0:
		f.add("/elects", "notLater", "The election goes to an instrument that was issued later.")
	case later[i].isPreMoney() || later[i].MFN || later[i].FixedPercent.Sign() != 0 || later[i].FixedShares != nil:
		f.add("/elects", "unsupportedTerms", "What is elected has a post-money cap, a discount, or both.")
	}
	return f
}

// isPreMoney tells whether the instrument is capped before the money, as its own term.
func (c Convertible) isPreMoney() bool {
	return c.Cap.Sign() > 0 && c.CapBasis == PreMoney && !c.MFN
}
