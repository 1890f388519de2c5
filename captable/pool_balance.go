package captable

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// poolMove is how the figures of a pool changed on one day. The moves of a pool sum to
// its present figures, so that those of any day follow without looking at the grants.
type poolMove struct {
	pool   PoolID
	date   Date
	change PoolFigures
}

func (m poolMove) less(other poolMove) bool {
	return cmp.Or(bytes.Compare(m.pool[:], other.pool[:]), cmp.Compare(m.date, other.date)) < 0
}

// poolGranted notes in Apply that so much was granted from the pool.
func (s *State) poolGranted(ref PoolRef, quantity Decimal, on Date, stamp Stamp) {
	s.changePool(ref, stamp, func(pool *Pool) { pool.Grants++ })
	s.movePool(ref, on, PoolFigures{Granted: quantity}, stamp)
}

// poolRetracted undoes a grant of the day as if it had never been made: after it was
// retracted or entered in error.
func (s *State) poolRetracted(ref PoolRef, quantity Decimal, granted Date, stamp Stamp) {
	s.movePool(ref, granted, PoolFigures{Granted: quantity.Neg()}, stamp)
}

// poolExercised notes that options or units became shares, withheld ones included. These are issued besides: what the
// class had reserved for them it reserves no more.
func (s *State) poolExercised(ref PoolRef, quantity Decimal, on Date, stamp Stamp) {
	s.movePool(ref, on, PoolFigures{Exercised: quantity}, stamp)
}

// poolCancelled notes that so much of a grant ended without shares. Whether it returns
// was decided with [PlanDetails.Returns] and recorded: a later change of the plan does
// not touch it.
func (s *State) poolCancelled(ref PoolRef, quantity Decimal, returns bool, on Date, stamp Stamp) {
	change := PoolFigures{Cancelled: quantity}
	if returns {
		change.Returned = quantity
	}
	s.movePool(ref, on, change, stamp)
}

// movePool enters a change of a pool's figures: into the pool, into its past, and into
// what its class keeps reserved.
func (s *State) movePool(ref PoolRef, on Date, change PoolFigures, stamp Stamp) {
	_, pool, ok := s.Pool(ref)
	if !ok {
		return
	}
	s.changePool(ref, stamp, func(pool *Pool) { pool.PoolFigures = pool.Add(change) })
	move, _ := s.poolMoves.Get(poolMove{pool: ref.Pool, date: on})
	s.poolMoves.Set(poolMove{pool: ref.Pool, date: on, change: move.change.Add(change)})
	s.reserve(pool.Security, change.Reserved(), stamp)
}

// changePool changes a copy of the pool within a copy of its plan.
func (s *State) changePool(ref PoolRef, stamp Stamp, change func(*Pool)) {
	if _, _, ok := s.Pool(ref); !ok {
		return
	}
	s.changePlan(ref.Plan, stamp, func(plan *Plan) {
		pool, _ := plan.pool(ref.Pool)
		change(pool)
	})
}

// changePlan changes a copy of the plan and of its pools.
func (s *State) changePlan(id PlanID, stamp Stamp, change func(*Plan)) {
	old, ok := s.Plan(id)
	if !ok {
		return
	}
	next := *old
	next.Pools = slices.Clone(old.Pools)
	change(&next)
	next.Touch(stamp)
	s.plans.Set(id, &next)
}

// reserve changes what a class keeps for pools and warrants.
func (s *State) reserve(id SecurityID, change Decimal, stamp Stamp) {
	if !change.IsZero() {
		s.changeSecurity(id, stamp, func(security *Security) { security.Reserved = security.Reserved.Add(change) })
	}
}

// movesAfter walks the moves of a pool backwards until the day, which is not walked.
func (s *State) movesAfter(id PoolID, day Date, walk func(poolMove)) {
	s.poolMoves.Descend(poolMove{pool: id, date: math.MaxInt32}, func(move poolMove) bool {
		if move.pool != id || move.date <= day {
			return false
		}
		walk(move)
		return true
	})
}

// poolOn gives the figures of the pool at the end of the day. Those of today cost
// nothing: only what came later is walked.
func (s *State) poolOn(pool *Pool, day Date) PoolFigures {
	figures := pool.PoolFigures
	s.movesAfter(pool.ID, day, func(move poolMove) { figures = figures.Sub(move.change) })
	return figures
}

// availableIn is what may be granted from the pool with the date: what was available
// on the day and on every day since.
func (s *State) availableIn(pool *Pool, day Date) Decimal {
	figures := pool.PoolFigures
	least := figures.Available()
	s.movesAfter(pool.ID, day, func(move poolMove) {
		figures = figures.Sub(move.change)
		least = least.Min(figures.Available())
	})
	return least.Max(Decimal{})
}

// checkGrant refuses to grant more from the pool than is available with the date.
func (s *State) checkGrant(pool *Pool, quantity Decimal, on Date) error {
	if available := s.availableIn(pool, on); available.Cmp(quantity) < 0 {
		return insufficient("There are not enough shares left in the pool.", AuthorizedOf(available), quantity).
			With("pool", pool.ID.String())
	}
	return nil
}

// checkTerm notes a grant of a day on which the plan was not in force.
func (p *PlanDetails) checkTerm(faults *Faults, pointer string, granted Date) {
	end := p.ExpiresOn()
	switch {
	case granted.IsZero():
	case granted < p.EffectiveDate:
		faults.Add(pointer, "beforePlan", "The plan is in force from "+p.EffectiveDate.String()+" on.")
	case !end.IsZero() && granted >= end:
		faults.Add(pointer, "planExpired", "The term of the plan ended on "+end.String()+".")
	}
}

// checkType notes a type of grant that the plan does not approve.
func (p *PlanDetails) checkType(faults *Faults, pointer string, granted GrantType) {
	for _, approved := range p.ApprovedEquities {
		if approved.Type == granted {
			return
		}
	}
	if len(p.ApprovedEquities) > 0 {
		faults.Add(pointer, "notApproved", "The plan does not grant this type.")
	}
}

// reservedOn gives what each class kept for its pools and for warrants at the end of the day.
func (s *State) reservedOn(day Date) map[SecurityID]Decimal {
	reserved, lapsed := map[SecurityID]Decimal{}, s.lapsedIn(day)
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(s.poolOn(pool, day).Add(lapsed[PoolRef{plan.ID, pool.ID}]).Reserved())
		}
	}
	for grant := range s.Grants() {
		if grant.outside() {
			reserved[grant.Security] = reserved[grant.Security].Add(grant.leftOn(day))
		}
	}
	for i := range s.Instruments() {
		if !i.Security.IsZero() {
			reserved[i.Security] = reserved[i.Security].Add(i.LeftOn(day))
		}
	}
	return reserved
}
