package organization

import "equity/captable"

// LeaveOrganization ends the membership of an account by its own wish. What it holds stays the entity's.
type LeaveOrganization struct{ User UserID }

func (c LeaveOrganization) decide(s *State, m Moment) ([]Event, error) {
	member, ok := s.MemberBy(c.User)
	if !ok {
		return nil, captable.Refuse(captable.CodeNotFound, "This account is no member.")
	}
	if s.isLastOwner(member) {
		return nil, captable.Refuse(CodeLastOwner, "The last Owner cannot leave.")
	}
	return append(s.withdrawals(c.User, m.Now), MemberRemoved{ID: member.ID}), nil
}
