package organization

import (
	"slices"

	"equity/captable"
	"equity/fault"
)

// Departure is the end of a member's service, requested together with the member's removal.
type Departure struct {
	TerminationDate captable.Date `json:"terminationDate,omitzero"`
	// TerminationReason is a [captable.TerminationReason] if the member has options, otherwise any text.
	TerminationReason string `json:"terminationReason,omitempty"`
}

// terminates returns the events of a new termination date in the terms: the unvested quantity is forfeited, and
// exercise windows start for the vested quantity. An author without permission to edit grants is refused.
// See ruling 24.
func (s *State) terminates(m DecideContext, member *Member, terms MemberTerms) ([]Event, error) {
	if terms.TerminationDate.IsZero() || terms.TerminationDate == member.TerminationDate {
		return nil, nil
	}
	events, err := Table{captable.TerminateHolder{Entity: member.Entity, Termination: captable.Termination{
		Date: terms.TerminationDate, Reason: captable.TerminationReason(terms.TerminationReason),
	}}}.Decide(s, m)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	own := s.permissionsOf(m)
	if !m.By.IsZero() && own&NewPermissions(EditCapTable, EditIncentivePlan) == 0 {
		return nil, fault.Refuse(
			fault.Forbidden,
			"The termination changes the member's options or vesting shares, which requires permission to edit incentive plans.",
		).
			With("missing", EditIncentivePlan.String())
	}
	return events, nil
}

// leave returns the events of the end of a member's service, or nil if it does not end.
func (l Departure) leave(s *State, m DecideContext, member *Member) ([]Event, error) {
	if l == (Departure{}) {
		return nil, nil
	}
	terms := member.MemberTerms
	terms.TerminationDate, terms.TerminationReason = l.TerminationDate, l.TerminationReason
	var faults fault.Fields
	if l.TerminationDate.IsZero() {
		faults.Add("/terminationDate", "required", "terminationDate is required with a terminationReason.")
	}
	for _, problem := range s.memberFaults(terms) {
		if problem.Pointer == "/terminationDate" {
			faults = append(faults, problem)
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	events, err := s.terminates(m, member, terms)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(events), MemberChanged{ID: member.ID, Terms: terms}), nil
}
