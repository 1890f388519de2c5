package captable

// splitPools multiplies the reserves of the class's pools and the approved quantities of their
// plans, and divides their prices. In a pool of another class, it multiplies the part of the class
// only. The difference is a move on the day of the split, so that the figures of earlier days do
// not change.
func (e SecuritySplit) splitPools(s *State, security *Security, stamp Stamp) {
	for plan := range s.Copy().Plans() { // iterates over a copy because the plans change
		if len(plan.ApprovedEquities) > 0 && plan.about(e.ID) {
			s.plans.change(plan.ID, stamp, func(plan *Plan) { plan.approve(e.approvedAfter(plan, security), e.Date) })
		}
		for i := range plan.Pools {
			ref, part := PoolRef{plan.ID, plan.Pools[i].ID}, plan.Pools[i].part(e.ID)
			own := plan.Pools[i].Security == e.ID
			if !own && part.none() {
				continue
			}
			s.movePool(ref, e.ID, e.Date, e.poolAfter(s, ref, part, security, own).Sub(part), stamp)
			s.plans.changePool(ref, stamp, func(pool *Pool) {
				pool.TotalShares = pool.Reserve
				if own {
					pool.splitStrike(e.Ratio, e.Date, e.LaterDays)
				}
			})
		}
	}
}

// poolAfter returns the figures of the class in a pool after the split. Own reports whether the pool
// is of the class. Each quantity is rounded down separately: the outstanding quantity per grant, and
// the awarded quantity per shareholding. The totals are the sums of the rounded quantities, so that
// the pool still balances. The reserve of another class is its used quantity.
func (e SecuritySplit) poolAfter(s *State, ref PoolRef, f PoolFigures, security *Security, own bool) PoolFigures {
	split := func(shares Decimal) Decimal { return e.Ratio.apply(shares, security.Places()) }
	before, awarded := e.awardedAfter(s, ref, split)
	after := PoolFigures{Reserve: split(f.Reserve), Exercised: split(f.Exercised.Sub(before)).Add(awarded), Returned: split(f.Returned)}
	after.Cancelled = split(f.Retired()).Add(after.Returned)
	after.Granted = e.outstandingAfter(s, ref, security).Add(after.Exercised).Add(after.Cancelled)
	if !own {
		after.Reserve = after.Granted.Sub(after.Returned)
	}
	return after
}

// awardedAfter returns the outstanding awarded shares of the pool and the class, before and after
// the split.
func (e SecuritySplit) awardedAfter(s *State, ref PoolRef, split func(Decimal) Decimal) (before, after Decimal) {
	restated := e.restated()
	for h := range s.Shareholdings() {
		if PoolRef(h.Award) != ref || h.Security != e.ID || !h.Status.Outstanding() {
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
// outside a plan or from a pool of another class, and warrants.
func (e SecuritySplit) reservedAfter(s *State, security *Security) Decimal {
	reserved := Decimal{}
	for plan := range s.Plans() {
		for i := range plan.Pools {
			if pool := &plan.Pools[i]; pool.Security == e.ID {
				part := pool.part(e.ID)
				after := e.poolAfter(s, PoolRef{plan.ID, pool.ID}, part, security, true)
				reserved = reserved.Add(pool.Reserved()).Add(after.Reserved()).Sub(part.Reserved())
			}
		}
	}
	for _, grant := range s.GrantsReserved(e.ID) {
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

// carry returns the part of a back-dated entry in the figures of a pool after a later split. The
// entry is already part of the figures of the days before. The split rounds the total of all
// entries, so that the part is the change of the rounded total. The outstanding part is that of its
// grant, which the caller knows.
func (s *State) carry(ref PoolRef, part PoolFigures, split SecuritySplit) (after PoolFigures) {
	_, pool, known := s.Pool(ref)
	if !known {
		return part
	}
	before, then, places := s.plans.poolOn(pool, split.Date-1), s.plans.poolOn(pool, split.Date), s.SharePlaces(split.ID)
	of := func(figure func(PoolFigures) Decimal) Decimal {
		had, has, own := figure(before), figure(then).Sub(figure(part)), figure(part)
		if rounded := split.Ratio.apply(had.Sub(own), places); !rounded.Equal(has) { // something else happened on the day
			return split.Ratio.apply(own, places)
		}
		return split.Ratio.apply(had, places).Sub(has)
	}
	after = PoolFigures{
		Reserve:   of(func(f PoolFigures) Decimal { return f.Reserve }),
		Exercised: of(func(f PoolFigures) Decimal { return f.Exercised }),
		Returned:  of(func(f PoolFigures) Decimal { return f.Returned }),
	}
	after.Cancelled = of(PoolFigures.Retired).Add(after.Returned)
	return after
}
