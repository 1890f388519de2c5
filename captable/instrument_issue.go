package captable

import "slices"

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

func (c IssueInstrument) decide(s *State, m Moment) ([]Event, error) {
	issue, err := c.prepare(s, m, nil, false)
	if err != nil {
		return nil, err
	}
	if err := s.checkReserve(issue.Security, issue.Quantity, issue.IssueDate, "/quantity"); err != nil {
		return nil, err
	}
	return []Event{InstrumentIssued{issue}}, nil
}

// prepare checks a new instrument and adds to the given faults. It does not check the available
// shares. If split is set, the issue date may be before the last split of the class.
func (c IssueInstrument) prepare(s *State, m Moment, faults Faults, split bool) (InstrumentIssue, error) {
	holder := c.checkHolder(&faults, m)
	m.checkDate(&faults, "/issueDate", c.IssueDate)
	c.InstrumentFacts.check(s, &faults, split)
	terms := c.settled(c.InstrumentFacts, m)
	terms.check(s, &faults, c.InstrumentFacts)
	terms.checkGrowth(&faults, c.InstrumentFacts, m)
	if err := faults.Err(); err != nil {
		return InstrumentIssue{}, err
	}
	if err := s.unusedExternalID(kindHolding, terms.ExternalID, [16]byte{}); err != nil {
		return InstrumentIssue{}, err
	}
	return InstrumentIssue{
		ID: m.NewID(), Entity: holder.Entity, InstrumentFacts: c.InstrumentFacts, InstrumentTerms: terms, Source: c.Source,
	}, nil
}

// check adds the faults of the facts. If split is set, the issue date may be before the last split
// of the class.
func (f *InstrumentFacts) check(s *State, faults *Faults, split bool) {
	if !slices.Contains([]InstrumentKind{KindNote, KindSAFE, KindCustom, KindWarrant}, f.Kind) {
		faults.Add("/kind", "enum", "The kind is convertibleNote, safe, custom or warrant.")
	}
	if f.convertible() {
		f.checkPrincipal(faults)
		return
	}
	if f.Principal != nil {
		faults.Add("/principal", "notOfThisKind", "A warrant has none.")
	}
	security, known := s.Security(f.Security)
	switch {
	case !known && !f.Security.IsZero():
		faults.Add("/security", "unknownReference", "There is no such security.")
	case known && !split:
		security.checkPast(faults, "/issueDate", f.IssueDate)
	}
	if !f.Quantity.IsZero() {
		checkShares(faults, "/quantity", f.Quantity, security)
	}
}

func (f *InstrumentFacts) checkPrincipal(faults *Faults) {
	switch {
	case f.Principal == nil:
		faults.Add("/principal", "required", "A convertible has a principal.")
	case f.Principal.Amount.IsZero():
		faults.Add("/principal/amount", "notPositive", "The principal must be more than zero.")
	}
	f.Principal.check(faults, "/principal")
	notOf(faults, "A convertible has none.", map[string]bool{"/security": !f.Security.IsZero(), "/quantity": !f.Quantity.IsZero()})
}

func (e InstrumentIssued) apply(s *State, stamp Stamp) {
	s.setInstrument(e.begun(stamp), stamp)
}

// begun returns the new instrument.
func (e InstrumentIssue) begun(stamp Stamp) *Instrument {
	e.Source = nil // the journal keeps the source; the live state does not need it
	i := &Instrument{InstrumentIssue: e, Status: StatusActive, Meta: NewMeta(stamp)}
	i.open()
	return i
}

// open initializes the account of a convertible or the remaining shares of a warrant.
func (i *Instrument) open() {
	i.Account, i.Left = nil, i.Quantity
	if i.convertible() && i.Principal != nil {
		i.Account = &Account{Principal: i.Principal.Amount, Since: i.IssueDate}
	}
}
