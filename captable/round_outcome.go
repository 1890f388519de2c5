package captable

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// RoundOutcome is the outcome of a planned round. Figures are rounded once: shares down, prices
// half up.
type RoundOutcome struct { //nolint:recvcheck // an outcome is filled in once and then only read
	Date          Date                  `json:"date"`
	Currency      string                `json:"currency"`
	Convention    conversion.Convention `json:"convention"`
	PricePerShare Decimal               `json:"pricePerShare"`
	PreMoney      Decimal               `json:"preMoney"`
	PostMoney     Decimal               `json:"postMoney"`
	// Raised is the sum of the new money.
	Raised      Decimal           `json:"raised"`
	Conversions []RoundConversion `json:"conversions"`
	// ShadowSeries are the classes of converted shares beside the class of the round, by ascending
	// price.
	ShadowSeries []RoundSeries   `json:"shadowSeries,omitempty"`
	NewMoney     []RoundPurchase `json:"newMoney"`
	// Pool is the available quantity before and after the round.
	Pool RoundPoolOutcome `json:"pool"`
	// Capitalization is the divisor of post-money caps, and PreMoneyCapitalization that of
	// pre-money caps.
	Capitalization         Decimal `json:"capitalization"`
	PreMoneyCapitalization Decimal `json:"preMoneyCapitalization"`
	// SharesBefore and SharesAfter are the sums of the rows, fully diluted.
	SharesBefore Decimal    `json:"sharesBefore"`
	SharesAfter  Decimal    `json:"sharesAfter"`
	Ownership    []RoundRow `json:"ownership"`
	// Explanation lists the counted shares and the term that set each price, line by line.
	Explanation []string `json:"explanation"`
	// Confirm is a digest of the terms and the outcome. It changes with the cap table.
	Confirm string `json:"confirm"`
}

// RoundConversion is the conversion of one convertible.
type RoundConversion struct {
	Holding InstrumentID   `json:"holding"`
	Kind    InstrumentKind `json:"kind"`
	Entity  EntityID       `json:"entity"`
	Name    string         `json:"name"`
	// Amount is the converted amount, and Interest the part of it that is interest.
	Amount   Decimal `json:"amount"`
	Interest Decimal `json:"interest"`
	// Basis is the term that set the price. Elects is the holding whose term was elected.
	Basis  conversion.Basis `json:"basis"`
	Elects InstrumentID     `json:"elects,omitzero"`
	Price  Decimal          `json:"price"`
	Shares Decimal          `json:"shares"`
	// Cash is the payment for the remaining fraction of a share.
	Cash Decimal `json:"cash"`
	// Offers are all terms of the convertible with their results.
	Offers []RoundOffer `json:"offers"`
}

// RoundOffer is the result of one term of a convertible.
type RoundOffer struct {
	Basis conversion.Basis `json:"basis"`
	// Capitalization is the divisor of a cap.
	Capitalization *Decimal `json:"capitalization,omitempty"`
	Price          Decimal  `json:"price"`
	Shares         Decimal  `json:"shares"`
}

// RoundPurchase is the purchase of one investor.
type RoundPurchase struct {
	Entity EntityID `json:"entity,omitzero"`
	Name   string   `json:"name"`
	Amount Decimal  `json:"amount"`
	Shares Decimal  `json:"shares"`
	// Unspent is the rest of the amount, which is too small for another share.
	Unspent Decimal `json:"unspent"`
	// ProRata marks a purchase by a pro rata right.
	ProRata bool `json:"proRata,omitempty"`
}

// RoundPoolOutcome is the available quantity of the pools.
type RoundPoolOutcome struct {
	Before   Decimal `json:"before"`
	Increase Decimal `json:"increase"`
	After    Decimal `json:"after"`
}

// figure rounds an exact number to the decimal places of the contract.
func figure(r *big.Rat) Decimal { return exact.RoundHalfUp(r, exact.Places) }

// outcome returns the rounded solution.
func (r *round) outcome(solved conversion.Solution, name func(EntityID) string) RoundOutcome {
	out := RoundOutcome{
		Date: r.terms.Date, Currency: r.currency, Convention: r.problem.WithDefaults().Convention,
		PricePerShare: figure(solved.Price), PreMoney: figure(solved.PreMoney), PostMoney: figure(solved.PostMoney),
		Capitalization: figure(solved.Capitalization), PreMoneyCapitalization: figure(solved.PreMoneyCapitalization),
		Conversions: []RoundConversion{}, NewMoney: []RoundPurchase{}, Explanation: solved.Explanation,
	}
	increase := exact.RoundDown(solved.PoolIncrease, r.places)
	out.Pool = RoundPoolOutcome{r.company.PoolAvailable, increase, r.company.PoolAvailable.Add(increase)}
	for i, c := range solved.Conversions {
		out.Conversions = append(out.Conversions, r.converted(r.converts[i], c, name))
	}
	out.addSeries(r)
	for i, purchase := range solved.NewMoney {
		made := r.bought(r.buyer(i), purchase, solved.Price)
		out.Raised = out.Raised.Add(made.Amount)
		out.NewMoney = append(out.NewMoney, made)
	}
	out.addOwnership(r, name)
	out.Confirm = out.digest(r.terms)
	return out
}

// buyer returns the party of a purchase. The investors come first, then the holders of pro rata
// rights.
func (r *round) buyer(i int) party {
	if i < len(r.investors) {
		return r.investors[i]
	}
	return r.rights[i-len(r.investors)]
}

// converted returns the conversion of a convertible, rounded here for the first time, with the
// offers of all its terms. The best offer was taken.
func (r *round) converted(i *Instrument, c conversion.Conversion, name func(EntityID) string) RoundConversion {
	shares := exact.RoundDown(c.Shares, r.places)
	out := RoundConversion{
		Holding: i.ID, Kind: i.Kind, Entity: i.Entity, Name: name(i.Entity), Amount: figure(c.Amount), Basis: c.Basis,
		Interest: figure(new(big.Rat).Sub(c.Amount, i.Owed(r.terms.Date).Principal)),
		Price:    figure(c.Price), Shares: shares, Cash: rest(c.Shares, shares, c.Price), Offers: []RoundOffer{},
	}
	if c.Elects != "" {
		out.Elects = r.elected(i.ID)
	}
	for _, offer := range c.Offers {
		told := RoundOffer{Basis: offer.Basis, Price: figure(offer.Price), Shares: exact.RoundDown(offer.Shares, exact.Places)}
		if offer.Capitalization != nil {
			told.Capitalization = new(figure(offer.Capitalization))
		}
		out.Offers = append(out.Offers, told)
	}
	return out
}

// rest returns the value of the fraction that was rounded off, in whole cents.
func rest(all *big.Rat, given Decimal, price *big.Rat) Decimal {
	whole := given.Rat()
	left, taken := new(big.Int).Mul(all.Num(), whole.Denom()), new(big.Int).Mul(whole.Num(), all.Denom())
	left.Sub(left, taken)
	unit := new(big.Int).Mul(all.Denom(), whole.Denom())
	return exact.RoundFraction(left.Mul(left, price.Num()), unit.Mul(unit, price.Denom()), centPlaces)
}

// centPlaces is the number of decimal places of a payment.
const centPlaces = 2

func (r *round) elected(by InstrumentID) InstrumentID {
	for _, election := range r.terms.Convertibles {
		if election.Holding == by {
			return election.Elects
		}
	}
	return InstrumentID{}
}

func (r *round) bought(by party, purchase conversion.Purchase, price *big.Rat) RoundPurchase {
	shares := exact.RoundDown(purchase.Shares, r.places)
	return RoundPurchase{
		Entity: by.entity, Name: by.name, Amount: figure(purchase.Amount), Shares: shares,
		Unspent: rest(purchase.Shares, shares, price), ProRata: purchase.ProRata,
	}
}

// digest returns the hash of the terms and the outcome.
func (o RoundOutcome) digest(terms RoundTerms) string {
	o.Confirm = ""
	text, err := json.Marshal(struct {
		Terms   RoundTerms
		Outcome RoundOutcome
	}{terms, o})
	if err != nil {
		panic("captable: a round cannot be written: " + err.Error()) // the value contains only numbers and texts
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// RoundRow is one row of the ownership before and after a round: a holder with all shares as
// converted, options and warrants; the promised options; or the available pools. Each column of
// percentages sums to exactly 1.
type RoundRow struct {
	// Kind is holder, promised or pool.
	Kind          string   `json:"kind"`
	Entity        EntityID `json:"entity,omitzero"`
	Name          string   `json:"name"`
	SharesBefore  Decimal  `json:"sharesBefore"`
	SharesAfter   Decimal  `json:"sharesAfter"`
	PercentBefore Decimal  `json:"percentBefore"`
	PercentAfter  Decimal  `json:"percentAfter"`
}

// The kinds of rows.
const (
	rowHolder   = "holder"
	rowPromised = "promised"
	rowPool     = "pool"
)

// addOwnership sets the rows and their sums. The holders come first, in descending order of their
// shares after the round, then the promised options and the pool.
func (o *RoundOutcome) addOwnership(r *round, name func(EntityID) string) {
	rows := map[party]*RoundRow{}
	row := func(by party) *RoundRow {
		if !by.entity.IsZero() {
			by.name = name(by.entity)
		}
		if rows[by] == nil {
			rows[by] = &RoundRow{Kind: rowHolder, Entity: by.entity, Name: by.name}
		}
		return rows[by]
	}
	for entity, shares := range r.shares {
		one := row(party{entity: entity})
		one.SharesBefore, one.SharesAfter = shares, shares
	}
	for _, c := range o.Conversions {
		one := row(party{entity: c.Entity})
		one.SharesAfter = one.SharesAfter.Add(c.Shares)
	}
	for _, purchase := range o.NewMoney {
		one := row(party{purchase.Entity, purchase.Name})
		one.SharesAfter = one.SharesAfter.Add(purchase.Shares)
	}
	o.Ownership = make([]RoundRow, 0, len(rows))
	for _, one := range rows {
		o.Ownership = append(o.Ownership, *one)
	}
	slices.SortFunc(o.Ownership, func(a, b RoundRow) int {
		return cmp.Or(b.SharesAfter.Cmp(a.SharesAfter), bytes.Compare(a.Entity[:], b.Entity[:]), cmp.Compare(a.Name, b.Name))
	})
	o.addReserved(r)
	o.addSums()
}

// addReserved adds the rows without a holder, unless they are zero.
func (o *RoundOutcome) addReserved(r *round) {
	promised := r.terms.OptionsPromised
	for _, one := range []RoundRow{
		{Kind: rowPromised, Name: "Options promised", SharesBefore: promised, SharesAfter: promised},
		{Kind: rowPool, Name: "Left in the pools", SharesBefore: o.Pool.Before, SharesAfter: o.Pool.After},
	} {
		if !one.SharesAfter.IsZero() {
			o.Ownership = append(o.Ownership, one)
		}
	}
}

func (o *RoundOutcome) addSums() {
	var before, after []Decimal
	for _, one := range o.Ownership {
		before, after = append(before, one.SharesBefore), append(after, one.SharesAfter)
		o.SharesBefore, o.SharesAfter = o.SharesBefore.Add(one.SharesBefore), o.SharesAfter.Add(one.SharesAfter)
	}
	before, after = exact.Percentages(before), exact.Percentages(after)
	for i := range o.Ownership {
		o.Ownership[i].PercentBefore, o.Ownership[i].PercentAfter = before[i], after[i]
	}
}
