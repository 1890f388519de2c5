package ocf

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/exact"
)

// plan is one pool of a plan at its creation and in its current state. The format has no
// plans with several pools.
type plan struct {
	stated[planState]
	of captable.PlanID
	// initial is the reserve at the creation, before any later split.
	initial captable.Decimal
	// strike is the default exercise price of grants, before any later split.
	strike *captable.Price
	// approved is the board approval date of the pool, if it has its own.
	approved captable.Date
	// sizes are the sizes after the first one, ordered by date.
	sizes []*poolSize
	// splits is the number of splits of the class at the creation of the pool.
	splits int
	// last is the last change of the size; nil before the first one.
	last *poolChange
}

type planState struct {
	captable.PlanDetails
	pool captable.PoolTerms
	// alone reports whether the plan has no other pool.
	alone bool
}

type planObject struct {
	ID          string           `json:"id"`
	Type        string           `json:"object_type"`
	Name        string           `json:"plan_name"`
	Board       captable.Date    `json:"board_approval_date,omitzero"`
	Stockholder captable.Date    `json:"stockholder_approval_date,omitzero"`
	Reserved    captable.Decimal `json:"initial_shares_reserved"`
	Behavior    string           `json:"default_cancellation_behavior,omitempty"`
	Classes     []string         `json:"stock_class_ids"`
	Comments    []string         `json:"comments,omitempty"`
}

type poolObject struct {
	ID          string           `json:"id"`
	Type        string           `json:"object_type"`
	Date        captable.Date    `json:"date"`
	Plan        string           `json:"stock_plan_id"`
	Board       captable.Date    `json:"board_approval_date,omitzero"`
	Stockholder captable.Date    `json:"stockholder_approval_date,omitzero"`
	Shares      captable.Decimal `json:"shares_reserved"`
}

func (x *Exporter) planCreated(e captable.PlanCreated) {
	for i, pool := range e.Terms.Pools {
		x.poolCreated(e.ID, i, e.Terms, pool, e.Reserves, e.Source)
	}
}

// poolCreated adds a pool. The first pool has the id of its plan.
func (x *Exporter) poolCreated(
	of captable.PlanID, i int, terms captable.PlanTerms, pool captable.PoolTerms, reserves []captable.PoolReserve, source *captable.Source,
) {
	externalID, id := terms.ExternalID, of.String()
	if i > 0 {
		externalID, id = "", pool.ID.String()
	}
	state := planState{terms.PlanDetails, pool, len(terms.Pools) == 1}
	x.plans[pool.ID] = &plan{
		stated: enter(x, x.name(typePlan, externalID, id), state, source), of: of, initial: pool.TotalShares, strike: pool.StrikePrice,
		splits: x.splitsOf(pool.Security), approved: pool.BoardApprovalDate,
	}
	own := sizesOf(reserves, pool.ID)
	if len(own) > 0 {
		if later := x.splitsAfter(pool.Security, own[0].From); len(later) > 0 { // readers apply the later splits
			x.plans[pool.ID].initial, x.plans[pool.ID].splits = own[0].Size, x.splitsOf(pool.Security)-len(later)
			return
		}
	}
	if c := x.classes[pool.Security]; c != nil && c.splits > 0 && source == nil && max(
		pool.BoardApprovalDate, terms.BoardApprovalDate,
	) <= c.since {
		x.poolUnsplit(x.plans[pool.ID], c, own)
	}
}

// poolUnsplit restates a pool that was created after a split of its class. Readers of the
// package apply the split to the pool's initial reserve. Adjustments after the splits state
// the actual sizes. They are unknown in older events, which state one size.
func (x *Exporter) poolUnsplit(p *plan, c *class, sizes []captable.PoolReserve) {
	if p.strike != nil {
		p.strike = &captable.Price{Amount: scaled(p.strike.Amount, c.multiplied), Currency: p.strike.Currency}
	}
	if len(sizes) > 1 {
		p.initial = sizes[0].Size
		for _, later := range sizes[1:] {
			x.poolResized(p, poolObject{Date: later.From, Shares: later.Size}, captable.Decimal{}, nil)
		}
		return
	}
	before := exact.RoundDown(new(big.Rat).Quo(p.initial.Rat(), c.multiplied), c.now.Places())
	p.initial = p.initial.Min(before)                     // a larger reserve may exceed the limit of that day
	since := max(c.since, c.limits[len(c.limits)-1].date) // a day with room for the reserve
	x.poolResized(p, poolObject{Date: since, Shares: p.now.pool.TotalShares}, captable.Decimal{}, nil)
}

// sizesOf returns the changes of the reserve of one pool. Older events do not state the sizes.
func sizesOf(reserves []captable.PoolReserve, pool captable.PoolID) (own []captable.PoolReserve) {
	stated := false
	for _, reserve := range reserves {
		if reserve.Pool == pool {
			own, stated = append(own, reserve), stated || !reserve.Size.IsZero()
		}
	}
	if !stated {
		return nil
	}
	return own
}

// planChanged restates the pools of a plan. A resized pool also gets an adjustment. A removed
// pool is left out of the export.
func (x *Exporter) planChanged(e captable.PlanChanged) {
	kept := map[captable.PoolID]bool{}
	for i, pool := range e.Terms.Pools {
		kept[pool.ID] = true
		p := x.plans[pool.ID]
		if p == nil {
			x.poolCreated(e.ID, max(i, 1), e.Terms, pool, e.Reserves, nil)
			continue
		}
		p.restate(planState{e.Terms.PlanDetails, pool, len(e.Terms.Pools) == 1})
		if x.splitsOf(pool.Security) == p.splits {
			p.strike = pool.StrikePrice
		}
		x.poolReplaced(p, pool, e.Reserves)
	}
	for id, p := range x.plans {
		if p.of == e.ID && !kept[id] {
			delete(x.plans, id)
		}
	}
}

// poolReplaced adds the adjustments of a replaced pool. A size until the day of a later stated size
// leaves that size as it is.
func (x *Exporter) poolReplaced(p *plan, pool captable.PoolTerms, all []captable.PoolReserve) {
	var reserves []captable.PoolReserve
	for _, reserve := range all {
		if reserve.Pool == pool.ID {
			reserves = append(reserves, reserve)
		}
	}
	n := len(reserves)
	bounded := n > 1 && reserves[n-1].Stated
	if bounded {
		reserves = reserves[:n-1]
	}
	for _, reserve := range reserves {
		object := poolObject{Date: reserve.From, Board: pool.BoardApprovalDate, Shares: pool.TotalShares}
		if !reserve.Size.IsZero() {
			object.Shares = reserve.Size
		}
		if bounded {
			x.poolSized(p, object, reserve.Change, nil, x.sizeAt(p, object.Date))
		} else {
			x.poolResized(p, object, reserve.Change, nil)
		}
	}
}

func (x *Exporter) planDeleted(e captable.PlanDeleted) {
	for id, p := range x.plans {
		if p.of == e.ID {
			delete(x.plans, id)
		}
	}
}

func (x *Exporter) poolAdjusted(e captable.PoolAdjusted) {
	if p := x.plans[e.Pool]; p != nil {
		x.poolResized(p, poolObject{
			Date: e.EffectiveDate, Board: e.BoardApprovalDate, Stockholder: e.StockholderApprovalDate, Shares: e.TotalShares,
		}, e.Change, e.Source)
	}
}

// poolSize is a size of a pool and the adjustment that states it.
type poolSize struct {
	now, was poolObject
	source   *captable.Source
	// before is the size before the adjustment. splits is the number of splits of the class then.
	before captable.Decimal
	splits int
	entry  *transaction
}

// shift changes the size. An imported adjustment is then overlaid with the new size.
func (s *poolSize) shift(change captable.Decimal) {
	s.before, s.now.Shares = s.before.Add(change), s.now.Shares.Add(change)
	s.entry.source = nil
}

// stated returns the adjustment. A size that another adjustment of the same day replaced may
// become negative by a shift; it is stated as zero.
func (s *poolSize) stated() poolObject {
	object := s.now
	object.Shares = object.Shares.Max(captable.Decimal{})
	return object
}

// poolResized adds an adjustment. The stated size is the present one, but the object states the
// size of its date, because readers apply adjustments in the order of their dates. As in the cap
// table, a later size changes by the same difference as the present one.
func (x *Exporter) poolResized(p *plan, object poolObject, change captable.Decimal, source *captable.Source) {
	at := x.sizeAt(p, object.Date)
	if p.ends(object, change) {
		before := p.sizes[at-1].before
		for _, later := range p.sizes[at-1:] {
			later.shift(change)
		}
		p.sizes[at-1].before = before // the size that ends remains until the day
		return
	}
	p.last = &poolChange{object.Date, change}
	if at < len(p.sizes) && len(x.splitsAfter(p.now.pool.Security, object.Date)) == 0 {
		object.Shares = p.sizes[at].before.Add(change)
	}
	for _, later := range p.sizes[at:] {
		later.shift(change)
	}
	x.poolSized(p, object, change, source, at)
}

// ends reports whether the change only ends the last one on the day of a later stated size, which
// keeps its adjustment.
func (p *plan) ends(object poolObject, change captable.Decimal) bool {
	return p.last != nil && p.last.date < object.Date && p.last.change.Equal(change.Neg()) &&
		slices.ContainsFunc(p.sizes, func(size *poolSize) bool {
			return size.now.Date == object.Date && size.now.Shares.Add(change).Equal(object.Shares)
		})
}

// poolChange is a change of the size of a pool.
type poolChange struct {
	date   captable.Date
	change captable.Decimal
}

// sizeAt returns the position of a new size that takes effect on the date.
func (x *Exporter) sizeAt(p *plan, date captable.Date) int {
	at, splits := len(p.sizes), x.splitsUntil(p.now.pool.Security, date)
	for at > 0 && p.sizes[at-1].now.Date > date && p.sizes[at-1].splits >= splits {
		at--
	}
	return at
}

// poolSized inserts an adjustment that states the size of its date.
func (x *Exporter) poolSized(p *plan, object poolObject, change captable.Decimal, source *captable.Source, at int) {
	object.ID, object.Type, object.Plan = p.id+"-reserved-"+strconv.Itoa(len(p.sizes)+1), typePoolAdjustment, p.id
	size := &poolSize{source: source, before: object.Shares.Sub(change), splits: x.splitsUntil(p.now.pool.Security, object.Date)}
	size.now, size.was = object, object
	size.entry = &transaction{
		place: x.place(source), source: source, date: object.Date, plan: p,
		object: func() any { return written(size.source, true, size.was, size.stated()) },
	}
	p.sizes = slices.Insert(p.sizes, at, size)
	x.transactions = append(x.transactions, size.entry)
}

// splitsOf returns the number of splits of the class so far.
func (x *Exporter) splitsOf(id captable.SecurityID) int {
	if c := x.classes[id]; c != nil {
		return c.splits
	}
	return 0
}

// isPlan reports whether the plan still exists. A nil plan counts as existing.
func (x *Exporter) isPlan(p *plan) bool { return p == nil || x.plans[p.now.pool.ID] == p }

func (e *export) addPlans() {
	for _, p := range e.plans {
		e.add(filePlans, p.place, p.json(func(state planState) any { return e.planObject(p, state) }))
	}
}

// planObject converts a pool to a plan. If the plan has several pools, the name includes the
// pool's name.
func (x *Exporter) planObject(p *plan, state planState) planObject {
	object := planObject{
		ID: p.id, Type: typePlan, Name: state.Name, Board: state.BoardApprovalDate, Stockholder: state.StockholderApprovalDate,
		Reserved: p.initial, Comments: append(slices.Clone(state.Comments), x.priceFact(commentStrike, p.strike)...),
		Classes: []string{x.classID(state.pool.Security)},
	}
	if !state.alone {
		object.Name += " (" + state.pool.Name + ")"
	}
	for name, behavior := range behaviors() {
		if behavior == state.CancellationBehavior && name != behaviorPerSecurity {
			object.Behavior = name
		}
	}
	if !p.approved.IsZero() {
		object.Board = p.approved
	}
	for _, id := range state.Securities {
		if id != state.pool.Security {
			object.Classes = append(object.Classes, x.classID(id))
		}
	}
	return object
}
