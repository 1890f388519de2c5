package captable

// TerminateHolder ends the service of a holder. It terminates every grant that was issued by then
// and has outstanding options or unvested shares, except grants with an earlier termination. It
// stops the vesting of the holder's shares. It records no event if neither applies. Faults point
// at the fields of a member.
type TerminateHolder struct {
	Entity EntityID
	Termination
}

func (c TerminateHolder) decide(s *State, m Moment) ([]Event, error) {
	var events []Event
	for grant := range s.GrantsOf(c.Entity) {
		if grant.Termination != nil || grant.IssueDate > c.Date || !grant.vests(c.Date) {
			continue
		}
		if err := c.check(s, m, grant); err != nil {
			return nil, err
		}
		events = append(events, s.plans.terminated(grant, c.Termination))
	}
	stopped := stopVesting(s, c.Entity, c.Termination)
	if len(stopped) > 0 {
		var faults Faults
		m.checkDate(&faults, "/terminationDate", c.Date)
		if err := faults.Err(); err != nil {
			return nil, err
		}
	}
	return append(events, stopped...), nil
}

// check refuses a termination that is invalid for the grant.
func (c TerminateHolder) check(s *State, m Moment, grant *Grant) error {
	var faults, days Faults
	checkTaking(s, &days, m, grant, c.Date)
	for _, fault := range days {
		faults.Add("/terminationDate", fault.Code, fault.Message)
	}
	if !c.Reason.known() {
		faults.Add("/terminationReason", "enum", "The member has options, whose windows depend on the reason: "+
			"voluntaryOther, voluntaryGoodCause, voluntaryRetirement, involuntaryOther, involuntaryDeath, involuntaryDisability or involuntaryWithCause.")
	}
	return faults.Err()
}
