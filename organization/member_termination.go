package organization

import (
	"slices"

	"equity/captable"
)

// Leaving is the end of a member's service, as it is asked for with their removal.
type Leaving struct {
	TerminationDate captable.Date `json:"terminationDate,omitzero"`
	// TerminationReason is one of [captable.TerminationReason] where the member has options,
	// else any text.
	TerminationReason string `json:"terminationReason,omitempty"`
}

// terminates gives what the end of a member's service does to their grants, where the
// terms state it anew: what has not vested is forfeited, and for what has the windows
// open. Who may not edit grants does not end any.
func (s *State) terminates(m Moment, member *Member, terms MemberTerms) ([]Event, error) {
	if terms.TerminationDate.IsZero() || terms.TerminationDate == member.TerminationDate {
		return nil, nil
	}
	events, err := Table{captable.TerminateHolder{Entity: member.Entity, Termination: captable.Termination{
		Date: terms.TerminationDate, Reason: captable.TerminationReason(terms.TerminationReason),
	}}}.decide(s, m)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	own, _ := s.Permissions(m.By)
	if !m.By.IsZero() && own&Of(EditCapTable, EditIncentivePlan) == 0 {
		return nil, captable.Refuse(CodeForbidden, "The member has options or shares that vest, which the termination changes: this takes the permission to edit incentive plans.").
			With("missing", EditIncentivePlan.String())
	}
	return events, nil
}

// leave gives the events of the end of a member's service, none where none is asked for.
func (l Leaving) leave(s *State, m Moment, member *Member) ([]Event, error) {
	if l == (Leaving{}) {
		return nil, nil
	}
	terms := member.MemberTerms
	terms.TerminationDate, terms.TerminationReason = l.TerminationDate, l.TerminationReason
	var faults captable.Faults
	if l.TerminationDate.IsZero() {
		faults.Add("/terminationDate", "required", "A termination has a day.")
	}
	for _, fault := range s.memberFaults(terms) {
		if fault.Pointer == "/terminationDate" {
			faults = append(faults, fault)
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
