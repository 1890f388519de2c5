package conversion

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable/exact"
)

// Convention says what the pre-money valuation is divided by. On the same facts each
// gives another price.
type Convention string

// The conventions of pricing.
const (
	// SafesInsidePreMoney divides by all shares before the new money, those of the
	// conversions included: new money buys exactly its part of the post-money valuation.
	SafesInsidePreMoney Convention = "safesInsidePreMoney"
	// PreMoneyMethod divides by the shares without the conversions, which dilute old
	// and new holders alike.
	PreMoneyMethod Convention = "preMoneyMethod"
	// DollarsInvested adds what converts to the valuation, dollar for dollar: the
	// discounts dilute old and new holders alike.
	DollarsInvested Convention = "dollarsInvested"
)

// Company is the capitalization before a round, in whole shares.
type Company struct {
	// Common are all outstanding shares, preferred ones as converted.
	Common exact.Decimal
	// OptionsGranted are outstanding grants and warrants; OptionsPromised are promised
	// beyond the pool.
	OptionsGranted, OptionsPromised exact.Decimal
	// PoolAvailable is what is left of the pool to grant.
	PoolAvailable exact.Decimal
}

// Pool says how the pool grows, out of the pre-money valuation: up to a target or by an
// increase. Zero is none.
type Pool struct {
	// Target is the part of all shares after the round that is left to grant. It never
	// makes a pool smaller.
	Target exact.Decimal
	// Increase is a number of shares.
	Increase exact.Decimal
}

// Investment is the new money of one investor.
type Investment struct {
	ID     string
	Amount exact.Decimal
}

// Participation is the pro rata right of a holder: to buy of the round's shares what the
// holder owned of the company capitalization before the new money. It is bought inside
// the round: the other investors make room, in proportion.
type Participation struct {
	ID string
	// Shares are held already; Convertibles are the holder's that convert in the round.
	Shares       exact.Decimal
	Convertibles []string
}

// Round is a priced round to be solved: price, pool and all conversions depend on one
// another.
type Round struct {
	Company Company
	// Convertibles are in the order of their issue.
	Convertibles []Convertible
	// PreMoney, PostMoney or PricePerShare is given, the other two are zero.
	PreMoney, PostMoney, PricePerShare exact.Decimal
	Convention                         Convention
	NewMoney                           []Investment
	Pool                               Pool
	ProRata                            []Participation
	// Fractional allows a company with fractions of a share.
	Fractional bool
}

// WithDefaults gives the round with what was left open.
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

// Faults lists all that keeps the round from being computed: the codes of
// [Convertible.Faults] and of elections, and notWhole, noShares, exactlyOne, twice,
// unknownConvertible, moreThanAll, notAboveMoney. Whether the terms contradict one another, only
// [Round.Solve] tells.
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
		f.add("/common", "noShares", "A company without shares has no price a share.")
	}
	return f
}

// shares checks a number of shares.
func (f *faults) shares(pointer string, number exact.Decimal, fractional bool) {
	if number.Sign() < 0 {
		f.add(pointer, "negative", "A number of shares is zero or more.")
	}
	if !fractional && !number.IsWhole() {
		f.add(pointer, "notWhole", "Shares are whole here.")
	}
}

// base is all but the pool.
func (c Company) base() *big.Rat {
	return c.Common.Add(c.OptionsGranted).Add(c.OptionsPromised).Rat()
}

// total is the capitalization before the round.
func (c Company) total() *big.Rat {
	return new(big.Rat).Add(c.base(), c.PoolAvailable.Rat())
}

// convertibleFaults lists what is wrong with what converts. An election names an instrument that
// was issued later, as a most favored nation's right does.
func (r Round) convertibleFaults() []Fault {
	var f faults
	seen := map[string]bool{}
	for i, c := range r.Convertibles {
		at := "/convertibles/" + strconv.Itoa(i)
		f.within(at, c.Faults())
		f.within(at, c.electionFaults(r.Convertibles[i+1:]))
		if seen[c.ID] {
			f.add(at+"/id", "twice", "Another instrument of the round has this name.")
		}
		seen[c.ID] = true
	}
	return f
}

// priceFaults lists what is wrong with how the round is priced: each of the three ways gives the
// other two.
func (r Round) priceFaults() []Fault {
	var f faults
	known(&f, "/convention", r.Convention, SafesInsidePreMoney, PreMoneyMethod, DollarsInvested)
	given := 0
	for _, value := range []exact.Decimal{r.PreMoney, r.PostMoney, r.PricePerShare} {
		if value.Sign() < 0 {
			f.add("/preMoney", "negative", "A valuation and a price are above zero.")
		}
		if !value.IsZero() {
			given++
		}
	}
	if given != 1 {
		f.add("/preMoney", "exactlyOne", "A round is priced by its pre-money, its post-money or its price a share: one of them.")
	}
	for i, money := range r.NewMoney {
		if money.Amount.Sign() <= 0 {
			f.add("/newMoney/"+strconv.Itoa(i)+"/amount", "notPositive", "New money is above zero.")
		}
	}
	if r.PostMoney.Sign() > 0 && r.PostMoney.Rat().Cmp(r.money()) <= 0 {
		f.add("/postMoney", "notAboveMoney", "A post-money valuation is more than the new money in it.")
	}
	return f
}

// money is all new money.
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
		f.add("/increase", "exactlyOne", "A pool grows to a target or by an increase, not both.")
	}
	return f
}

// proRataFaults lists what is wrong with the rights to keep a part: none counts twice, and together
// they are no more than the company.
func (r Round) proRataFaults() []Fault {
	var f faults
	if len(r.ProRata) > 0 && len(r.NewMoney) == 0 {
		f.add("/proRata", "required", "A pro rata right needs new money to be bought out of.")
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
				f.add(at+"/convertibles/"+strconv.Itoa(n), "twice", "The instrument gives one pro rata right.")
			}
			claimed[id] = true
		}
	}
	if held.Cmp(r.Company.total()) > 0 {
		f.add("/proRata", "moreThanAll", "Pro rata rights are claimed for more shares than there are.")
	}
	return f
}
