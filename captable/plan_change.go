package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// PoolReserve is a change of the reserve of a pool from a date on.
type PoolReserve struct {
	Pool   PoolID  `json:"pool"`
	From   Date    `json:"from,omitzero"`
	Change Decimal `json:"change"`
	// Stated reports whether a size is stated for the day. It is implied if the terms of the pool have
	// the day as the date of their approval.
	Stated bool `json:"stated,omitempty"`
	// Size is the size of the pool from the day on, in shares of the day; zero in older events, and for
	// a later stated size, which does not change.
	Size Decimal `json:"size,omitzero"`
}

// PlanCreated records a new plan and the reserves of its pools.
type PlanCreated struct {
	ID       PlanID        `json:"id"`
	Terms    PlanTerms     `json:"terms"`
	Reserves []PoolReserve `json:"reserves,omitempty"`
	Source   *Source       `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (PlanCreated) EventType() string { return "planCreated" }

// Creates returns the plan. Its pools are not listed separately.
func (e PlanCreated) Creates() []Created { return []Created{{e.ID, kindPlan}} }

// Records returns the plan.
func (e PlanCreated) Records(s *State) []any { return records(s.Plan(e.ID)) }

// PlanChanged records other terms of a plan and the changes of its reserves.
type PlanChanged struct {
	ID       PlanID        `json:"id"`
	Terms    PlanTerms     `json:"terms"`
	Reserves []PoolReserve `json:"reserves,omitempty"`
}

// EventType returns the name of the event in the journal.
func (PlanChanged) EventType() string { return "planChanged" }

// Creates returns nil: the event creates no record.
func (PlanChanged) Creates() []Created { return nil }

// Records returns the plan.
func (e PlanChanged) Records(s *State) []any { return records(s.Plan(e.ID)) }

// PlanDeleted records the deletion of a plan without grants.
type PlanDeleted struct {
	ID PlanID `json:"id"`
}

// EventType returns the name of the event in the journal.
func (PlanDeleted) EventType() string { return "planDeleted" }

// Creates returns nil: the event creates no record.
func (PlanDeleted) Creates() []Created { return nil }

// Records returns nil: the plan is deleted.
func (PlanDeleted) Records(*State) []any { return nil }

// CreatePlan is the command to create a plan.
type CreatePlan struct {
	PlanTerms
	Source *Source `json:"-"`
}

// ReplacePlan is the command to replace the terms of a plan and of its pools. A change of a
// pool's size takes effect on its boardApprovalDate if the terms change that date, else today.
type ReplacePlan struct {
	ID PlanID `json:"-"`
	PlanTerms
}

// DeletePlan is the command to delete a plan without grants.
type DeletePlan struct{ ID PlanID }

func (c CreatePlan) decide(s *State, m DecideContext) ([]Event, error) {
	plan := &Plan{ID: m.NewID()}
	terms, err := c.checked(s, m, plan)
	if err != nil {
		return nil, err
	}
	reserves, err := terms.reserves(s, m, plan)
	if err != nil {
		return nil, err
	}
	return []Event{PlanCreated{ID: plan.ID, Terms: terms.present(plan, reserves), Reserves: reserves, Source: c.Source}}, nil
}

// decide replaces the terms of a plan. A pool with grants cannot be removed or moved to another
// class. Its size cannot fall below its used shares.
func (c ReplacePlan) decide(s *State, m DecideContext) ([]Event, error) {
	plan, err := s.plans.plan(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := c.checked(s, m, plan)
	if err != nil {
		return nil, err
	}
	if err := terms.keepsUsed(plan); err != nil {
		return nil, err
	}
	if err := terms.checkApprovals(s, plan, m.today()); err != nil {
		return nil, err
	}
	reserves, err := terms.reserves(s, m, plan)
	if err != nil {
		return nil, err
	}
	return []Event{PlanChanged{ID: c.ID, Terms: terms.present(plan, reserves), Reserves: reserves}}, nil
}

func (c DeletePlan) decide(s *State, _ DecideContext) ([]Event, error) {
	plan, err := s.plans.plan(c.ID)
	if err != nil {
		return nil, err
	}
	if err := (PlanTerms{}).keepsUsed(plan); err != nil {
		return nil, err
	}
	return []Event{PlanDeleted(c)}, nil
}

// keepsUsed refuses terms that remove a pool with grants or change its class.
func (t PlanTerms) keepsUsed(plan *Plan) error {
	for i := range plan.Pools {
		pool := &plan.Pools[i]
		if pool.Grants == 0 {
			continue
		}
		terms, kept := t.pool(pool.ID)
		if !kept {
			return pool.inUse("The pool cannot be deleted: shares were granted from it.")
		}
		if terms.Security != pool.Security {
			return pool.inUse("The security of the pool cannot change: shares were granted from it.")
		}
	}
	return nil
}

func (t PlanTerms) pool(id PoolID) (PoolTerms, bool) {
	for _, terms := range t.Pools {
		if terms.ID == id {
			return terms, true
		}
	}
	return PoolTerms{}, false
}

func (p *Pool) inUse(message string) error {
	return fault.Refuse(fault.InUse, message).With("pool", p.ID.String()).With("granted", p.Granted.String()).
		With("outstanding", p.Outstanding().String()).With("exercised", p.Exercised.String())
}

// reserves returns the changes of the reserves that result from the terms.
func (t PlanTerms) reserves(s *State, m DecideContext, plan *Plan) ([]PoolReserve, error) {
	var reserves []PoolReserve
	var faults fault.Fields
	needed := map[SecurityID]Decimal{}
	for i := range plan.Pools {
		pool := &plan.Pools[i]
		needed[pool.Security] = needed[pool.Security].Sub(pool.Reserved())
	}
	for i, terms := range t.Pools {
		pool, known := plan.pool(terms.ID)
		if !known {
			pool = &Pool{PoolTerms: PoolTerms{ID: terms.ID}}
		}
		security, _ := s.Security(terms.Security)
		from := terms.since(m, &t, pool, known)
		if known && from != terms.BoardApprovalDate { // a present size counts in present shares
			from = max(from, security.lastSplit())
		}
		sizes := s.plans.resized(pool, terms.TotalShares, from, security)
		change := sizes[0]
		needed[terms.Security] = needed[terms.Security].Add(pool.Reserved())
		for _, size := range sizes {
			needed[terms.Security] = needed[terms.Security].Add(size.Change)
		}
		if known && !change.Change.IsZero() {
			s.plans.checkBegun(pool, &faults, "/pools/"+strconv.Itoa(i)+"/boardApprovalDate", change.From)
		}
		if known && terms.TotalShares.Equal(pool.TotalShares) && len(security.splitsAfter(from)) > 0 {
			continue // the terms repeat the present size
		}
		if len(sizes) > 1 { // checkDays checks the days until the later size
			sizes[0].Stated = !from.IsZero()
			reserves = append(reserves, sizes...)
			continue
		}
		if err := pool.checkShrinks(change.Change, change.From, "/pools/"+strconv.Itoa(i)+"/totalShares"); err != nil {
			return nil, err
		}
		if states := change.From == terms.BoardApprovalDate && change.From != pool.BoardApprovalDate; states || !change.Change.IsZero() {
			reserves = append(reserves, change)
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	for i, terms := range t.Pools { // in the order of the terms, so that the reported pool is deterministic
		if security, known := s.Security(terms.Security); known && !security.Reserved.Add(needed[terms.Security]).Fits() {
			return nil, fault.Refuse(fault.InsufficientShares, "The reserved shares must have at most 19 digits before the decimal point.").
				With("pool", strconv.Itoa(i))
		}
	}
	return reserves, nil
}

// present returns the terms with the present size and approval of each pool of which a size is stated
// that ends before the present one.
func (t PlanTerms) present(plan *Plan, reserves []PoolReserve) PlanTerms {
	t.Pools = slices.Clone(t.Pools)
	for i := range t.Pools {
		terms := &t.Pools[i]
		pool, known := plan.pool(terms.ID)
		sizes := ofPool(reserves, terms.ID)
		if n := len(sizes); n > 1 && !sizes[n-1].Stated { // restated by splits
			terms.TotalShares = sizes[n-1].Size
		}
		if known && len(sizes) > 1 && sizes[len(sizes)-1].Stated && terms.TotalShares != pool.TotalShares {
			terms.TotalShares, terms.BoardApprovalDate = pool.TotalShares, pool.BoardApprovalDate
		}
	}
	return t
}

// ofPool returns the changes of the reserve of one pool.
func ofPool(reserves []PoolReserve, id PoolID) []PoolReserve {
	return until(reserves, func(reserve PoolReserve) bool { return reserve.Pool == id })
}

// since returns the day on which the size of the pool in the terms takes effect.
func (t PoolTerms) since(m DecideContext, plan *PlanTerms, was *Pool, known bool) Date {
	switch {
	case !t.BoardApprovalDate.IsZero() && t.BoardApprovalDate != was.BoardApprovalDate:
		return t.BoardApprovalDate
	case known:
		return exact.DateOf(m.Now.UTC())
	default:
		return plan.BoardApprovalDate
	}
}

func (e PlanCreated) apply(s *State, stamp Stamp) {
	plan := &Plan{ID: e.ID, PlanDetails: e.Terms.PlanDetails, Meta: NewMeta(stamp)}
	for _, terms := range e.Terms.Pools {
		pool := Pool{PoolTerms: terms}
		s.restateStrike(&pool, e.Reserves)
		plan.Pools = append(plan.Pools, pool)
	}
	s.plans.records.Set(e.ID, plan)
	s.externalIDs.set(kindPlan, "", e.Terms.ExternalID, e.ID)
	reserveAll(s, e.ID, e.Terms, e.Reserves, stamp)
}

// apply replaces the terms of the plan. A remaining pool keeps its figures. If its class changes,
// its reserve moves to the new class.
func (e PlanChanged) apply(s *State, stamp Stamp) {
	old, ok := s.Plan(e.ID)
	if !ok {
		return
	}
	s.externalIDs.set(kindPlan, old.ExternalID, e.Terms.ExternalID, e.ID)
	next := *old
	next.PlanDetails, next.Pools = e.Terms.PlanDetails, nil
	for _, terms := range e.Terms.Pools {
		pool := Pool{}
		if known, ok := old.pool(terms.ID); ok {
			pool = *known
			s.classes.reserve(known.Security, pool.Reserved().Neg(), stamp)
			s.classes.reserve(terms.Security, pool.Reserved(), stamp)
			if !terms.StrikePrice.equal(pool.StrikePrice) {
				pool.keepStrike(stamp.day(), Ratio{})
			}
			pool.keepBoardApproval(&terms, stamp.day())
			if sizes := ofPool(e.Reserves, terms.ID); len(sizes) > 1 && terms.BoardApprovalDate == pool.BoardApprovalDate {
				pool.insertBoardApproval(sizes[0].From)
			}
			moveUses(s, &pool, terms.Security)
		}
		added := pool.ID.IsZero()
		if pool.PoolTerms = terms; added {
			s.restateStrike(&pool, e.Reserves)
		}
		next.Pools = append(next.Pools, pool)
	}
	for i := range old.Pools {
		if _, kept := next.pool(old.Pools[i].ID); !kept {
			dropPool(s, &old.Pools[i], stamp)
		}
	}
	next.Touch(stamp)
	s.plans.records.Set(e.ID, &next)
	reserveAll(s, e.ID, e.Terms, e.Reserves, stamp)
}

func (e PlanDeleted) apply(s *State, stamp Stamp) {
	old, ok := s.Plan(e.ID)
	if !ok {
		return
	}
	for i := range old.Pools {
		dropPool(s, &old.Pools[i], stamp)
	}
	s.externalIDs.set(kindPlan, old.ExternalID, "", e.ID)
	s.plans.records.Delete(e.ID)
}

func reserveAll(s *State, id PlanID, terms PlanTerms, reserves []PoolReserve, stamp Stamp) {
	for _, reserve := range reserves {
		pool, _ := terms.pool(reserve.Pool)
		s.sizePool(PoolRef{id, reserve.Pool}, reserve.From, reserve.Change, reserve.Stated || reserve.From == pool.BoardApprovalDate, stamp)
	}
}

// restateStrike applies the splits after the first day of a new pool to its strike price, which counts
// in shares of that day. Without a first day it counts in present shares, and the splits change the past.
func (s *State) restateStrike(pool *Pool, reserves []PoolReserve) {
	security, _ := s.Security(pool.Security)
	own := ofPool(reserves, pool.ID)
	if len(own) == 0 {
		return
	}
	for _, split := range security.splitsAfter(own[0].From) {
		pool.splitStrike(split.Ratio, split.Date, true)
	}
	if len(own) == 1 || !own[0].From.IsZero() {
		return
	}
	before := pool.StrikePrice
	for _, split := range slices.Backward(security.Splits) {
		before = split.Ratio.inverse().applyPrice(before)
		pool.PastStrikes = slices.Insert(pool.PastStrikes, 0, PastStrike{Until: split.Date, StrikePrice: before})
	}
}

// dropPool releases the reserve of a pool and deletes its moves.
func dropPool(s *State, pool *Pool, stamp Stamp) {
	s.classes.reserve(pool.Security, pool.Reserved().Neg(), stamp)
	var past []poolMove
	s.plans.movesAfter(pool.ID, -1, func(move poolMove) { past = append(past, move) })
	for _, move := range past {
		s.plans.moves.Delete(move)
		s.classes.use(pool.Security, move.date, move.change.Reserved().Neg())
	}
}

// named returns the plan with the name, regardless of case, or nil.
func (r *planRegister) named(name string) *Plan {
	for plan := range r.records.All() {
		if strings.EqualFold(plan.Name, name) {
			return plan
		}
	}
	return nil
}
