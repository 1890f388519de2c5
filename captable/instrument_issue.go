package captable

import (
	"maps"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// IssueInstrument issues a convertible note, a SAFE, a custom agreement or a warrant to a holder.
type IssueInstrument struct {
	HolderRef
	InstrumentFacts
	InstrumentTerms
	Source *Source `json:"-"`
}

// InstrumentIssued records a new instrument.
type InstrumentIssued struct {
	InstrumentIssue
}

// EventType returns the name of the event in the journal.
func (InstrumentIssued) EventType() string { return "holdingIssued" }

// Creates returns the instrument.
func (e InstrumentIssued) Creates() []Created { return []Created{{e.ID, kindHolding}} }

// Records returns the instrument.
func (e InstrumentIssued) Records(s *State) []any { return records(s.Instrument(e.ID)) }

func (c IssueInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	issue, err := c.prepare(s, m, nil)
	if err != nil {
		return nil, err
	}
	if err := s.classes.checkReserve(issue.Security, issue.Quantity, issue.IssueDate, "/quantity"); err != nil {
		return nil, err
	}
	return []Event{InstrumentIssued{issue}}, nil
}

// prepare checks a new instrument and adds to the given faults. It does not check the available
// shares.
func (c IssueInstrument) prepare(s *State, m DecideContext, faults fault.Fields) (InstrumentIssue, error) {
	holder := c.checkHolder(&faults, m)
	m.checkDate(&faults, "/issueDate", c.IssueDate)
	c.InstrumentFacts.check(s, &faults)
	terms := c.settled(c.InstrumentFacts, m)
	terms.check(s, &faults, c.InstrumentFacts)
	terms.checkGrowth(&faults, c.InstrumentFacts, m)
	if err := faults.Err(); err != nil {
		return InstrumentIssue{}, err
	}
	if err := s.externalIDs.checkUnused(kindHolding, terms.ExternalID, [16]byte{}); err != nil {
		return InstrumentIssue{}, err
	}
	issue := InstrumentIssue{
		ID: m.NewID(), Entity: holder.Entity, InstrumentFacts: c.InstrumentFacts, InstrumentTerms: terms, OfDay: true, Source: c.Source,
	}
	if !issue.fitsAfterSplits(s) {
		return issue, fault.Refuse(fault.Conflict,
			"After the splits since "+c.IssueDate.String()+", quantity and price must fit in 19 digits before the decimal point and 10 after it.")
	}
	return issue, nil
}

// check adds the faults of the facts.
func (f *InstrumentFacts) check(s *State, faults *fault.Fields) {
	if !slices.Contains([]InstrumentKind{KindNote, KindSAFE, KindCustom, KindWarrant}, f.Kind) {
		faults.Add("/kind", "enum", "The kind must be convertibleNote, safe, custom or warrant.")
	}
	if f.IsConvertible() {
		f.checkPrincipal(faults)
		return
	}
	if f.Principal != nil {
		faults.Add("/principal", "notOfThisKind", "Remove the principal: a warrant has none.")
	}
	security, known := s.Security(f.Security)
	if !known && !f.Security.IsZero() {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	if !f.Quantity.IsZero() {
		checkShares(faults, "/quantity", f.Quantity, security)
	}
}

func (f *InstrumentFacts) checkPrincipal(faults *fault.Fields) {
	switch {
	case f.Principal == nil:
		faults.Add("/principal", "required", "The principal of the convertible is required.")
	case f.Principal.Amount.IsZero():
		faults.Add("/principal/amount", "notPositive", "The principal must be more than zero.")
	}
	f.Principal.check(faults, "/principal")
	notOf(
		faults, "Remove this field: a convertible has none.",
		map[string]bool{"/security": !f.Security.IsZero(), "/quantity": !f.Quantity.IsZero()},
	)
}

func (e InstrumentIssued) apply(s *State, stamp Stamp) {
	i := e.begun(stamp)
	e.restate(s, i, stamp)
	s.setInstrument(i, stamp)
}

// begun returns the new instrument.
func (e InstrumentIssue) begun(stamp Stamp) *Instrument {
	e.Source, e.OfDay = nil, false // the journal keeps them; the live state does not need them
	i := &Instrument{InstrumentIssue: e, Status: StatusActive, Meta: NewMeta(stamp)}
	i.open()
	return i
}

// open initializes the account of a convertible or the remaining shares of a warrant.
func (i *Instrument) open() {
	i.Account, i.Left = nil, i.Quantity
	if i.IsConvertible() && i.Principal != nil {
		i.Account = &Account{Principal: i.Principal.Amount, Since: i.IssueDate}
	}
}

// FixedConversion is the predetermined result of a conversion, independent of a round: exactly one
// of a price, a number of shares and a fraction of the company.
type FixedConversion struct {
	Security SecurityID `json:"security"`
	// Price is the price of one share, paid from the balance of the debt, in the currency of the
	// principal.
	Price *Decimal `json:"price,omitempty"`
	// Shares is the number of shares for the whole principal.
	Shares *Decimal `json:"shares,omitempty"`
	// Fraction is the fraction of the fully diluted company for the whole principal.
	Fraction *Decimal `json:"fraction,omitempty"`

	// currency is the currency of the price as it was sent. Recorded terms have none.
	currency string
}

// UnmarshalJSON parses the terms. The price is a decimal string or a [Money].
func (c *FixedConversion) UnmarshalJSON(text []byte) error {
	type plain FixedConversion
	read := struct {
		*plain
		Price *Price `json:"price"`
	}{plain: (*plain)(c)}
	if err := strictly(text, &read); err != nil {
		return err
	}
	c.currency = ""
	if read.Price != nil {
		c.Price, c.currency = &read.Price.Amount, read.Price.Currency
	}
	return nil
}

// in returns the terms without the currency of their price if it is the given one.
func (c *FixedConversion) in(currency string) *FixedConversion {
	if c == nil || c.currency != currency {
		return c
	}
	plain := *c
	plain.currency = ""
	return &plain
}

// ConvertibleTerms are the terms of interest, conversion and exit of a convertible.
type ConvertibleTerms struct {
	MaturityDate Date `json:"maturityDate,omitzero"`
	// Interest is the interest on a debt, or nil.
	Interest *conversion.Interest `json:"interest,omitempty"`
	// ValuationCap is the highest company value at which the instrument converts, in the currency
	// of the principal.
	ValuationCap *Price `json:"valuationCap,omitempty"`
	// CapBasis is pre or post: the cap values the company before or after the conversion of the
	// instruments.
	CapBasis string `json:"capBasis,omitempty"`
	// Discount is the reduction of the price of a round: 0.20 is 20 % off.
	Discount *Decimal `json:"discount,omitempty"`
	// MFN lets the holder adopt the terms of one later instrument (most favoured nation).
	MFN bool `json:"mfn,omitempty"`
	// ProRata lets the holder invest in a round in proportion to their ownership.
	ProRata bool `json:"proRata,omitempty"`
	// ExitMultiple is the minimum payment in a sale of the company, as a multiple of the
	// principal.
	ExitMultiple *Decimal `json:"exitMultiple,omitempty"`
	// Seniority is the order of payment at an exit. Higher values are paid first.
	Seniority       *int             `json:"seniority,omitempty"`
	FixedConversion *FixedConversion `json:"fixedConversion,omitempty"`
	// ConversionTerms is the wording of the agreement.
	ConversionTerms string `json:"conversionTerms,omitempty"`
}

// WarrantTerms are the price and the period of a warrant.
type WarrantTerms struct {
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// ExpirationDate is the last day of exercise. Zero means no expiry.
	ExpirationDate Date `json:"expirationDate,omitzero"`
	// Coverage is the fraction of the holder's investment for which shares may be bought. It
	// applies while no quantity is stated.
	Coverage *Decimal `json:"coverage,omitempty"`
}

// InstrumentTerms are the fields of an instrument that do not affect its quantity or principal.
type InstrumentTerms struct { //nolint:recvcheck // settled returns a changed copy; the checks only read
	ConvertibleTerms
	WarrantTerms
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
	// Block is the id of a funding round, or a free-text name for a round without a record.
	Block      string   `json:"block,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// settled returns the terms in stored form: with explicit defaults, and without the currency for
// prices in the organization's own currency.
func (t InstrumentTerms) settled(facts InstrumentFacts, m DecideContext) InstrumentTerms {
	t.ExercisePrice = t.ExercisePrice.in(m.Currency)
	if facts.Principal != nil {
		t.ValuationCap = t.ValuationCap.in(facts.Principal.Currency)
		t.FixedConversion = t.FixedConversion.in(facts.Principal.Currency)
	}
	if t.Interest != nil {
		t.Interest = new(t.Interest.WithDefaults())
	}
	if t.ValuationCap != nil && t.CapBasis == "" {
		t.CapBasis = "pre"
		if facts.Kind == KindSAFE { // the standard form since 2018
			t.CapBasis = "post"
		}
	}
	return t
}

// check adds the faults of the terms and links the funding round.
func (t *InstrumentTerms) check(s *State, faults *fault.Fields, facts InstrumentFacts) {
	if facts.IsConvertible() {
		t.ConvertibleTerms.check(s, faults, facts)
		t.WarrantTerms.absent(faults)
	} else {
		t.WarrantTerms.check(faults, facts)
		t.ConvertibleTerms.absent(faults)
	}
	t.Block = s.blocks.linked(faults, "/block", t.Block)
}

// check adds the faults of the terms for a convertible with the given facts. The cap is compared
// with prices, so it must be in the currency of the principal.
func (t *ConvertibleTerms) check(s *State, faults *fault.Fields, facts InstrumentFacts) {
	if !t.MaturityDate.IsZero() && t.MaturityDate < facts.IssueDate {
		faults.Add("/maturityDate", "datesOutOfOrder", "The maturity date must not be before the issue, "+facts.IssueDate.String()+".")
	}
	if t.Interest != nil {
		if facts.Kind == KindSAFE {
			faults.Add("/interest", "notOfThisKind", "Remove the interest: a SAFE bears none.")
		}
		for _, problem := range t.Interest.Faults() {
			faults.Add("/interest"+problem.Pointer, problem.Code, problem.Message)
		}
	}
	if limit := t.ValuationCap; limit != nil {
		checkPositive(faults, "/valuationCap", &limit.Amount)
		if limit.Currency != "" {
			faults.Add("/valuationCap/currency", "otherCurrency", "The valuation cap must be in the currency of the principal.")
		}
	}
	if !slices.Contains([]string{"", "pre", "post"}, t.CapBasis) {
		faults.Add("/capBasis", "enum", "The basis of the cap must be pre or post.")
	}
	if t.Discount != nil {
		checkFraction(faults, "/discount", *t.Discount)
	}
	checkPositive(faults, "/exitMultiple", t.ExitMultiple)
	t.FixedConversion.check(s, faults)
}

// checkGrowth adds a fault if the debt with interest exceeds the largest number by now. Amounts
// that exceed it in the future are reported as the largest number.
func (t *ConvertibleTerms) checkGrowth(faults *fault.Fields, facts InstrumentFacts, m DecideContext) {
	if t.Interest == nil || facts.Principal == nil || len(*faults) > 0 {
		return
	}
	accrued := t.Interest.Accrued(facts.Principal.Amount, facts.IssueDate, exact.DateOf(m.Now))
	if held(accrued).Equal(exact.Largest()) {
		faults.Add("/interest", "range", "The interest accrued so far must have at most 19 digits before the decimal point.")
	}
}

// checkFraction adds a fault if the number is not a fraction of at least 0 and below 1.
func checkFraction(faults *fault.Fields, pointer string, part Decimal) {
	switch {
	case part.Sign() < 0:
		faults.Add(pointer, "negative", "The fraction must not be negative.")
	case part.Cmp(exact.NewDecimal(1)) >= 0:
		faults.Add(pointer, "notBelowOne", "The fraction must be below 1: 0.20 is 20 %.")
	}
}

func checkPositive(faults *fault.Fields, pointer string, number *Decimal) {
	if number != nil && number.Sign() <= 0 {
		faults.Add(pointer, "notPositive", "The number must be more than zero.")
	}
}

// check adds the faults of a fixed conversion at a price, into a number of shares or into a
// fraction of the company.
func (c *FixedConversion) check(s *State, faults *fault.Fields) {
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
		faults.Add("/fixedConversion", "required", "Exactly one of a price, a number of shares and a fraction is required.")
	}
	checkPositive(faults, "/fixedConversion/price", c.Price)
	if c.currency != "" {
		faults.Add("/fixedConversion/price/currency", "otherCurrency", "The price must be in the currency of the principal.")
	}
	if c.Shares != nil {
		checkShares(faults, "/fixedConversion/shares", *c.Shares, security)
	}
	if c.Fraction != nil {
		checkPositive(faults, "/fixedConversion/fraction", c.Fraction)
		checkFraction(faults, "/fixedConversion/fraction", *c.Fraction)
	}
}

func (t *WarrantTerms) check(faults *fault.Fields, facts InstrumentFacts) {
	checkPrice(faults, "/exercisePrice", t.ExercisePrice)
	if t.ExercisePrice == nil {
		faults.Add("/exercisePrice", "required", "The exercise price of the warrant is required; \"0\" if the shares are free.")
	}
	if !t.ExpirationDate.IsZero() && t.ExpirationDate < facts.IssueDate {
		faults.Add("/expirationDate", "datesOutOfOrder", "The expiration date must not be before the issue, "+facts.IssueDate.String()+".")
	}
	checkPositive(faults, "/coverage", t.Coverage)
	if t.Coverage == nil && facts.Quantity.IsZero() {
		faults.Add("/quantity", "required", "The quantity or the coverage of the warrant is required.")
	}
}

// absent adds faults for terms that a warrant cannot have.
func (t *ConvertibleTerms) absent(faults *fault.Fields) {
	notOf(faults, "Remove this field: a warrant has none.", map[string]bool{
		"/maturityDate": !t.MaturityDate.IsZero(), "/interest": t.Interest != nil, "/valuationCap": t.ValuationCap != nil,
		"/capBasis": t.CapBasis != "", "/discount": t.Discount != nil, "/mfn": t.MFN, "/proRata": t.ProRata,
		"/exitMultiple": t.ExitMultiple != nil,
		"/seniority":    t.Seniority != nil, "/fixedConversion": t.FixedConversion != nil, "/conversionTerms": t.ConversionTerms != "",
	})
}

// absent adds faults for terms that a convertible cannot have.
func (t *WarrantTerms) absent(faults *fault.Fields) {
	notOf(faults, "Remove this field: a convertible has none.", map[string]bool{
		"/exercisePrice": t.ExercisePrice != nil, "/expirationDate": !t.ExpirationDate.IsZero(), "/coverage": t.Coverage != nil,
	})
}

// notOf adds a fault for each field that is present, in the order of their names.
func notOf(faults *fault.Fields, message string, present map[string]bool) {
	for _, pointer := range slices.Sorted(maps.Keys(present)) {
		if present[pointer] {
			faults.Add(pointer, "notOfThisKind", message)
		}
	}
}
