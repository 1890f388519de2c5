package captable

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// RoundOutcome is what would come of a round: rounded once, shares down, prices half up.
type RoundOutcome struct { //nolint:recvcheck // an outcome is filled in once, then only looked at
	Date          Date                  `json:"date"`
	Currency      string                `json:"currency"`
	Convention    conversion.Convention `json:"convention"`
	PricePerShare Decimal               `json:"pricePerShare"`
	PreMoney      Decimal               `json:"preMoney"`
	PostMoney     Decimal               `json:"postMoney"`
	// Raised is all new money.
	Raised      Decimal           `json:"raised"`
	Conversions []RoundConversion `json:"conversions"`
	NewMoney    []RoundPurchase   `json:"newMoney"`
	// Pool is what is left to grant, before and after.
	Pool RoundPoolOutcome `json:"pool"`
	// Capitalization is what post-money caps are divided by, PreMoneyCapitalization what
	// pre-money caps are.
	Capitalization         Decimal `json:"capitalization"`
	PreMoneyCapitalization Decimal `json:"preMoneyCapitalization"`
	// SharesBefore and SharesAfter are the sums of the rows, fully diluted.
	SharesBefore Decimal    `json:"sharesBefore"`
	SharesAfter  Decimal    `json:"sharesAfter"`
	Ownership    []RoundRow `json:"ownership"`
	// Explanation says line by line what counted and which term set which price.
	Explanation []string `json:"explanation"`
	// Confirm stands for the terms, the outcome and the table that it came from: the same
	// round over another table has another.
	Confirm string `json:"confirm"`
}

// RoundConversion is what one convertible becomes.
type RoundConversion struct {
	Holding InstrumentID   `json:"holding"`
	Kind    InstrumentKind `json:"kind"`
	Entity  EntityID       `json:"entity"`
	Name    string         `json:"name"`
	// Amount is what converts, Interest the part of it that is interest.
	Amount   Decimal `json:"amount"`
	Interest Decimal `json:"interest"`
	// Basis is the term that set the price; Elects the holding whose term it is.
	Basis  conversion.Basis `json:"basis"`
	Elects InstrumentID     `json:"elects,omitzero"`
	Price  Decimal          `json:"price"`
	Shares Decimal          `json:"shares"`
	// Cash is paid for the fraction of a share that is left.
	Cash Decimal `json:"cash"`
	// Offers are all its terms with what each would give.
	Offers []RoundOffer `json:"offers"`
}

// RoundOffer is what one term of a convertible gives.
type RoundOffer struct {
	Basis conversion.Basis `json:"basis"`
	// Capitalization is what a cap was divided by.
	Capitalization *Decimal `json:"capitalization,omitempty"`
	Price          Decimal  `json:"price"`
	Shares         Decimal  `json:"shares"`
}

// RoundPurchase is what new money buys.
type RoundPurchase struct {
	Entity EntityID `json:"entity,omitzero"`
	Name   string   `json:"name"`
	Amount Decimal  `json:"amount"`
	Shares Decimal  `json:"shares"`
	// Unspent is too little for another share.
	Unspent Decimal `json:"unspent"`
	// ProRata marks a purchase by right of what the buyer held.
	ProRata bool `json:"proRata,omitempty"`
}

// RoundPoolOutcome is what is left to grant.
type RoundPoolOutcome struct {
	Before   Decimal `json:"before"`
	Increase Decimal `json:"increase"`
	After    Decimal `json:"after"`
}

// figure rounds what is exact to the places of the contract.
func figure(r *big.Rat) Decimal { return exact.RoundHalfUp(r, exact.Places) }

// outcome rounds the solution.
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
	for i, purchase := range solved.NewMoney {
		made := r.bought(r.buyer(i), purchase, solved.Price)
		out.Raised = out.Raised.Add(made.Amount)
		out.NewMoney = append(out.NewMoney, made)
	}
	out.addOwnership(r, name)
	out.Confirm = out.digest(r.terms)
	return out
}

// buyer is the party of a purchase: the investors come first, then who has a right.
func (r *round) buyer(i int) party {
	if i < len(r.investors) {
		return r.investors[i]
	}
	return r.rights[i-len(r.investors)]
}

// converted tells what a convertible becomes: rounded here and nowhere before, and with the
// offers that its terms made, of which the best was taken.
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

// rest is the worth of the fraction that rounding down left, to the cent.
func rest(all *big.Rat, given Decimal, price *big.Rat) Decimal {
	left := new(big.Rat).Sub(all, given.Rat())
	return exact.RoundHalfUp(left.Mul(left, price), centPlaces)
}

// centPlaces are those of an amount that is paid out.
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

// digest gives the sum that stands for the terms and the outcome.
func (o RoundOutcome) digest(terms RoundTerms) string {
	o.Confirm = ""
	text, err := json.Marshal(struct {
		Terms   RoundTerms
		Outcome RoundOutcome
	}{terms, o})
	if err != nil {
		panic("captable: a round cannot be written: " + err.Error()) // it is numbers and texts
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
