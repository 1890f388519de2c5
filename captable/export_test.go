package captable

import "equity/fault"

// atTest returns the journal stamp of pool changes in tests.
func atTest() Stamp { return Stamp{Sequence: 99, At: 99} }

// Granted records a grant in the figures of the pool, as the grant events do.
func (s *State) Granted(ref PoolRef, quantity Decimal, on Date) {
	s.poolGranted(ref, SecurityID{}, quantity, on, atTest())
}

// Retracted records the retraction of a grant in the figures of the pool.
func (s *State) Retracted(ref PoolRef, quantity Decimal, granted Date) {
	s.poolRetracted(ref, SecurityID{}, quantity, granted, atTest())
}

// Exercised records an exercise in the figures of the pool.
func (s *State) Exercised(ref PoolRef, quantity Decimal, on Date) {
	s.poolExercised(ref, SecurityID{}, quantity, on, atTest())
}

// Cancelled records the end of options without shares in the figures of the pool.
func (s *State) Cancelled(ref PoolRef, quantity Decimal, returns bool, on Date) {
	s.poolCancelled(ref, SecurityID{}, quantity, returns, on, atTest())
}

// CheckGrant returns an error if the pool has too few available shares for a grant on the day.
func (s *State) CheckGrant(ref PoolRef, quantity Decimal, on Date) error {
	plan, pool, _ := s.Pool(ref)
	return checkPoolGrant(s, plan, pool, quantity, on, "")
}

// TermFaults returns the violations of the plan's term and approved types by a grant of the
// type on the day.
func (p *PlanDetails) TermFaults(granted Date, of GrantType) fault.Fields {
	var faults fault.Fields
	p.checkTerm(&faults, "/issueDate", granted)
	p.checkType(&faults, "/type", of)
	return faults
}
