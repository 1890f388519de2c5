package captable

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/captable/timeline"
)

// PoolReserve is a change of the reserve of a pool from a date on.
type PoolReserve struct {
	Pool   PoolID  `json:"pool"`
	From   Date    `json:"from,omitzero"`
	Change Decimal `json:"change"`
}

// PlanCreated records a new plan and the reserves of its pools.
type PlanCreated struct {
	ID       PlanID        `json:"id"`
	Terms    PlanTerms     `json:"terms"`
	Reserves []PoolReserve `json:"reserves,omitempty"`
	Source   *Source       `json:"source,omitempty"`
}

// PlanChanged records other terms of a plan and the changes of its reserves.
type PlanChanged struct {
	ID       PlanID        `json:"id"`
	Terms    PlanTerms     `json:"terms"`
	Reserves []PoolReserve `json:"reserves,omitempty"`
}

// PlanDeleted records the deletion of a plan without grants.
type PlanDeleted struct {
	ID PlanID `json:"id"`
}

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

func (c CreatePlan) decide(s *State, m Moment) ([]Event, error) {
	plan := &Plan{ID: m.NewID()}
	terms, err := c.checked(s, m, plan)
	if err != nil {
		return nil, err
	}
	reserves, err := terms.reserves(s, m, plan)
	if err != nil {
		return nil, err
	}
	return []Event{PlanCreated{ID: plan.ID, Terms: terms, Reserves: reserves, Source: c.Source}}, nil
}

// decide replaces the terms of a plan. A pool with grants cannot be removed or moved to another
// class. Its size cannot fall below its used shares.
func (c ReplacePlan) decide(s *State, m Moment) ([]Event, error) {
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
	return []Event{PlanChanged{ID: c.ID, Terms: terms, Reserves: reserves}}, nil
}

func (c DeletePlan) decide(s *State, _ Moment) ([]Event, error) {
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
			return pool.inUse("Something was granted from this pool: it cannot be deleted.")
		}
		if terms.Security != pool.Security {
			return pool.inUse("Something was granted from this pool: its security stays.")
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
	return Refuse(CodeInUse, message).With("pool", p.ID.String()).With("granted", p.Granted.String()).
		With("outstanding", p.Outstanding().String()).With("exercised", p.Exercised.String())
}

// reserves returns the changes of the reserves that result from the terms.
func (t PlanTerms) reserves(s *State, m Moment, plan *Plan) ([]PoolReserve, error) {
	var reserves []PoolReserve
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
		change := PoolReserve{Pool: terms.ID, From: terms.since(m, &t, pool, known), Change: terms.TotalShares.Sub(pool.Reserve)}
		needed[terms.Security] = needed[terms.Security].Add(pool.Reserved()).Add(change.Change)
		if err := pool.checkShrinks(change.Change, change.From, "/pools/"+strconv.Itoa(i)+"/totalShares"); err != nil {
			return nil, err
		}
		if !change.Change.IsZero() {
			reserves = append(reserves, change)
		}
	}
	for i, terms := range t.Pools { // in the order of the terms, so that the reported pool is deterministic
		if security, known := s.Security(terms.Security); known && !security.Reserved.Add(needed[terms.Security]).Fits() {
			return nil, Refuse(CodeInsufficientShares, "The pools would reserve more shares than can be written.").
				With("pool", strconv.Itoa(i))
		}
	}
	return reserves, nil
}

// since returns the day on which the size of the pool in the terms takes effect.
func (t PoolTerms) since(m Moment, plan *PlanTerms, was *Pool, known bool) Date {
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
		plan.Pools = append(plan.Pools, Pool{PoolTerms: terms})
	}
	s.plans.records.Set(e.ID, plan)
	s.externalIDs.set(kindPlan, "", e.Terms.ExternalID, e.ID)
	reserveAll(s, e.ID, e.Reserves, stamp)
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
			moveUses(s, &pool, terms.Security)
		}
		pool.PoolTerms = terms
		next.Pools = append(next.Pools, pool)
	}
	for i := range old.Pools {
		if _, kept := next.pool(old.Pools[i].ID); !kept {
			dropPool(s, &old.Pools[i], stamp)
		}
	}
	next.Touch(stamp)
	s.plans.records.Set(e.ID, &next)
	reserveAll(s, e.ID, e.Reserves, stamp)
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

func reserveAll(s *State, id PlanID, reserves []PoolReserve, stamp Stamp) {
	for _, reserve := range reserves {
		s.movePool(PoolRef{id, reserve.Pool}, reserve.From, PoolFigures{Reserve: reserve.Change}, stamp)
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

// checkApproved refuses a grant that exceeds the approved quantity of its type on any day from
// its issue date on. Quantities that ended without shares are not counted: they can be granted
// again within the limits of their pool.
func checkApproved(s *State, plan *Plan, issue *GrantIssue, today Date) error {
	for _, approved := range plan.ApprovedEquities {
		if approved.Type != issue.Type || approved.Quantity == nil {
			continue
		}
		line, days := s.grants.grantedOf(plan.ID, issue.Type, today), span{from: s.classes.restatedFrom(plan, issue.IssueDate), to: math.MaxInt32}
		available := AuthorizedOf(approved.Quantity.Sub(line.Most(days.from, days.to)).Max(Decimal{}))
		if !available.Covers(issue.Quantity) {
			day, _ := firstAbove(line, days, issue.Quantity.Sub(*approved.Quantity))
			return insufficient("The plan approves no more of this type.", available, issue.Quantity).
				With("type", string(issue.Type)).With("approved", approved.Quantity.String()).With("date", day.String()).
				at("/quantity", string(CodeInsufficientShares), exceeds(available, issue.Quantity, day))
		}
	}
	return nil
}

// checkApprovals refuses approved quantities below the granted quantity of any day. A quantity
// that is unchanged or larger is always allowed.
func (t PlanTerms) checkApprovals(s *State, plan *Plan, today Date) error {
	for i, approved := range t.ApprovedEquities {
		same := func(a ApprovedEquity) bool {
			return a.Type == approved.Type && (a.Quantity != nil && approved.Quantity != nil && a.Quantity.Cmp(*approved.Quantity) <= 0)
		}
		if approved.Quantity == nil || slices.ContainsFunc(plan.ApprovedEquities, same) {
			continue
		}
		line, days := s.grants.grantedOf(plan.ID, approved.Type, today), span{from: s.classes.restatedFrom(plan, math.MinInt32), to: math.MaxInt32}
		if day, over := firstAbove(line, days, approved.Quantity.Neg()); over {
			granted := line.On(day).String()
			return Refuse(CodeConflict, "The plan would approve less than was granted.").With("type", string(approved.Type)).
				With("approved", approved.Quantity.String()).With("granted", granted).With("date", day.String()).
				at("/approvedEquities/"+strconv.Itoa(i)+"/quantity", "belowUsed", granted+" shares are granted on "+day.String()+".")
		}
	}
	return nil
}

// restatedFrom returns the first day, from the given one on, that counts in present shares.
// Splits restate the approved quantities.
func (c *classes) restatedFrom(plan *Plan, day Date) Date {
	for i := range plan.Pools {
		if security, known := c.securities.Get(plan.Pools[i].Security); known && len(security.Splits) > 0 {
			day = max(day, security.Splits[len(security.Splits)-1].Date)
		}
	}
	return day
}

// grantedOf returns the quantity of a plan's grants of the type that is outstanding or became
// shares, by day. Lapses until today count, recorded or not.
func (r *grantRegister) grantedOf(plan PlanID, granted GrantType, today Date) timeline.Line {
	changes := map[Date]Decimal{}
	for grant := range r.records.All() {
		if grant.Plan != plan || grant.Type != granted || grant.undoneOn(grant.IssueDate) {
			continue
		}
		for _, count := range grant.approvedCounts(today) {
			changes[count.date] = changes[count.date].Add(count.change)
		}
	}
	return lineOf(changes)
}

// approvedCounts returns the changes of the quantity of the grant that is outstanding or became
// shares.
func (g *Grant) approvedCounts(today Date) (counts []dated) {
	days := []Date{g.IssueDate}
	for _, past := range g.Before {
		days = append(days, past.Until)
	}
	for _, taking := range g.Takings {
		days = append(days, taking.Date)
	}
	lapse, lapsed := g.lapse(today)
	if lapsed {
		days = append(days, lapse.Date)
	}
	days = append(days, g.Retractions()...)
	slices.Sort(days)
	counted := Decimal{}
	for _, day := range slices.Compact(days) {
		amounts := g.amountsOn(day)
		left := amounts.Quantity
		for _, taking := range amounts.Takings {
			if taking.Date <= day && taking.Kind != StatusExercised && taking.Kind != StatusReleased {
				left = left.Sub(taking.Quantity)
			}
		}
		if lapsed && lapse.Date <= day {
			left = left.Sub(lapse.Quantity)
		}
		if g.undoneOn(day) {
			left = Decimal{}
		}
		counts, counted = append(counts, dated{day, left.Sub(counted)}), left
	}
	return counts
}

// approvedAfter returns the approved quantities after the split. They are restated only if all
// pools of the plan are of the class, because a split of one class does not restate a quantity of
// several classes.
func (e SecuritySplit) approvedAfter(plan *Plan, security *Security) []ApprovedEquity {
	for i := range plan.Pools {
		if plan.Pools[i].Security != e.ID {
			return plan.ApprovedEquities
		}
	}
	after := slices.Clone(plan.ApprovedEquities)
	for i, approved := range after {
		if approved.Quantity != nil {
			restated := e.Ratio.apply(*approved.Quantity, security.Places())
			after[i].Quantity = &restated
		}
	}
	return after
}
