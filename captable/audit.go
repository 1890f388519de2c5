package captable

import "fmt"

// Audit counts everything anew and lists, a sentence each, what does not agree with
// the totals that are kept or with the rules that always hold; nothing when all is
// well. It is for whoever distrusts the program: the rules themselves never let it
// come so far.
func (s *State) Audit() []string {
	var faults []string
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	outstanding := map[SecurityID]Decimal{}
	numbers := map[string]ShareholdingID{}
	for h := range s.Shareholdings() {
		held := h.Status.Outstanding()
		if h.Shares.Sign() < 0 || held && h.Shares.IsZero() { // a split leaves nothing of some that ended by it
			note("shareholding %s has %s shares", h.ID, h.Shares)
		}
		if other, taken := numbers[h.Certificate]; taken {
			note("shareholdings %s and %s have the certificate %s", other, h.ID, h.Certificate)
		}
		numbers[h.Certificate] = h.ID
		if held {
			outstanding[h.Security] = outstanding[h.Security].Add(h.Shares)
		}
	}
	for security := range s.Securities() {
		security.audit(outstanding[security.ID], note)
	}
	s.auditPools(note)
	return faults
}

// audit checks one security whose shareholdings sum to so many shares.
func (s *Security) audit(outstanding Decimal, note func(format string, args ...any)) {
	if !s.Outstanding().Equal(outstanding) {
		note("security %s says %s shares are outstanding, its shareholdings say %s", s.ID, s.Outstanding(), outstanding)
	}
	if !s.AuthorizedShares.Covers(s.Issued.Add(s.Reserved)) {
		note("security %s has %s shares issued and %s authorized", s.ID, s.Issued, s.AuthorizedShares)
	}
	if n := len(s.Authorizations); n == 0 || s.Authorizations[n-1].Authorized != s.AuthorizedShares {
		note("security %s has %s shares authorized, its past says otherwise", s.ID, s.AuthorizedShares)
	}
	treasury := Decimal{}
	for _, move := range s.TreasuryMoves {
		if treasury = treasury.Add(move.Change); treasury.Sign() < 0 {
			note("security %s had a treasury of %s shares on %s", s.ID, treasury, move.Date)
		}
	}
	if !treasury.Equal(s.Treasury) {
		note("security %s has a treasury of %s shares, its past says %s", s.ID, s.Treasury, treasury)
	}
}

// auditPools checks that the figures of every pool are those of its past, that nothing
// was below zero on any day, and that the classes keep as much as pools and warrants need.
func (s *State) auditPools(note func(format string, args ...any)) {
	reserved := map[SecurityID]Decimal{}
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(pool.Reserved())
			before := pool.PoolFigures
			s.movesAfter(pool.ID, -1, func(move poolMove) {
				if before.negative() {
					note("pool %s had figures below zero at the end of %s: %+v", pool.ID, move.date, before)
				}
				before = before.Sub(move.change)
			})
			if !before.none() {
				note("pool %s has figures that its past does not have: %+v", pool.ID, before)
			}
			if left := s.outstandingIn(PoolRef{plan.ID, pool.ID}); !left.Equal(pool.Outstanding()) {
				note("pool %s has %s shares outstanding, its grants say %s", pool.ID, pool.Outstanding(), left)
			}
			if !pool.Reserve.Equal(pool.TotalShares) {
				note("pool %s reserves %s shares and has %s in all", pool.ID, pool.Reserve, pool.TotalShares)
			}
		}
	}
	for grant := range s.Grants() {
		if grant.outside() && grant.Status.Outstanding() {
			reserved[grant.Security] = reserved[grant.Security].Add(grant.Left())
		}
	}
	for i := range s.Instruments() {
		reserved[i.Security] = reserved[i.Security].Add(i.reserved())
	}
	for security := range s.Securities() {
		if !security.Reserved.Equal(reserved[security.ID]) {
			note("security %s keeps %s shares for pools and warrants, they need %s", security.ID, security.Reserved, reserved[security.ID])
		}
	}
}

// outstandingIn sums what is left of the grants of a pool.
func (s *State) outstandingIn(ref PoolRef) Decimal {
	left := Decimal{}
	for grant := range s.Grants() {
		if grant.Ref() == ref && grant.Status.Outstanding() {
			left = left.Add(grant.Left())
		}
	}
	return left
}
