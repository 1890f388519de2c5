package captable

import (
	"strings"

	"equity/captable/exact"
)

// The commands that change a grant without a deduction.
type (
	// AcceptGrant records the acceptance of the grant by its holder.
	AcceptGrant struct {
		ID     GrantID `json:"-"`
		Date   Date    `json:"date,omitzero"`
		Source *Source `json:"-"`
	}
	// AmendGrant changes clerical fields with a JSON merge patch (RFC 7396).
	AmendGrant struct {
		ID    GrantID
		Patch []byte
	}
	// CorrectGrant replaces the facts of a grant that was recorded incorrectly.
	CorrectGrant struct {
		ID GrantID `json:"-"`
		GrantOption
		Reason string `json:"reason"`
	}
	// VoidGrant removes a grant that was entered in error from all totals.
	VoidGrant struct {
		ID     GrantID `json:"-"`
		Reason string  `json:"reason,omitempty"`
	}
)

// OptionAccepted records an acceptance.
type OptionAccepted struct {
	ID     GrantID `json:"id"`
	Date   Date    `json:"date"`
	Source *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (OptionAccepted) EventType() string { return "optionAccepted" }

// Creates returns nil.
func (OptionAccepted) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionAccepted) Records(s *State) []any { return records(s.Grant(e.ID)) }

// OptionAmended records the new clerical fields.
type OptionAmended struct {
	ID      GrantID      `json:"id"`
	Details GrantDetails `json:"details"`
}

// EventType returns the name of the event in the journal.
func (OptionAmended) EventType() string { return "optionAmended" }

// Creates returns nil.
func (OptionAmended) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionAmended) Records(s *State) []any { return records(s.Grant(e.ID)) }

// OptionCorrected records the corrected facts, which apply from the start.
type OptionCorrected struct {
	GrantIssue
	Reason string `json:"reason"`
}

// EventType returns the name of the event in the journal.
func (OptionCorrected) EventType() string { return "optionCorrected" }

// Creates returns nil.
func (OptionCorrected) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionCorrected) Records(s *State) []any { return records(s.Grant(e.ID)) }

// OptionVoided records the voiding of a grant that was entered in error.
type OptionVoided struct {
	ID     GrantID `json:"id"`
	Date   Date    `json:"date"`
	Reason string  `json:"reason,omitempty"`
}

// EventType returns the name of the event in the journal.
func (OptionVoided) EventType() string { return "optionVoided" }

// Creates returns nil.
func (OptionVoided) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionVoided) Records(s *State) []any { return records(s.Grant(e.ID)) }

// decide checks an acceptance. A grant is accepted once. The default date is today, or the issue
// date if that is later.
func (c AcceptGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.outstandingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Status == StatusAccepted {
		return nil, Refuse(CodeConflict, "The grant was accepted before.").With("acceptedOn", grant.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), grant.IssueDate)
	}
	var faults Faults
	grant.checkDay(&faults, m, date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{OptionAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

// checkDay adds a fault for a date that is missing, in the future or before the issue of the
// grant.
func (g *Grant) checkDay(faults *Faults, m Moment, date Date) {
	m.checkDate(faults, "/date", date)
	if date < g.IssueDate && !date.IsZero() {
		faults.Add("/date", "beforeIssue", "The date is before the grant was made, "+g.IssueDate.String()+".")
	}
}

// decide patches clerical fields. The grant may have ended, but not been voided.
func (c AmendGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.grant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Status == StatusVoided {
		return nil, Refuse(CodeConflict, "A voided grant stays as it is.")
	}
	details, err := Patched(grant.GrantDetails, c.Patch)
	if err != nil {
		return nil, err
	}
	var faults Faults
	details.check(s, m, &faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := s.unusedExternalID(kindHolding, details.ExternalID, c.ID); err != nil {
		return nil, err
	}
	return []Event{OptionAmended{ID: c.ID, Details: details}}, nil
}

// decide checks a correction. The grant must have no deductions or other consequences yet, and the
// corrected facts must be valid in place of the old ones.
func (c CorrectGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.untouched(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "A correction says why.")
	}
	if !grant.AcceptedOn.IsZero() && c.IssueDate > grant.AcceptedOn {
		faults.Add("/issueDate", "afterAcceptance", "The grant was accepted before, on "+grant.AcceptedOn.String()+".")
	}
	if grant.outside() {
		c.Class = grant.Security
	}
	scratch := s.Copy() // the state without the old facts
	scratch.retract(grant, Stamp{})
	scratch.changeGrant(c.ID, Stamp{}, func(g *Grant) { g.Status = StatusVoided })
	issue, err := c.prepare(scratch, m, faults)
	if err != nil {
		return nil, err
	}
	issue.ID = c.ID
	return []Event{OptionCorrected{GrantIssue: issue, Reason: c.Reason}}, nil
}

// untouched returns an outstanding grant without deductions, vesting changes, repricings, splits
// or a termination.
func (s *State) untouched(id GrantID) (*Grant, error) {
	grant, err := s.outstandingGrant(id)
	if err != nil {
		return nil, err
	}
	return grant, grant.isUntouched()
}

// isUntouched refuses a grant with deductions, vesting changes, repricings, splits or a
// termination.
func (g *Grant) isUntouched() error {
	vested := len(g.Happenings) + len(g.Accelerations)
	if len(g.Takings)+len(g.Repricings)+len(g.Before)+vested > 0 || g.Termination != nil {
		return Refuse(CodeHasResults, "Something has happened to the grant already.").
			With("quantity", g.Quantity.String()).With("outstanding", g.Left().String())
	}
	return nil
}

func (c VoidGrant) decide(s *State, m Moment) ([]Event, error) {
	if _, err := s.untouched(c.ID); err != nil {
		return nil, err
	}
	return []Event{OptionVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

// retract removes a grant from its pool and from the indexes, as if it had never been issued.
func (s *State) retract(grant *Grant, stamp Stamp) {
	s.poolRetracted(grant.Ref(), grant.Quantity, grant.IssueDate, stamp)
	s.reserveOutside(grant, grant.Quantity.Neg(), stamp)
	s.setExternalID(kindHolding, grant.ExternalID, "", grant.ID)
	s.granted.Delete(grantKey{grant.Entity, grant.ID})
}

func (e OptionAccepted) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) { g.Status, g.AcceptedOn = StatusAccepted, e.Date })
}

func (e OptionAmended) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		s.setExternalID(kindHolding, g.ExternalID, e.Details.ExternalID, g.ID)
		g.GrantDetails = e.Details
	})
}

func (e OptionCorrected) apply(s *State, stamp Stamp) {
	old, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	s.retract(old, stamp)
	next := e.begun()
	next.Status, next.AcceptedOn, next.Requests, next.Meta = old.Status, old.AcceptedOn, old.Requests, old.Meta
	next.Touch(stamp)
	s.setGrant(next)
	s.setExternalID(kindHolding, "", next.ExternalID, next.ID)
	s.poolGranted(next.Ref(), next.Quantity, next.IssueDate, stamp)
	s.reserveOutside(next, next.Quantity, stamp)
}

func (e OptionVoided) apply(s *State, stamp Stamp) {
	if old, ok := s.Grant(e.ID); ok {
		s.undoGrant(old, StatusVoided, e.Date, e.Reason, stamp)
	}
}
