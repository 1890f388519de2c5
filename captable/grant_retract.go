package captable

import "strings"

// RetractGrant undoes a grant before its acceptance.
type RetractGrant struct {
	ID     GrantID `json:"-"`
	Date   Date    `json:"date"`
	Reason string  `json:"reason"`
	Source *Source `json:"-"`
}

// OptionRetracted records the retraction of a grant before its acceptance.
type OptionRetracted struct {
	ID     GrantID `json:"id"`
	Date   Date    `json:"date"`
	Reason string  `json:"reason,omitempty"`
	// Effective reports whether the retraction counts from its date on, like the retraction of
	// shares. Events without it undo the grant on every day.
	Effective bool    `json:"effective,omitempty"`
	Source    *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (OptionRetracted) EventType() string { return "optionRetracted" }

// Creates returns nil.
func (OptionRetracted) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionRetracted) Records(s *State) []any { return records(s.Grant(e.ID)) }

// decide undoes a grant without an acceptance, deductions, vesting changes and repricings. An
// accepted grant is a contract, which only a cancellation ends.
func (c RetractGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.outstandingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	whole := *grant
	whole.Before = nil // a split restates the grant but is no obstacle to its retraction
	if err := whole.isUntouched(); err != nil {
		return nil, err
	}
	if !grant.AcceptedOn.IsZero() {
		return nil, Refuse(CodeConflict, "The grant was accepted: it cannot be retracted.").With("acceptedOn", grant.AcceptedOn.String())
	}
	var faults Faults
	s.checkTaking(&faults, m, grant, c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if lapse, lapsed := grant.lapse(c.Date); lapsed {
		return nil, Refuse(CodeConflict, "The grant has expired.").With("date", lapse.Date.String())
	}
	return []Event{OptionRetracted{
		ID: c.ID, Date: c.Date, Reason: strings.TrimSpace(c.Reason), Effective: true, Source: c.Source,
	}}, nil
}

func (e OptionRetracted) apply(s *State, stamp Stamp) {
	old, ok := s.Grant(e.ID)
	switch {
	case !ok:
	case !e.Effective:
		s.undoGrant(old, StatusRetracted, e.Date, e.Reason, stamp)
	default:
		s.poolRetracted(old.Ref(), old.Quantity, e.Date, stamp)
		s.reserveOutside(old, old.Quantity.Neg(), stamp)
		s.changeGrant(e.ID, stamp, func(g *Grant) {
			g.Status, g.RetractedOn = StatusRetracted, e.Date
			g.End = &End{Date: e.Date, Reason: e.Reason, At: stamp.At, By: stamp.By}
		})
	}
}

// undoGrant removes a grant from its pool as if it had never been issued.
func (s *State) undoGrant(old *Grant, kind Status, date Date, reason string, stamp Stamp) {
	s.poolRetracted(old.Ref(), old.Quantity, old.IssueDate, stamp)
	s.reserveOutside(old, old.Quantity.Neg(), stamp)
	s.changeGrant(old.ID, stamp, func(g *Grant) {
		g.Status = kind
		g.End = &End{Date: date, Reason: reason, At: stamp.At, By: stamp.By}
	})
}

// undone reports whether the grant was voided or retracted.
func (g *Grant) undone() bool { return g.Status == StatusVoided || g.Status == StatusRetracted }

// undoneOn reports whether the grant does not count at the end of the day because it was voided,
// or retracted by then.
func (g *Grant) undoneOn(day Date) bool { return g.undone() && day >= g.RetractedOn }

// retractions returns the day of the retraction, if any.
func (g *Grant) retractions() []Date {
	if g.RetractedOn.IsZero() {
		return nil
	}
	return []Date{g.RetractedOn}
}
