package captable

import (
	"strings"

	"equity/captable/exact"
	"equity/fault"
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
func (c AcceptGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Status == StatusAccepted {
		return nil, fault.Refuse(fault.Conflict, "The grant is already accepted.").With("acceptedOn", grant.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), grant.IssueDate)
	}
	var faults fault.Fields
	grant.checkDay(&faults, m, date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if lapse, lapsed := grant.lapse(date); lapsed && grant.LeftOn(date).IsZero() {
		return nil, fault.Refuse(fault.Conflict, "The grant expired on "+lapse.Date.String()+".").With("date", lapse.Date.String())
	}
	return []Event{OptionAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

// checkDay adds a fault for a date that is missing, in the future or before the issue of the
// grant.
func (g *Grant) checkDay(faults *fault.Fields, m DecideContext, date Date) {
	m.checkDate(faults, "/date", date)
	if date < g.IssueDate && !date.IsZero() {
		faults.Add("/date", "beforeIssue", "The date must not be before the issue of the grant, "+g.IssueDate.String()+".")
	}
}

// decide patches clerical fields. The grant may have ended, but not been voided.
func (c AmendGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.grant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Status == StatusVoided {
		return nil, fault.Refuse(fault.Conflict, "A voided grant cannot be changed.")
	}
	details, err := Patched(grant.GrantDetails, c.Patch)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	details.check(s, m, &faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindHolding, details.ExternalID, c.ID); err != nil {
		return nil, err
	}
	return []Event{OptionAmended{ID: c.ID, Details: details}}, nil
}

// decide checks a correction. The grant must have no deductions or other consequences yet, and the
// corrected facts must be valid in place of the old ones.
func (c CorrectGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.untouched(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the correction is required.")
	}
	if !grant.AcceptedOn.IsZero() && c.IssueDate > grant.AcceptedOn {
		faults.Add(
			"/issueDate", "afterAcceptance", "The issue date must not be after the acceptance of the grant, "+grant.AcceptedOn.String()+".",
		)
	}
	if grant.reserved() && c.Ref() == grant.Ref() {
		c.Class = grant.Security // the correction does not state the class
	}
	scratch := s.Copy() // the state without the old facts
	retractGrant(scratch, grant, Stamp{})
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
func (r *grantRegister) untouched(id GrantID) (*Grant, error) {
	grant, err := r.outstanding(id)
	if err != nil {
		return nil, err
	}
	return grant, grant.isUntouched()
}

// isUntouched refuses a grant with deductions, vesting changes, repricings, splits or a
// termination.
func (g *Grant) isUntouched() error {
	vested := len(g.Happenings) + len(g.Accelerations)
	if len(g.Deductions)+len(g.Repricings)+len(g.Before)+vested > 0 || g.Termination != nil {
		return fault.Refuse(
			fault.HasResults, "The grant cannot be corrected or undone: it has later changes, such as an exercise or a repricing.",
		).
			With("quantity", g.Quantity.String()).With("outstanding", g.Left().String())
	}
	return nil
}

func (c VoidGrant) decide(s *State, m DecideContext) ([]Event, error) {
	if _, err := s.grants.untouched(c.ID); err != nil {
		return nil, err
	}
	return []Event{OptionVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

// retractGrant removes a grant from its pool and from the indexes, as if it had never been issued.
func retractGrant(s *State, grant *Grant, stamp Stamp) {
	s.poolRetracted(grant.Ref(), grant.Security, grant.Quantity, grant.IssueDate, stamp)
	s.classes.reserveFor(grant, grant.Quantity.Neg(), stamp)
	s.externalIDs.set(kindHolding, grant.ExternalID, "", grant.ID)
	s.grants.byHolder.Delete(heldKey{grant.Entity, grant.ID})
}

func (e OptionAccepted) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) { g.Status, g.AcceptedOn = StatusAccepted, e.Date })
}

func (e OptionAmended) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		s.externalIDs.set(kindHolding, g.ExternalID, e.Details.ExternalID, g.ID)
		g.GrantDetails = e.Details
	})
}

func (e OptionCorrected) apply(s *State, stamp Stamp) {
	old, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	retractGrant(s, old, stamp)
	next := e.begun()
	next.Status, next.AcceptedOn, next.Requests, next.Meta = old.Status, old.AcceptedOn, old.Requests, old.Meta
	next.Touch(stamp)
	s.enterGrant(next, stamp)
}

func (e OptionVoided) apply(s *State, stamp Stamp) {
	if old, ok := s.Grant(e.ID); ok {
		undoGrant(s, old, StatusVoided, e.Date, e.Reason, stamp)
	}
}

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
func (c RetractGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	whole := *grant
	whole.Before = nil // a split restates the grant but is no obstacle to its retraction
	if err := whole.isUntouched(); err != nil {
		return nil, err
	}
	if !grant.AcceptedOn.IsZero() {
		return nil, fault.Refuse(
			fault.Conflict, "An accepted grant cannot be retracted: cancel it instead.",
		).With("acceptedOn", grant.AcceptedOn.String())
	}
	var faults fault.Fields
	checkTaking(s, &faults, m, grant, c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if lapse, lapsed := grant.lapse(c.Date); lapsed {
		return nil, fault.Refuse(fault.Conflict, "The grant expired on "+lapse.Date.String()+".").With("date", lapse.Date.String())
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
		undoGrant(s, old, StatusRetracted, e.Date, e.Reason, stamp)
	default:
		s.poolRetracted(old.Ref(), old.Security, old.Quantity, e.Date, stamp)
		s.classes.reserveFor(old, old.Quantity.Neg(), stamp)
		s.changeGrant(e.ID, stamp, func(g *Grant) {
			g.Status, g.RetractedOn = StatusRetracted, e.Date
			g.End = &End{Date: e.Date, Reason: e.Reason, At: stamp.At, By: stamp.By}
		})
	}
}

// undoGrant removes a grant from its pool as if it had never been issued.
func undoGrant(s *State, old *Grant, kind Status, date Date, reason string, stamp Stamp) {
	s.poolRetracted(old.Ref(), old.Security, old.Quantity, old.IssueDate, stamp)
	s.classes.reserveFor(old, old.Quantity.Neg(), stamp)
	s.changeGrant(old.ID, stamp, func(g *Grant) {
		g.Status = kind
		g.End = &End{Date: date, Reason: reason, At: stamp.At, By: stamp.By}
	})
}

// Undone reports whether the grant was voided or retracted.
func (g *Grant) Undone() bool { return g.Status == StatusVoided || g.Status == StatusRetracted }

// undoneOn reports whether the grant does not count at the end of the day because it was voided,
// or retracted by then.
func (g *Grant) undoneOn(day Date) bool { return g.Undone() && day >= g.RetractedOn }

// Retractions returns the day of the retraction, if any.
func (g *Grant) Retractions() []Date {
	if g.RetractedOn.IsZero() {
		return nil
	}
	return []Date{g.RetractedOn}
}
