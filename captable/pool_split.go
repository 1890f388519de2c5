package captable

// splitPools multiplies the reserves of the class's pools and the approved quantities of their
// plans, and divides their prices. The difference is a move on the day of the split, so that the
// figures of earlier days do not change.
func (e SecuritySplit) splitPools(s *State, security *Security, stamp Stamp) {
	for plan := range s.Copy().Plans() { // iterates over a copy because the plans change
		if len(plan.ApprovedEquities) > 0 && plan.about(e.ID) {
			s.changePlan(plan.ID, stamp, func(plan *Plan) { plan.approve(e.approvedAfter(plan, security), e.Date) })
		}
		for i := range plan.Pools {
			pool, ref := &plan.Pools[i], PoolRef{plan.ID, plan.Pools[i].ID}
			if pool.Security != e.ID {
				continue
			}
			after := e.poolAfter(s, ref, pool.PoolFigures, security)
			s.movePool(ref, e.Date, after.Sub(pool.PoolFigures), stamp)
			s.changePool(ref, stamp, func(pool *Pool) {
				pool.TotalShares = after.Reserve
				pool.splitStrike(e.Ratio, e.Date, e.LaterDays)
			})
		}
	}
}

// poolAfter returns the figures after the split. Each part is rounded down separately: the
// outstanding quantity per grant, and the awarded quantity per shareholding. The totals are the
// sums of the rounded parts, so that the pool still balances.
func (e SecuritySplit) poolAfter(s *State, ref PoolRef, f PoolFigures, security *Security) PoolFigures {
	split := func(shares Decimal) Decimal { return e.Ratio.apply(shares, security.Places()) }
	before, awarded := e.awardedAfter(s, ref, split)
	after := PoolFigures{Reserve: split(f.Reserve), Exercised: split(f.Exercised.Sub(before)).Add(awarded), Returned: split(f.Returned)}
	after.Cancelled = split(f.Retired()).Add(after.Returned)
	after.Granted = e.outstandingAfter(s, ref, security).Add(after.Exercised).Add(after.Cancelled)
	return after
}

// awardedAfter returns the outstanding awarded shares of the pool before and after the split.
func (e SecuritySplit) awardedAfter(s *State, ref PoolRef, split func(Decimal) Decimal) (before, after Decimal) {
	restated := e.restated()
	for h := range s.Shareholdings() {
		if PoolRef(h.Award) != ref || !h.Status.Outstanding() {
			continue
		}
		before = before.Add(h.Shares)
		if restated[h.ID] {
			after = after.Add(h.Shares)
		} else {
			after = after.Add(split(h.Shares))
		}
	}
	return before, after
}

// reservedAfter returns the reserved shares of the class after the split: for pools, grants
// outside a plan and warrants.
func (e SecuritySplit) reservedAfter(s *State, security *Security) Decimal {
	reserved := Decimal{}
	for plan := range s.Plans() {
		for i := range plan.Pools {
			if plan.Pools[i].Security == e.ID {
				reserved = reserved.Add(e.poolAfter(s, PoolRef{plan.ID, plan.Pools[i].ID}, plan.Pools[i].PoolFigures, security).Reserved())
			}
		}
	}
	for _, grant := range s.grantsOutside(e.ID) {
		if grant.Status.Outstanding() {
			reserved = reserved.Add(e.Ratio.apply(grant.Left(), security.Places()))
		}
	}
	for i := range s.Instruments() {
		if i.Security == e.ID {
			reserved = reserved.Add(e.Ratio.apply(i.reserved(), security.Places()))
		}
	}
	return reserved
}

// lastMove returns the day of the last change of any pool of the class; zero without one.
func (s *State) lastMove(id SecurityID) (last Date) {
	for plan := range s.Plans() {
		for i := range plan.Pools {
			if plan.Pools[i].Security == id {
				s.movesAfter(plan.Pools[i].ID, last, func(move poolMove) { last = max(last, move.date) })
			}
		}
	}
	return last
}
