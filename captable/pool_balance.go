package captable

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"

	"equity/fault"
)

// poolMove is the change of the figures of a pool on one day. The moves of a pool sum to its
// present figures, so that the figures of any day follow without the grants. See ruling 13.
type poolMove struct {
	pool   PoolID
	date   Date
	change PoolFigures
	// sized reports whether a size of the pool is stated from the day on.
	sized bool
}

func (m poolMove) less(other poolMove) bool {
	return cmp.Or(bytes.Compare(m.pool[:], other.pool[:]), cmp.Compare(m.date, other.date)) < 0
}

// poolGranted records a granted quantity of the pool while an event is applied.
func (s *State) poolGranted(ref PoolRef, class SecurityID, quantity Decimal, on Date, stamp Stamp) {
	s.plans.changePool(ref, stamp, func(pool *Pool) { pool.Grants++ })
	s.movePool(ref, class, on, PoolFigures{Granted: quantity}, stamp)
}

// poolRetracted removes the quantity of a retracted or voided grant, with effect from the day of
// the grant.
func (s *State) poolRetracted(ref PoolRef, class SecurityID, quantity Decimal, granted Date, stamp Stamp) {
	s.movePool(ref, class, granted, PoolFigures{Granted: quantity.Neg()}, stamp)
}

// poolExercised records options or units that became shares, including withheld shares. The
// shares are issued separately, so that the class no longer reserves them.
func (s *State) poolExercised(ref PoolRef, class SecurityID, quantity Decimal, on Date, stamp Stamp) {
	s.movePool(ref, class, on, PoolFigures{Exercised: quantity}, stamp)
}

// poolCancelled records a granted quantity that ended without shares. The event records the
// result of [PlanDetails.Returns], so that a later change of the plan does not affect it.
func (s *State) poolCancelled(ref PoolRef, class SecurityID, quantity Decimal, returns bool, on Date, stamp Stamp) {
	change := PoolFigures{Cancelled: quantity}
	if returns {
		change.Returned = quantity
	}
	s.movePool(ref, class, on, change, stamp)
}

// movePool applies a change to the figures of a pool, to its moves and to the reserved shares of
// its class. The class is that of the grants or the shares that change; zero means the class of the
// pool. The class of the pool reserves the available and the outstanding shares of all classes,
// because cancelled grants return to it. See ruling 68.
func (s *State) movePool(ref PoolRef, class SecurityID, on Date, change PoolFigures, stamp Stamp) {
	_, pool, ok := s.Pool(ref)
	if !ok {
		return
	}
	s.plans.changePool(ref, stamp, func(pool *Pool) {
		pool.PoolFigures, pool.taken = pool.Add(change), pool.taken.Add(on, change.Available().Neg())
		if class != pool.Security && !class.IsZero() {
			pool.addOther(class, change)
		}
	})
	move, _ := s.plans.moves.Get(poolMove{pool: ref.Pool, date: on})
	s.plans.moves.Set(poolMove{pool: ref.Pool, date: on, change: move.change.Add(change), sized: move.sized})
	s.classes.reserve(pool.Security, change.Reserved(), stamp)
	s.classes.use(pool.Security, on, change.Reserved())
}

// sizePool applies a change of the size of a pool. Stated reports whether the size is stated for the day.
func (s *State) sizePool(ref PoolRef, on Date, change Decimal, stated bool, stamp Stamp) {
	s.movePool(ref, SecurityID{}, on, PoolFigures{Reserve: change}, stamp)
	if move, known := s.plans.moves.Get(poolMove{pool: ref.Pool, date: on}); known && stated {
		move.sized = true
		s.plans.moves.Set(move)
	}
}

// resized returns the changes of the reserve after which the pool has the size from the day on, until
// the day of the next stated size, which does not change. The size counts in shares of the day, and
// later splits of the class restate it. Later sizes without a stated day are replaced. A new pool without
// a first day has its size in present shares. See ruling 143.
func (r *planRegister) resized(pool *Pool, size Decimal, from Date, class *Security) []PoolReserve {
	if from.IsZero() {
		return class.sizedAlways(pool.ID, size)
	}
	change := size.Sub(r.poolOn(pool, from).Reserve)
	changes, splits := []PoolReserve{{Pool: pool.ID, From: from, Change: change, Size: size}}, class.splitsAfter(from)
	moves := map[Date]poolMove{}
	r.movesAfter(pool.ID, from, func(move poolMove) { moves[move.date] = move })
	for _, split := range splits {
		if _, moved := moves[split.Date]; !moved {
			moves[split.Date] = poolMove{}
		}
	}
	for _, day := range slices.Sorted(maps.Keys(moves)) {
		if moves[day].sized {
			return append(changes, PoolReserve{Pool: pool.ID, From: day, Change: change.Neg(), Stated: true})
		}
		next := size
		for _, split := range splits {
			if split.Date == day {
				next = split.Ratio.apply(next, class.Places())
			}
		}
		step := next.Sub(size).Sub(moves[day].change.Reserve)
		if !step.IsZero() || !next.Equal(size) {
			changes = append(changes, PoolReserve{Pool: pool.ID, From: day, Change: step, Size: next})
		}
		change, size = change.Add(step), next
	}
	return changes
}

// sizedAlways returns the changes of the reserve of a new pool without a first day. The size is in present shares, so that
// it is divided by the ratio of each recorded split on the days before that split.
func (s *Security) sizedAlways(pool PoolID, size Decimal) []PoolReserve {
	sizes := []PoolReserve{{Pool: pool, Change: size, Size: size}}
	if s == nil {
		return sizes
	}
	for _, split := range slices.Backward(s.Splits) {
		first := &sizes[0]
		before := split.Ratio.inverse().apply(first.Size, s.Places())
		changed := PoolReserve{Pool: pool, From: split.Date, Change: first.Size.Sub(before), Size: first.Size}
		first.Change, first.Size = before, before
		sizes = slices.Insert(sizes, 1, changed)
	}
	return sizes
}

// PoolPart holds the figures of the grants and the awards of one class.
type PoolPart struct {
	Security SecurityID `json:"security"`
	PoolFigures
}

// addOther adds a change to the part of another class than that of the pool. The reserve of the
// part is its used quantity, so that none of it is available.
func (p *Pool) addOther(class SecurityID, change PoolFigures) {
	change.Reserve = change.Reserve.Sub(change.Available())
	p.Others = slices.Clone(p.Others)
	i := slices.IndexFunc(p.Others, func(part PoolPart) bool { return part.Security == class })
	if i < 0 {
		i, p.Others = len(p.Others), append(p.Others, PoolPart{Security: class})
	}
	p.Others[i].PoolFigures = p.Others[i].Add(change)
}

// Classes returns the class of the pool and the other classes of its grants.
func (p *Pool) Classes() []SecurityID {
	all := []SecurityID{p.Security}
	for _, other := range p.Others {
		all = append(all, other.Security)
	}
	return all
}

// part returns the figures of the shares of a class in the pool. The part of the pool's own class
// includes the available shares.
func (p *Pool) part(class SecurityID) (own PoolFigures) {
	own = p.PoolFigures
	for _, other := range p.Others {
		if other.Security == class {
			return other.PoolFigures
		}
		own = own.Sub(other.PoolFigures)
	}
	if class != p.Security {
		return PoolFigures{}
	}
	return own
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
	if err := s.plans.checkApproval(plan, pool, on); err != nil {
		return err
	}
	day, _ := firstAbove(pool.taken, span{from: on, to: math.MaxInt32}, quantity)
	return insufficient("There are not enough shares left in the pool.", available, quantity).
		With("pool", pool.ID.String()).With("date", day.String()).At(
		pointer, string(fault.InsufficientShares), exceeds(available, quantity, day),
	)
}

// checkTerm adds a fault for the date of a grant outside the term of the plan.
func (p *PlanDetails) checkTerm(faults *fault.Fields, pointer string, granted Date) {
	end := p.ExpiresOn()
	switch {
	case granted.IsZero():
	case granted < p.EffectiveDate:
		faults.Add(pointer, "beforePlan", "The date must not be before the effective date of the plan, "+p.EffectiveDate.String()+".")
	case !end.IsZero() && granted >= end:
		faults.Add(pointer, "planExpired", "The date must be before the end of the term of the plan, "+end.String()+".")
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
		faults.Add(pointer, "notApproved", "The type must be one that the plan approves.")
	}
}

// reservedOn returns the reserved shares of each class at the end of the day: for pools, grants
// outside a plan or from a pool of another class, and warrants.
func reservedOn(s *State, day Date) map[SecurityID]Decimal {
	reserved, lapsed := map[SecurityID]Decimal{}, lapsedIn(s, day)
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(
				s.plans.poolOn(pool, day).Add(lapsed[PoolRef{plan.ID, pool.ID}]).Reserved(),
			)
		}
	}
	for grant := range s.Grants() {
		if grant.reserved() {
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
