package captable

import (
	"strings"

	"equity/captable/exact"
)

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
func (c AcceptInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	if i.Status == StatusAccepted {
		return nil, Refuse(CodeConflict, "The holding was accepted before.").With("acceptedOn", i.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), i.IssueDate)
	}
	var faults Faults
	i.checkDate(&faults, date, m)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{InstrumentAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

// checkDate adds a fault for a date that is missing, in the future or before the issue.
func (i *Instrument) checkDate(faults *Faults, date Date, m Moment) {
	m.checkDate(faults, "/date", date)
	if !date.IsZero() && date < i.IssueDate {
		faults.Add("/date", "beforeIssue", "The date is before it was issued, "+i.IssueDate.String()+".")
	}
}

// decide refuses to void instruments that have results, that resulted from another instrument or
// that have ended or been voided before.
func (c VoidInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.instrument(c.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case i.Status == StatusVoided:
		return nil, Refuse(CodeConflict, "The holding was voided before.")
	case len(i.Results) > 0 || len(i.Exercises) > 0 || i.Conversion != nil:
		return nil, Refuse(CodeHasResults, "Other holdings came from this one.")
	case i.Origin != nil:
		return nil, Refuse(CodeHasResults, "It came from another holding; void or reverse that one's change instead.")
	case !i.Status.Outstanding():
		return nil, Refuse(CodeConflict, "The holding has ended.").With("status", string(i.Status))
	}
	return []Event{InstrumentVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

func (e InstrumentAccepted) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) { i.Status, i.AcceptedOn = StatusAccepted, e.Date })
}

func (e InstrumentVoided) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) { i.end(StatusVoided, e.Date, e.Reason, stamp) })
}
