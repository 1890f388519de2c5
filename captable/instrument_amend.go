package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// AmendInstrument changes terms with a JSON merge patch (RFC 7396).
type AmendInstrument struct {
	ID    InstrumentID
	Patch []byte
}

// InstrumentAmended records the new terms.
type InstrumentAmended struct {
	ID    InstrumentID    `json:"id"`
	Terms InstrumentTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (InstrumentAmended) EventType() string { return "holdingAmended" }

// Creates returns nil.
func (InstrumentAmended) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentAmended) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// CorrectInstrument replaces the facts of an instrument that was recorded incorrectly.
type CorrectInstrument struct {
	ID InstrumentID `json:"-"`
	HolderRef
	InstrumentFacts
	InstrumentTerms
	Reason string `json:"reason"`
}

// InstrumentCorrected records the corrected facts, which apply from the start.
type InstrumentCorrected struct {
	InstrumentIssue
	Reason string `json:"reason"`
}

// EventType returns the name of the event in the journal.
func (InstrumentCorrected) EventType() string { return "holdingCorrected" }

// Creates returns nil.
func (InstrumentCorrected) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentCorrected) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// decide patches terms unless this contradicts recorded decisions. A debt must cover its recorded
// repayments, and a warrant must not expire before a recorded exercise.
func (c AmendInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.instrument(c.ID)
	if err != nil {
		return nil, err
	}
	if i.Status == StatusVoided {
		return nil, fault.Refuse(fault.Conflict, "A voided holding cannot be changed.")
	}
	terms, err := Patched(i.InstrumentTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	terms = terms.settled(i.InstrumentFacts, m)
	terms.check(s, &faults, i.InstrumentFacts)
	terms.checkGrowth(&faults, i.InstrumentFacts, m)
	i.checkExpiry(&faults, terms.ExpirationDate)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindHolding, terms.ExternalID, c.ID); err != nil {
		return nil, err
	}
	if err := i.restated(terms).checkRepayments(); err != nil {
		return nil, err
	}
	return []Event{InstrumentAmended{ID: c.ID, Terms: terms}}, nil
}

// checkExpiry adds a fault if a warrant would expire before a recorded event of it, and for another
// day after its expiry was recorded.
func (i *Instrument) checkExpiry(faults *fault.Fields, expiration Date) {
	if i.Status == StatusExpired && expiration != i.ExpirationDate {
		faults.Add(
			"/expirationDate", "expired",
			"The expiration date must stay: the expiry on "+i.End.Date.String()+" is recorded, and released the shares. Issue another warrant.",
		)
		return
	}
	last := i.AcceptedOn
	if n := len(i.Exercises); n > 0 {
		last = max(last, i.Exercises[n-1].Date)
	}
	if i.End != nil && i.Status != StatusExpired && i.Status != StatusVoided {
		last = max(last, i.End.Date)
	}
	if !expiration.IsZero() && expiration < last {
		faults.Add(
			"/expirationDate", "datesOutOfOrder",
			"The expiration date must not be before the last acceptance, exercise or end, "+last.String()+".",
		)
	}
}

// restated returns a copy of the instrument with other terms.
func (i *Instrument) restated(terms InstrumentTerms) *Instrument {
	next := *i
	next.InstrumentTerms = terms
	return &next
}

// checkRepayments refuses terms under which a repayment would exceed the debt.
func (i *Instrument) checkRepayments() error {
	if i.Account == nil || len(i.Account.Repayments) == 0 {
		return nil
	}
	if !i.IsDebt() {
		return fault.Refuse(fault.Conflict, "The holding must remain a debt, because a part of it was repaid.")
	}
	ledger := i.Ledger()
	all := ledger.Repayments
	for n, repayment := range all {
		ledger.Repayments = all[:n]
		if owed := payable(ledger.On(repayment.Date)); repayment.Amount.Cmp(owed) > 0 {
			return fault.Refuse(
				fault.Conflict,
				repayment.Amount.String()+" was repaid on "+repayment.Date.String()+", but only "+owed.String()+" would be owed.",
			).
				With("repayment", strconv.Itoa(n)).
				With("date", repayment.Date.String()).With("balance", owed.String()).With("amount", repayment.Amount.String())
		}
	}
	return nil
}

// decide checks a correction:
//
//  1. The instrument is outstanding.
//  2. Facts that follow from a transfer, repayment, exercise or split do not change.
//  3. The corrected facts could have been issued in place of the old ones.
func (c CorrectInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	scratch := s.Copy() // the state without the old facts
	scratch.removeInstrument(i)
	issue, err := IssueInstrument{HolderRef: c.HolderRef, InstrumentFacts: c.InstrumentFacts, InstrumentTerms: c.InstrumentTerms}.
		prepare(scratch, m, c.faults(i))
	if err != nil {
		return nil, err
	}
	switch moved := !c.equals(i.InstrumentFacts); {
	case moved && i.derived():
		return nil, fault.Refuse(fault.HasResults,
			"Kind, size, security and date cannot change: the holding came from another one, or was repaid, exercised or split.")
	case issue.Entity != i.Entity && s.instruments.stayedWith(i):
		return nil, fault.Refuse(fault.HasResults, "The holder cannot change: the holding is the balance of another one.")
	case moved:
		if err := scratch.classes.checkReserve(issue.Security, issue.Quantity, issue.IssueDate, "/quantity"); err != nil {
			return nil, err
		}
	}
	if err := i.restated(issue.InstrumentTerms).checkRepayments(); err != nil {
		return nil, err
	}
	issue.ID = i.ID
	return []Event{InstrumentCorrected{InstrumentIssue: issue, Reason: strings.TrimSpace(c.Reason)}}, nil
}

// faults returns the faults that apply to a correction in addition to those of an issue.
func (c CorrectInstrument) faults(i *Instrument) fault.Fields {
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the correction is required.")
	}
	if !i.AcceptedOn.IsZero() && c.IssueDate > i.AcceptedOn {
		faults.Add(
			"/issueDate", "afterAcceptance", "The issue date must not be after the acceptance of the holding, "+i.AcceptedOn.String()+".",
		)
	}
	i.checkExpiry(&faults, c.ExpirationDate)
	return faults
}

// equals reports whether both are the same facts.
func (f *InstrumentFacts) equals(other InstrumentFacts) bool {
	principal := f.Principal == other.Principal
	if f.Principal != nil && other.Principal != nil {
		principal = f.Principal.Currency == other.Principal.Currency && f.Principal.Amount.Equal(other.Principal.Amount)
	}
	return principal && f.Kind == other.Kind && f.IssueDate == other.IssueDate &&
		f.Security == other.Security && f.Quantity.Equal(other.Quantity)
}

// derived reports whether the facts follow from another event than the issue.
func (i *Instrument) derived() bool {
	return i.Origin != nil || !i.IsConvertible() && len(i.Before) > 0 || i.Account != nil && len(i.Account.Repayments) > 0
}

// stayedWith reports whether the instrument is a balance that its holder kept.
func (r *instrumentRegister) stayedWith(i *Instrument) bool {
	if i.Origin == nil {
		return false
	}
	from, known := r.records.Get(i.Origin.From[0])
	return known && from.Entity == i.Entity
}

func (e InstrumentAmended) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		i.InstrumentTerms = e.Terms
		i.repricePast()
	})
}

// repricePast applies a changed exercise price to the days since the last split. It is per share
// after that split.
func (i *Instrument) repricePast() {
	if i.IsConvertible() {
		return
	}
	i.Before = slices.Clone(i.Before)
	for n := len(i.Before) - 1; n >= 0 && i.Before[n].Ratio.Numerator.IsZero(); n-- {
		i.Before[n].ExercisePrice = i.ExercisePrice
	}
}

func (e InstrumentCorrected) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		moved := !e.equals(i.InstrumentFacts)
		i.InstrumentIssue = e.InstrumentIssue
		i.OfDay = false // the journal keeps it
		if moved {
			i.open()
		}
		i.repricePast()
		if len(i.Before) == 0 {
			e.restate(s, i, stamp)
		}
	})
}

// removeInstrument removes an instrument as if it had never been issued.
func (s *State) removeInstrument(i *Instrument) {
	s.instruments.records.Delete(i.ID)
	s.instruments.byHolder.Delete(heldKey{i.Entity, i.ID})
	s.classes.reserve(i.Security, i.reserved().Neg(), Stamp{})
	s.classes.useInstead(i, &Instrument{})
	s.externalIDs.set(kindHolding, i.ExternalID, "", i.ID)
}

// AcceptInstrument records the acceptance of the instrument by its holder.
type AcceptInstrument struct {
	ID     InstrumentID `json:"-"`
	Date   Date         `json:"date,omitzero"`
	Source *Source      `json:"-"`
}

// InstrumentAccepted records an acceptance.
type InstrumentAccepted struct {
	ID     InstrumentID `json:"id"`
	Date   Date         `json:"date"`
	Source *Source      `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (InstrumentAccepted) EventType() string { return "holdingAccepted" }

// Creates returns nil.
func (InstrumentAccepted) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentAccepted) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// VoidInstrument removes an instrument that was entered in error from all totals. The record
// remains readable.
type VoidInstrument struct {
	ID     InstrumentID `json:"-"`
	Reason string       `json:"reason,omitempty"`
}

// InstrumentVoided records the voiding of an instrument that was entered in error.
type InstrumentVoided struct {
	ID     InstrumentID `json:"id"`
	Date   Date         `json:"date"`
	Reason string       `json:"reason,omitempty"`
}

// EventType returns the name of the event in the journal.
func (InstrumentVoided) EventType() string { return "holdingVoided" }

// Creates returns nil.
func (InstrumentVoided) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentVoided) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// decide checks an acceptance. An instrument is accepted once. The default date is today, or the
// issue date if that is later.
func (c AcceptInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if i.Status == StatusAccepted {
		return nil, fault.Refuse(fault.Conflict, "The holding is already accepted.").With("acceptedOn", i.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), i.IssueDate)
	}
	var faults fault.Fields
	i.checkDate(&faults, date, m)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if i.ExpiredOn(date) {
		return nil, i.expired()
	}
	return []Event{InstrumentAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

// checkDate adds a fault for a date that is missing, in the future or before the issue.
func (i *Instrument) checkDate(faults *fault.Fields, date Date, m DecideContext) {
	m.checkDate(faults, "/date", date)
	if !date.IsZero() && date < i.IssueDate {
		faults.Add("/date", "beforeIssue", "The date must not be before the issue of the holding, "+i.IssueDate.String()+".")
	}
}

// decide refuses to void instruments that have results, that resulted from another instrument or
// that have ended or been voided before.
func (c VoidInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.instrument(c.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case i.Status == StatusVoided:
		return nil, fault.Refuse(fault.Conflict, "The holding is already voided.")
	case len(i.Results) > 0 || len(i.Exercises) > 0 || i.Conversion != nil:
		return nil, fault.Refuse(fault.HasResults, "The holding cannot be voided: other holdings or shares came from it.")
	case i.Origin != nil:
		return nil, fault.Refuse(fault.HasResults, "The holding came from another one; void or reverse the change of that one instead.")
	case !i.Status.Outstanding():
		return nil, fault.Refuse(fault.Conflict, "The holding has ended.").With("status", string(i.Status))
	}
	return []Event{InstrumentVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

func (e InstrumentAccepted) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) { i.Status, i.AcceptedOn = StatusAccepted, e.Date })
}

func (e InstrumentVoided) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) { i.end(StatusVoided, e.Date, e.Reason, stamp) })
}
