package captable

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// poolMove is the change of the figures of a pool on one day. The moves of a pool sum to its
// present figures, so that the figures of any day follow without the grants.
type poolMove struct {
	pool   PoolID
	date   Date
	change PoolFigures
}

func (m poolMove) less(other poolMove) bool {
	return cmp.Or(bytes.Compare(m.pool[:], other.pool[:]), cmp.Compare(m.date, other.date)) < 0
}

// poolGranted records a granted quantity of the pool while an event is applied.
func (s *State) poolGranted(ref PoolRef, quantity Decimal, on Date, stamp Stamp) {
	s.changePool(ref, stamp, func(pool *Pool) { pool.Grants++ })
	s.movePool(ref, on, PoolFigures{Granted: quantity}, stamp)
}

// poolRetracted removes the quantity of a retracted or voided grant, with effect from the day of
// the grant.
func (s *State) poolRetracted(ref PoolRef, quantity Decimal, granted Date, stamp Stamp) {
	s.movePool(ref, granted, PoolFigures{Granted: quantity.Neg()}, stamp)
}

// poolExercised records options or units that became shares, including withheld shares. The
// shares are issued separately, so that the class no longer reserves them.
func (s *State) poolExercised(ref PoolRef, quantity Decimal, on Date, stamp Stamp) {
	s.movePool(ref, on, PoolFigures{Exercised: quantity}, stamp)
}

// poolCancelled records a granted quantity that ended without shares. The event records the
// result of [PlanDetails.Returns], so that a later change of the plan does not affect it.
func (s *State) poolCancelled(ref PoolRef, quantity Decimal, returns bool, on Date, stamp Stamp) {
	change := PoolFigures{Cancelled: quantity}
	if returns {
		change.Returned = quantity
	}
	s.movePool(ref, on, change, stamp)
}

// movePool applies a change to the figures of a pool, to its moves and to the reserved shares of
// its class.
func (s *State) movePool(ref PoolRef, on Date, change PoolFigures, stamp Stamp) {
	_, pool, ok := s.Pool(ref)
	if !ok {
		return
	}
	s.changePool(ref, stamp, func(pool *Pool) {
		pool.PoolFigures, pool.taken = pool.Add(change), pool.taken.Add(on, change.Available().Neg())
	})
	move, _ := s.poolMoves.Get(poolMove{pool: ref.Pool, date: on})
	s.poolMoves.Set(poolMove{pool: ref.Pool, date: on, change: move.change.Add(change)})
	s.reserve(pool.Security, change.Reserved(), stamp)
	s.use(pool.Security, on, change.Reserved())
}

// changePool applies a change to a copy of the pool in a copy of its plan.
func (s *State) changePool(ref PoolRef, stamp Stamp, change func(*Pool)) {
	if _, _, ok := s.Pool(ref); !ok {
		return
	}
	s.changePlan(ref.Plan, stamp, func(plan *Plan) {
		pool, _ := plan.pool(ref.Pool)
		change(pool)
	})
}

// changePlan applies a change to a copy of the plan and of its pools.
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

// reserve changes the reserved shares of a class.
func (s *State) reserve(id SecurityID, change Decimal, stamp Stamp) {
	if !change.IsZero() {
		s.changeSecurity(id, stamp, func(security *Security) { security.Reserved = security.Reserved.Add(change) })
	}
}

// movesAfter visits the moves of a pool after the day, latest first.
func (s *State) movesAfter(id PoolID, day Date, walk func(poolMove)) {
	s.poolMoves.Descend(poolMove{pool: id, date: math.MaxInt32}, func(move poolMove) bool {
		if move.pool != id || move.date <= day {
			return false
		}
		walk(move)
		return true
	})
}

// poolOn returns the figures of the pool at the end of the day. It reads only the later moves, so
// that the present figures take constant time.
func (s *State) poolOn(pool *Pool, day Date) PoolFigures {
	figures := pool.PoolFigures
	s.movesAfter(pool.ID, day, func(move poolMove) { figures = figures.Sub(move.change) })
	return figures
}

// availableIn returns the number of shares that can be granted from the pool on the date: the
// minimum available on any day from the date on.
func (p *Pool) availableIn(day Date) Decimal {
	return p.taken.Most(day, math.MaxInt32).Neg().Max(Decimal{})
}

// checkGrant refuses a grant that exceeds the available shares of the pool on the date. The
// pointer is that of the quantity field.
func (s *State) checkGrant(plan *Plan, pool *Pool, quantity Decimal, on Date, pointer string) error {
	available := AuthorizedOf(pool.availableIn(on))
	if available.Covers(quantity) || s.unlimited {
		return nil
	}
	if err := s.checkApproval(plan, pool, on); err != nil {
		return err
	}
	day, _ := firstAbove(pool.taken, span{from: on, to: math.MaxInt32}, quantity)
	return insufficient("There are not enough shares left in the pool.", available, quantity).
		With("pool", pool.ID.String()).With("date", day.String()).at(pointer, string(CodeInsufficientShares), exceeds(available, quantity, day))
}

// checkTerm adds a fault for the date of a grant outside the term of the plan.
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

// checkType adds a fault for a type of grant that the plan does not approve.
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

// reservedOn returns the reserved shares of each class at the end of the day: for pools, grants
// outside a plan and warrants.
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
