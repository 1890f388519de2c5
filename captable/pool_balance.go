package captable

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"

	"equity/fault"
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
	s.plans.changePool(ref, stamp, func(pool *Pool) { pool.Grants++ })
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
	s.plans.changePool(ref, stamp, func(pool *Pool) {
		pool.PoolFigures, pool.taken = pool.Add(change), pool.taken.Add(on, change.Available().Neg())
	})
	move, _ := s.plans.moves.Get(poolMove{pool: ref.Pool, date: on})
	s.plans.moves.Set(poolMove{pool: ref.Pool, date: on, change: move.change.Add(change)})
	s.classes.reserve(pool.Security, change.Reserved(), stamp)
	s.classes.use(pool.Security, on, change.Reserved())
}

// changePool applies a change to a copy of the pool in a copy of its plan.
func (r *planRegister) changePool(ref PoolRef, stamp Stamp, change func(*Pool)) {
	if _, _, ok := r.pool(ref); !ok {
		return
	}
	r.change(ref.Plan, stamp, func(plan *Plan) {
		pool, _ := plan.pool(ref.Pool)
		change(pool)
	})
}

// change applies a change to a copy of the plan and of its pools.
func (r *planRegister) change(id PlanID, stamp Stamp, change func(*Plan)) {
	old, ok := r.records.Get(id)
	if !ok {
		return
	}
	next := *old
	next.Pools = slices.Clone(old.Pools)
	change(&next)
	next.Touch(stamp)
	r.records.Set(id, &next)
}

// reserve changes the reserved shares of a class.
func (c *classes) reserve(id SecurityID, change Decimal, stamp Stamp) {
	if !change.IsZero() {
		c.changeSecurity(id, stamp, func(security *Security) { security.Reserved = security.Reserved.Add(change) })
	}
}

// movesAfter visits the moves of a pool after the day, latest first.
func (r *planRegister) movesAfter(id PoolID, day Date, walk func(poolMove)) {
	r.moves.Descend(poolMove{pool: id, date: math.MaxInt32}, func(move poolMove) bool {
		if move.pool != id || move.date <= day {
			return false
		}
		walk(move)
		return true
	})
}

// PoolMoves iterates over the changes of the figures of a pool by day, up to the end of the day.
func (s *State) PoolMoves(id PoolID, until Date) iter.Seq2[Date, PoolFigures] {
	return func(yield func(Date, PoolFigures) bool) {
		s.plans.moves.Ascend(poolMove{pool: id, date: math.MinInt32}, func(move poolMove) bool {
			return move.pool == id && move.date <= until && yield(move.date, move.change)
		})
	}
}

// poolOn returns the figures of the pool at the end of the day. It reads only the later moves, so
// that the present figures take constant time.
func (r *planRegister) poolOn(pool *Pool, day Date) PoolFigures {
	figures := pool.PoolFigures
	r.movesAfter(pool.ID, day, func(move poolMove) { figures = figures.Sub(move.change) })
	return figures
}

// availableIn returns the number of shares that can be granted from the pool on the date: the
// minimum available on any day from the date on.
func (p *Pool) availableIn(day Date) Decimal {
	return p.taken.Most(day, math.MaxInt32).Neg().Max(Decimal{})
}

// checkPoolGrant refuses a grant that exceeds the available shares of the pool on the date. The
// pointer is that of the quantity field.
func checkPoolGrant(s *State, plan *Plan, pool *Pool, quantity Decimal, on Date, pointer string) error {
	available := AuthorizedOf(pool.availableIn(on))
	if available.Covers(quantity) || s.classes.unlimited {
		return nil
	}
	if err := checkApproval(plan, pool, on); err != nil {
		return err
	}
	day, _ := firstAbove(pool.taken, span{from: on, to: math.MaxInt32}, quantity)
	return insufficient("There are not enough shares left in the pool.", available, quantity).
		With("pool", pool.ID.String()).With("date", day.String()).At(pointer, string(fault.InsufficientShares), exceeds(available, quantity, day))
}

// checkTerm adds a fault for the date of a grant outside the term of the plan.
func (p *PlanDetails) checkTerm(faults *fault.Fields, pointer string, granted Date) {
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
func (p *PlanDetails) checkType(faults *fault.Fields, pointer string, granted GrantType) {
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
func reservedOn(s *State, day Date) map[SecurityID]Decimal {
	reserved, lapsed := map[SecurityID]Decimal{}, lapsedIn(s, day)
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(s.plans.poolOn(pool, day).Add(lapsed[PoolRef{plan.ID, pool.ID}]).Reserved())
		}
	}
	for grant := range s.Grants() {
		if grant.outside() {
			reserved[grant.Security] = reserved[grant.Security].Add(grant.LeftOn(day))
		}
	}
	for i := range s.Instruments() {
		if !i.Security.IsZero() {
			reserved[i.Security] = reserved[i.Security].Add(i.LeftOn(day))
		}
	}
	return reserved
}
