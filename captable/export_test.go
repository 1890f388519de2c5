package captable

// atTest is where the moves of tests stand in the journal.
func atTest() Stamp { return Stamp{Sequence: 99, At: 99} }

// Granted notes a grant as the events of grants do.
func (s *State) Granted(ref PoolRef, quantity Decimal, on Date) {
	s.poolGranted(ref, quantity, on, atTest())
}

// Retracted notes that a grant was retracted.
func (s *State) Retracted(ref PoolRef, quantity Decimal, granted Date) {
	s.poolRetracted(ref, quantity, granted, atTest())
}

// Exercised notes that options became shares.
func (s *State) Exercised(ref PoolRef, quantity Decimal, on Date) {
	s.poolExercised(ref, quantity, on, atTest())
}

// Cancelled notes that a part of a grant ended without shares.
func (s *State) Cancelled(ref PoolRef, quantity Decimal, returns bool, on Date) {
	s.poolCancelled(ref, quantity, returns, on, atTest())
}

// CheckGrant tells whether the pool has so much left.
func (s *State) CheckGrant(ref PoolRef, quantity Decimal, on Date) error {
	plan, pool, _ := s.Pool(ref)
	return s.checkGrant(plan, pool, quantity, on, "")
}

// TermFaults lists what is wrong with a grant of the type on the day.
func (p *PlanDetails) TermFaults(granted Date, of GrantType) Faults {
	var faults Faults
	p.checkTerm(&faults, "/issueDate", granted)
	p.checkType(&faults, "/type", of)
	return faults
}
