package organization

import (
	"equity/fault"
)

// LeaveOrganization ends the membership of an account at its own request. Holdings stay with the entity.
type LeaveOrganization struct{ User UserID }

func (c LeaveOrganization) Decide(s *State, m DecideContext) ([]Event, error) {
	member, ok := s.MemberBy(c.User)
	if !ok {
		return nil, fault.Refuse(fault.NotFound, "The account is not a member.")
	}
	if s.isLastOwner(member) {
		return nil, fault.Refuse(fault.LastOwner, "The last Owner cannot leave.")
	}
	return append(s.withdrawals(c.User, m.Now), MemberRemoved{ID: member.ID}), nil
}
