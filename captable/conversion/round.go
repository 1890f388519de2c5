package conversion

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable/exact"
)

// Convention determines the denominator of the pre-money valuation. Each convention results in a different price
// for the same facts.
type Convention string

// The pricing conventions.
const (
	// SafesInsidePreMoney divides by all shares before the new money, including conversions: new money buys
	// exactly its fraction of the post-money valuation.
	SafesInsidePreMoney Convention = "safesInsidePreMoney"
	// PreMoneyMethod divides by the shares without conversions, which dilute old and new holders alike.
	PreMoneyMethod Convention = "preMoneyMethod"
	// DollarsInvested adds the converting amounts to the valuation: the discounts dilute old and new holders
	// alike.
	DollarsInvested Convention = "dollarsInvested"
)

// Company is the capitalization before a round, in whole shares.
type Company struct {
	// Common is the number of outstanding shares, with preferred shares as converted.
	Common exact.Decimal
	// OptionsGranted are outstanding grants and warrants. OptionsPromised are promised in addition to the pool.
	OptionsGranted, OptionsPromised exact.Decimal
	// PoolAvailable is the number of pool shares available for grants.
	PoolAvailable exact.Decimal
}

// Pool is the growth of the pool from the pre-money valuation, up to a target or by an increase. The zero Pool
// does not grow.
type Pool struct {
	// Target is the available fraction of all shares after the round. It never reduces the pool.
	Target exact.Decimal
	// Increase is a number of shares.
	Increase exact.Decimal
}

// Investment is the new money of one investor.
type Investment struct {
	ID     string
	Amount exact.Decimal
}

// Participation is the pro rata right of a holder: to buy the fraction of the round's shares that the holder owned
// of the company capitalization before the new money. The purchase is part of the round, and reduces the
// allocations of the investors in proportion.
type Participation struct {
	ID string
	// Shares are existing shares. Convertibles are the holder's instruments that convert in the round.
	Shares       exact.Decimal
	Convertibles []string
}

// Round is a priced round to be solved: price, pool and all conversions depend on one another.
type Round struct {
	Company Company
	// Convertibles are in order of issue.
	Convertibles []Convertible
	// Exactly one of PreMoney, PostMoney and PricePerShare is nonzero.
	PreMoney, PostMoney, PricePerShare exact.Decimal
	Convention                         Convention
	NewMoney                           []Investment
	Pool                               Pool
	ProRata                            []Participation
	// Fractional allows fractional shares in the company.
	Fractional bool
}

// WithDefaults returns the round with defaults for absent terms.
func (r Round) WithDefaults() Round {
	if r.Convention == "" {
		r.Convention = SafesInsidePreMoney
	}
	r.Convertibles = slices.Clone(r.Convertibles)
	for i, c := range r.Convertibles {
		r.Convertibles[i] = c.WithDefaults()
	}
	return r
}

// Faults returns all errors in the input, with the codes of [Convertible.Faults] and of elections, and notWhole,
// noShares, exactlyOne, twice, unknownConvertible, moreThanAll and notAboveMoney. Only [Round.Solve] detects
// contradictory terms.
func (r Round) Faults() []Fault {
	var f faults
	r = r.WithDefaults()
	f.within("/company", r.Company.faults(r.Fractional))
	f.within("", r.convertibleFaults())
	f.within("", r.priceFaults())
	f.within("/pool", r.Pool.faults(r.Fractional))
	f.within("", r.proRataFaults())
	return f
}

func (c Company) faults(fractional bool) []Fault {
	var f faults
	f.shares("/common", c.Common, fractional)
	f.shares("/optionsGranted", c.OptionsGranted, fractional)
	f.shares("/optionsPromised", c.OptionsPromised, fractional)
	f.shares("/poolAvailable", c.PoolAvailable, fractional)
	if len(f) == 0 && c.total().Sign() == 0 {
		f.add("/common", "noShares", "The company must have shares.")
	}
	return f
}

// shares checks a number of shares.
func (f *faults) shares(pointer string, number exact.Decimal, fractional bool) {
	if number.Sign() < 0 {
		f.add(pointer, "negative", "The number of shares must not be negative.")
	}
	if !fractional && !number.IsWhole() {
		f.add(pointer, "notWhole", "The number of shares must be whole.")
	}
}

// base returns the shares without the pool.
func (c Company) base() *big.Rat {
	return c.Common.Add(c.OptionsGranted).Add(c.OptionsPromised).Rat()
}

// total returns the capitalization before the round.
func (c Company) total() *big.Rat {
	return new(big.Rat).Add(c.base(), c.PoolAvailable.Rat())
}

// convertibleFaults returns the faults of the convertibles. An election must name a later instrument, like the
// right of a most favored nation.
func (r Round) convertibleFaults() []Fault {
	var f faults
	seen := map[string]bool{}
	for i, c := range r.Convertibles {
		at := "/convertibles/" + strconv.Itoa(i)
		f.within(at, c.Faults())
		f.within(at, c.electionFaults(r.Convertibles[i+1:]))
		if seen[c.ID] {
			f.add(at+"/id", "twice", "Another instrument of the round has this id.")
		}
		seen[c.ID] = true
	}
	return f
}

// priceFaults returns the faults of the pricing. Each of the three values determines the other two.
func (r Round) priceFaults() []Fault {
	var f faults
	known(&f, "/convention", r.Convention, SafesInsidePreMoney, PreMoneyMethod, DollarsInvested)
	given := 0
	for _, value := range []exact.Decimal{r.PreMoney, r.PostMoney, r.PricePerShare} {
		if value.Sign() < 0 {
			f.add("/preMoney", "negative", "The valuation or price must be above zero.")
		}
		if !value.IsZero() {
			given++
		}
	}
	if given != 1 {
		f.add("/preMoney", "exactlyOne", "Exactly one of preMoney, postMoney and pricePerShare is required.")
	}
	for i, money := range r.NewMoney {
		if money.Amount.Sign() <= 0 {
			f.add("/newMoney/"+strconv.Itoa(i)+"/amount", "notPositive", "The amount must be above zero.")
		}
	}
	if r.PostMoney.Sign() > 0 && r.PostMoney.Rat().Cmp(r.money()) <= 0 {
		f.add("/postMoney", "notAboveMoney", "postMoney must exceed the new money.")
	}
	return f
}

// money returns the total new money.
func (r Round) money() *big.Rat {
	sum := new(big.Rat)
	for _, money := range r.NewMoney {
		sum.Add(sum, money.Amount.Rat())
	}
	return sum
}

func (p Pool) faults(fractional bool) []Fault {
	var f faults
	f.fraction("/target", p.Target, "The target of a pool")
	f.shares("/increase", p.Increase, fractional)
	if p.Target.Sign() > 0 && p.Increase.Sign() > 0 {
		f.add("/increase", "exactlyOne", "target and increase exclude each other.")
	}
	return f
}

// proRataFaults returns the faults of the pro rata rights: no duplicates, and together at most the whole company.
func (r Round) proRataFaults() []Fault {
	var f faults
	if len(r.ProRata) > 0 && len(r.NewMoney) == 0 {
		f.add("/proRata", "required", "A pro rata right requires new money.")
	}
	held, claimed := new(big.Rat), map[string]bool{}
	for i, right := range r.ProRata {
		held.Add(held, right.Shares.Rat())
		at := "/proRata/" + strconv.Itoa(i)
		f.shares(at+"/shares", right.Shares, true)
		for n, id := range right.Convertibles {
			if !slices.ContainsFunc(r.Convertibles, func(c Convertible) bool { return c.ID == id }) {
				f.add(at+"/convertibles/"+strconv.Itoa(n), "unknownConvertible", "The instrument does not convert in this round.")
			}
			if claimed[id] {
				f.add(at+"/convertibles/"+strconv.Itoa(n), "twice", "The instrument is listed twice.")
			}
			claimed[id] = true
		}
	}
	if held.Cmp(r.Company.total()) > 0 {
		f.add("/proRata", "moreThanAll", "The pro rata rights exceed the shares of the company.")
	}
	return f
}
