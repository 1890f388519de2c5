package captable

import "fmt"

// Audit recalculates all totals and checks the invariants of the cap table. It returns one
// sentence per violation, or nil. The rules of the commands prevent violations; Audit detects
// errors in these rules.
func (s *State) Audit() []string {
	var faults []string
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	outstanding := map[SecurityID]Decimal{}
	numbers := map[string]ShareholdingID{}
	for h := range s.Shareholdings() {
		held := h.Status.Outstanding()
		if h.Shares.Sign() < 0 || held && h.Shares.IsZero() { // a split can round ended shares down to zero
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
	auditPools(s, note)
	auditUses(s, note)
	return faults
}

// audit checks one security against the sum of its outstanding shareholdings.
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

// auditPools checks that the figures of each pool equal the sum of its moves and are never
// negative. It also checks that the reserved shares of each class equal the sum over its
// pools, its grants outside a plan and its warrants.
func auditPools(s *State, note func(format string, args ...any)) {
	reserved := map[SecurityID]Decimal{}
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(pool.Reserved())
			before := pool.PoolFigures
			s.plans.movesAfter(pool.ID, -1, func(move poolMove) {
				if before.negative() {
					note("pool %s had figures below zero at the end of %s: %+v", pool.ID, move.date, before)
				}
				before = before.Sub(move.change)
			})
			if !before.none() {
				note("pool %s has figures that its past does not have: %+v", pool.ID, before)
			}
			if left := s.grants.outstandingIn(PoolRef{plan.ID, pool.ID}); !left.Equal(pool.Outstanding()) {
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

// outstandingIn returns the sum of the outstanding quantities of the grants of a pool.
func (r *grantRegister) outstandingIn(ref PoolRef) Decimal {
	left := Decimal{}
	for grant := range r.records.All() {
		if grant.Ref() == ref && grant.Status.Outstanding() {
			left = left.Add(grant.Left())
		}
	}
	return left
}
