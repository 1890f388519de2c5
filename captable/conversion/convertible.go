package conversion

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// CapBasis is the capitalization that a valuation cap is divided by.
type CapBasis string

// The two bases. A post-money cap counts all converting instruments, but neither the increase of the pool nor the
// new money. A pre-money cap counts the pool with its increase, but no converting instruments.
const (
	PostMoney CapBasis = "post"
	PreMoney  CapBasis = "pre"
)

// Basis is the term that sets an instrument's conversion price.
type Basis string

// The bases. Among equal terms, the first in this order is named.
const (
	FixedShares  Basis = "fixedShares"
	FixedPercent Basis = "fixedPercent"
	Cap          Basis = "cap"
	Discount     Basis = "discount"
	RoundPrice   Basis = "roundPrice"
)

// Convertible is a SAFE or a note that converts in a round, on the term with the most shares. Zero fields are
// absent terms.
type Convertible struct {
	// ID identifies the instrument within the round.
	ID string
	// Amount is the converting amount: the purchase amount, or principal plus interest.
	Amount *big.Rat
	// Cap is a valuation, and CapBasis its capitalization. The default is PostMoney.
	Cap      exact.Decimal
	CapBasis CapBasis
	// Discount is the discount on the price of the round: 0.20 is 20 %.
	Discount exact.Decimal
	// FixedPercent is a fixed fraction of the company before the new money.
	FixedPercent exact.Decimal
	// FixedShares is a fixed number of shares that overrides the other terms, or nil.
	FixedShares *big.Rat
	// MFN instruments may adopt all terms of one later instrument. Elects is its ID. Without an election, the
	// instrument converts on its own terms.
	MFN    bool
	Elects string
}

// WithDefaults returns the instrument with defaults for absent terms.
func (c Convertible) WithDefaults() Convertible {
	if c.CapBasis == "" {
		c.CapBasis = PostMoney
	}
	return c
}

// Faults returns the invalid terms, with the codes required, notPositive, negative, amountReachesCap, notBelowOne
// and unknownTerm.
func (c Convertible) Faults() []Fault {
	var f faults
	c = c.WithDefaults()
	known(&f, "/capBasis", c.CapBasis, PostMoney, PreMoney)
	if c.ID == "" {
		f.add("/id", "required", "id is required.")
	}
	if c.Cap.Sign() < 0 {
		f.add("/cap", "negative", "The valuation cap must be above zero.")
	}
	f.fraction("/discount", c.Discount, "A discount")
	f.fraction("/fixedPercent", c.FixedPercent, "A fixed percentage")
	if c.FixedShares != nil && c.FixedShares.Sign() <= 0 {
		f.add("/fixedShares", "notPositive", "fixedShares must be above zero.")
	}
	switch {
	case c.Amount == nil || c.Amount.Sign() <= 0:
		f.add("/amount", "notPositive", "amount must be above zero.")
	case c.Cap.Sign() > 0 && c.Amount.Cmp(c.Cap.Rat()) >= 0:
		f.add("/amount", "amountReachesCap", "amount must be below the cap. Otherwise the instrument would own the whole company.")
	}
	return f
}

// fraction checks that a number is at least zero and less than one.
func (f *faults) fraction(pointer string, number exact.Decimal, what string) {
	switch {
	case number.Sign() < 0:
		f.add(pointer, "negative", what+" must not be negative.")
	case number.Cmp(exact.NewDecimal(1)) >= 0:
		f.add(pointer, "notBelowOne", what+" must be a fraction below 1: 0.20 for 20 %.")
	}
}

// electing returns the instrument with the elected terms and its own amount. The election must be valid, see
// [Round.Faults].
func (c Convertible) electing(all []Convertible) Convertible {
	if c.Elects == "" {
		return c
	}
	i := slices.IndexFunc(all, func(other Convertible) bool { return other.ID == c.Elects })
	c.Cap, c.CapBasis, c.Discount = all[i].Cap, all[i].CapBasis, all[i].Discount
	return c
}

// electionFaults checks the election of an instrument against the later instruments, with the codes notMFN,
// notLater and unsupportedTerms. Pre-money terms cannot be elected. Without an election, the instrument converts
// on its own terms, independent of later issues. See ruling 35.
func (c Convertible) electionFaults(later []Convertible) []Fault {
	var f faults
	i := slices.IndexFunc(later, func(other Convertible) bool { return other.ID == c.Elects })
	switch {
	case c.Elects == "":
	case !c.MFN:
		f.add("/elects", "notMFN", "Only an MFN instrument can elect the terms of another.")
	case i < 0:
		f.add("/elects", "notLater", "The elected instrument must be issued later.")
	case later[i].isPreMoney() || later[i].MFN || later[i].FixedPercent.Sign() != 0 || later[i].FixedShares != nil:
		f.add("/elects", "unsupportedTerms", "The elected instrument must have a post-money cap, a discount, or both.")
	}
	return f
}

// isPreMoney reports whether the instrument has a pre-money cap of its own.
func (c Convertible) isPreMoney() bool {
	return c.Cap.Sign() > 0 && c.CapBasis == PreMoney && !c.MFN
}
