package captable

import (
	"maps"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// FixedConversion is what a convertible becomes whatever a round pays: exactly one of a
// price, a number of shares and a part of the company.
type FixedConversion struct {
	Security SecurityID `json:"security"`
	// Price is what a share costs of the balance, in the currency of the principal.
	Price *Decimal `json:"price,omitempty"`
	// Shares is how many the whole principal gives.
	Shares *Decimal `json:"shares,omitempty"`
	// Fraction is the part of the fully diluted company that the whole principal gives.
	Fraction *Decimal `json:"fraction,omitempty"`
}

// ConvertibleTerms say how a principal grows and converts.
type ConvertibleTerms struct {
	MaturityDate Date `json:"maturityDate,omitzero"`
	// Interest is what a debt bears; nil for none.
	Interest *conversion.Interest `json:"interest,omitempty"`
	// ValuationCap is the most that the company counts as worth, in the currency of the principal.
	ValuationCap *Price `json:"valuationCap,omitempty"`
	// CapBasis is pre or post: whether the cap is of the company before or after the
	// converting instruments.
	CapBasis string `json:"capBasis,omitempty"`
	// Discount is what is taken off a round's price: 0.20 is 20 % off.
	Discount *Decimal `json:"discount,omitempty"`
	// MFN lets the holder take the terms of one later instrument (most favoured nation).
	MFN bool `json:"mfn,omitempty"`
	// ProRata lets the holder take part in a round as far as they own the company.
	ProRata bool `json:"proRata,omitempty"`
	// ExitMultiple is how many times the principal a sale of the company pays at least.
	ExitMultiple *Decimal `json:"exitMultiple,omitempty"`
	// Seniority orders payment at an exit: the higher is paid first.
	Seniority       *int             `json:"seniority,omitempty"`
	FixedConversion *FixedConversion `json:"fixedConversion,omitempty"`
	// ConversionTerms are the agreement's own words.
	ConversionTerms string `json:"conversionTerms,omitempty"`
}

// WarrantTerms say at which price and until when shares may be bought.
type WarrantTerms struct {
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// ExpirationDate is the last day on which it is exercised; none: never.
	ExpirationDate Date `json:"expirationDate,omitzero"`
	// Coverage is the part of what the holder invested for which shares may be bought,
	// as long as no quantity is stated.
	Coverage *Decimal `json:"coverage,omitempty"`
}

// InstrumentTerms are the fields of an instrument that move no quantity and no principal.
type InstrumentTerms struct { //nolint:recvcheck // settled gives a changed copy, the checks only look
	ConvertibleTerms
	WarrantTerms
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
	// Block is the id of a funding round, or a word for one that has no record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// settled gives the terms as they are kept: defaults spelled out, and prices in the
// organization's own currency unmarked.
func (t InstrumentTerms) settled(facts InstrumentFacts, m Moment) InstrumentTerms {
	t.ExercisePrice = t.ExercisePrice.in(m.Currency)
	if facts.Principal != nil {
		t.ValuationCap = t.ValuationCap.in(facts.Principal.Currency)
	}
	if t.Interest != nil {
		t.Interest = new(t.Interest.WithDefaults())
	}
	if t.ValuationCap != nil && t.CapBasis == "" {
		t.CapBasis = "pre"
		if facts.Kind == KindSAFE { // as the standard form has it since 2018
			t.CapBasis = "post"
		}
	}
	return t
}

// check notes what is wrong with the terms of such an instrument, and links them to the
// funding round that they name.
func (t *InstrumentTerms) check(s *State, faults *Faults, facts InstrumentFacts) {
	if facts.convertible() {
		t.ConvertibleTerms.check(s, faults, facts)
		t.WarrantTerms.absent(faults)
	} else {
		t.WarrantTerms.check(faults, facts)
		t.ConvertibleTerms.absent(faults)
	}
	t.Block = s.linked(faults, "/block", t.Block)
}

// check notes what is wrong with the terms for a convertible of the facts. A cap is
// compared with prices, so that it is in the currency of the principal.
func (t *ConvertibleTerms) check(s *State, faults *Faults, facts InstrumentFacts) {
	if !t.MaturityDate.IsZero() && t.MaturityDate < facts.IssueDate {
		faults.Add("/maturityDate", "datesOutOfOrder", "It falls due before it was issued, "+facts.IssueDate.String()+".")
	}
	if t.Interest != nil {
		if facts.Kind == KindSAFE {
			faults.Add("/interest", "notOfThisKind", "A SAFE is no debt: it bears no interest.")
		}
		for _, fault := range t.Interest.Faults() {
			faults.Add("/interest"+fault.Pointer, fault.Code, fault.Message)
		}
	}
	if limit := t.ValuationCap; limit != nil {
		checkPositive(faults, "/valuationCap", &limit.Amount)
		if limit.Currency != "" {
			faults.Add("/valuationCap/currency", "otherCurrency", "The cap is in the currency of the principal.")
		}
	}
	if !slices.Contains([]string{"", "pre", "post"}, t.CapBasis) {
		faults.Add("/capBasis", "enum", "The basis of a cap is pre or post.")
	}
	if t.Discount != nil {
		checkFraction(faults, "/discount", *t.Discount)
	}
	checkPositive(faults, "/exitMultiple", t.ExitMultiple)
	t.FixedConversion.check(s, faults)
}

// checkGrowth notes a debt that interest has let grow beyond any number by now. What grows so in the future is told as
// the largest number there is.
func (t *ConvertibleTerms) checkGrowth(faults *Faults, facts InstrumentFacts, m Moment) {
	if t.Interest == nil || facts.Principal == nil || len(*faults) > 0 {
		return
	}
	accrued := t.Interest.Accrued(facts.Principal.Amount, facts.IssueDate, exact.DateOf(m.Now))
	if held(accrued).Equal(exact.Largest()) {
		faults.Add("/interest", "range", "By now the interest would have more than 19 digits.")
	}
}

// checkFraction notes what is no part of a whole, which itself is none.
func checkFraction(faults *Faults, pointer string, part Decimal) {
	switch {
	case part.Sign() < 0:
		faults.Add(pointer, "negative", "It is zero or more.")
	case part.Cmp(exact.NewDecimal(1)) >= 0:
		faults.Add(pointer, "notBelowOne", "It is a fraction below 1: 0.20 is 20 %.")
	}
}

func checkPositive(faults *Faults, pointer string, number *Decimal) {
	if number != nil && number.Sign() <= 0 {
		faults.Add(pointer, "notPositive", "It must be more than zero.")
	}
}

// check notes what is wrong with a conversion that is agreed beforehand: at a price, into a
// number of shares, or into a part of the company.
func (c *FixedConversion) check(s *State, faults *Faults) {
	if c == nil {
		return
	}
	security, known := s.Security(c.Security)
	if !known {
		faults.Add("/fixedConversion/security", "unknownReference", "There is no such security.")
	}
	ways := 0
	for _, way := range []*Decimal{c.Price, c.Shares, c.Fraction} {
		if way != nil {
			ways++
		}
	}
	if ways != 1 {
		faults.Add("/fixedConversion", "required", "It is a price, a number of shares or a fraction: one of them.")
	}
	checkPositive(faults, "/fixedConversion/price", c.Price)
	if c.Shares != nil {
		checkShares(faults, "/fixedConversion/shares", *c.Shares, security)
	}
	if c.Fraction != nil {
		checkPositive(faults, "/fixedConversion/fraction", c.Fraction)
		checkFraction(faults, "/fixedConversion/fraction", *c.Fraction)
	}
}

func (t *WarrantTerms) check(faults *Faults, facts InstrumentFacts) {
	checkPrice(faults, "/exercisePrice", t.ExercisePrice)
	if t.ExercisePrice == nil {
		faults.Add("/exercisePrice", "required", "A warrant has a price; for nothing is \"0\".")
	}
	if !t.ExpirationDate.IsZero() && t.ExpirationDate < facts.IssueDate {
		faults.Add("/expirationDate", "datesOutOfOrder", "It expires before it was issued, "+facts.IssueDate.String()+".")
	}
	checkPositive(faults, "/coverage", t.Coverage)
	if t.Coverage == nil && facts.Quantity.IsZero() {
		faults.Add("/quantity", "required", "A warrant is for a quantity or has a coverage.")
	}
}

// absent notes what a warrant does not have.
func (t *ConvertibleTerms) absent(faults *Faults) {
	notOf(faults, "A warrant has none.", map[string]bool{
		"/maturityDate": !t.MaturityDate.IsZero(), "/interest": t.Interest != nil, "/valuationCap": t.ValuationCap != nil,
		"/capBasis": t.CapBasis != "", "/discount": t.Discount != nil, "/mfn": t.MFN, "/proRata": t.ProRata, "/exitMultiple": t.ExitMultiple != nil,
		"/seniority": t.Seniority != nil, "/fixedConversion": t.FixedConversion != nil, "/conversionTerms": t.ConversionTerms != "",
	})
}

// absent notes what a convertible does not have.
func (t *WarrantTerms) absent(faults *Faults) {
	notOf(faults, "A convertible has none.", map[string]bool{
		"/exercisePrice": t.ExercisePrice != nil, "/expirationDate": !t.ExpirationDate.IsZero(), "/coverage": t.Coverage != nil,
	})
}

// notOf notes the fields that are there and should not be, in the order of their names.
func notOf(faults *Faults, message string, present map[string]bool) {
	for _, pointer := range slices.Sorted(maps.Keys(present)) {
		if present[pointer] {
			faults.Add(pointer, "notOfThisKind", message)
		}
	}
}
