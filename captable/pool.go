package captable

import (
	"math"
	"slices"

	"equity/captable/timeline"
	"equity/fault"
)

// PoolTerms are the fields of a pool that its owners set.
type PoolTerms struct {
	// ID is the id of an existing pool; zero for a new one.
	ID PoolID `json:"id,omitzero"`
	// Name is unique within the plan, regardless of case.
	Name string `json:"name"`
	// Security is the class that the pool reserves.
	Security SecurityID `json:"security"`
	// TotalShares is the total reserve of the pool, including the shares of all past grants.
	TotalShares Decimal `json:"totalShares"`
	// StrikePrice is the default exercise price of grants.
	StrikePrice *Price `json:"strikePrice,omitempty"`
	// BoardApprovalDate is the day from which the pool has its present size. If it is zero, the
	// approval of the plan applies; without an approval, the size applies to all days.
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
}

// PoolRef identifies a pool within its plan.
type PoolRef struct {
	Plan PlanID `json:"plan"`
	Pool PoolID `json:"pool"`
}

// Pool is a reserve of shares of one class, with its figures. In an imported package, the grants
// of a plan may have other classes.
type Pool struct {
	PoolTerms
	// PoolFigures are the figures of all classes together.
	PoolFigures
	// Others are the parts of the other classes, in the order of their first grants. The figures of
	// the pool include them.
	Others []PoolPart `json:"others,omitempty"`
	// taken is the negative of the available shares by day.
	taken timeline.Line
	// Grants is the number of all grants from the pool, including retracted grants.
	Grants int `json:"grants"`
	// PastStrikes are the earlier strike prices, oldest first.
	PastStrikes []PastStrike `json:"pastStrikes,omitempty"`
	// PastBoardApprovals are the approvals before each change, in the order of entry.
	PastBoardApprovals []PastBoardApproval `json:"pastBoardApprovals,omitempty"`
}

// PastBoardApproval holds the board's approval of a pool before a change that takes effect on a date.
type PastBoardApproval struct {
	Until             Date `json:"until"`
	BoardApprovalDate Date `json:"boardApprovalDate,omitzero"`
}

// keepBoardApproval stores the board's approval before other terms replace it. A new approval
// takes effect on its own date, a removal on the day of entry.
func (p *Pool) keepBoardApproval(terms *PoolTerms, entered Date) {
	if terms.BoardApprovalDate == p.BoardApprovalDate {
		return
	}
	until := terms.BoardApprovalDate
	if until.IsZero() {
		until = entered
	}
	p.PastBoardApprovals = append(
		slices.Clip(p.PastBoardApprovals), PastBoardApproval{Until: until, BoardApprovalDate: p.BoardApprovalDate},
	)
}

// insertBoardApproval inserts an approval that takes effect on its date, before the later ones.
func (p *Pool) insertBoardApproval(approved Date) {
	i := slices.IndexFunc(p.PastBoardApprovals, func(past PastBoardApproval) bool { return approved < past.Until })
	if i < 0 {
		return
	}
	p.PastBoardApprovals = slices.Insert(
		slices.Clone(p.PastBoardApprovals), i, PastBoardApproval{approved, p.PastBoardApprovals[i].BoardApprovalDate},
	)
	p.PastBoardApprovals[i+1].BoardApprovalDate = approved
}

// boardApprovalOn returns the approval in effect on the day. The last entry takes precedence.
func (p *Pool) boardApprovalOn(day Date) Date {
	approved := p.BoardApprovalDate
	for _, past := range slices.Backward(p.PastBoardApprovals) {
		if day >= past.Until {
			break
		}
		approved = past.BoardApprovalDate
	}
	return approved
}

// PastStrike holds a strike price of a pool until a date, per share before the splits from that
// date on.
type PastStrike struct {
	Until       Date   `json:"until"`
	StrikePrice *Price `json:"strikePrice,omitempty"`
	// Ratio is the ratio of the split that ended it; absent for any other change.
	Ratio Ratio `json:"ratio,omitzero"`
}

// keepStrike stores the strike price until a date, before it changes.
func (p *Pool) keepStrike(until Date, ratio Ratio) {
	if n := len(p.PastStrikes); n > 0 { // a split may have the date of tomorrow in UTC
		until = max(until, p.PastStrikes[n-1].Until)
	}
	p.PastStrikes = append(slices.Clip(p.PastStrikes), PastStrike{Until: until, StrikePrice: p.StrikePrice, Ratio: ratio})
}

// splitStrike divides the strike price by the ratio of a split. With laterDays it divides the
// prices in force on the date and on each later day, otherwise the one after the latest change.
func (p *Pool) splitStrike(ratio Ratio, on Date, laterDays bool) {
	if n := len(p.PastStrikes); n > 0 && !laterDays {
		on = max(on, p.PastStrikes[n-1].Until)
	}
	now := PastStrike{StrikePrice: p.StrikePrice}
	p.PastStrikes, now = splitHistory(p.PastStrikes, now, ratio, on)
	p.StrikePrice = now.StrikePrice
}

func (p PastStrike) until() Date { return p.Until }

func (p PastStrike) endedBy(ratio Ratio, on Date) PastStrike {
	p.Until, p.Ratio = on, ratio
	return p
}

func (p PastStrike) dividedBy(ratio Ratio, past []PastStrike) PastStrike {
	p.StrikePrice = ratio.restatedPrice(p.StrikePrice, pastOf(past, func(past PastStrike) pastPrice {
		return pastPrice{past.StrikePrice, past.Ratio}
	}))
	return p
}

// strikeOn returns the strike price at the end of the day.
func (p *Pool) strikeOn(day Date) *Price {
	for _, past := range p.PastStrikes {
		if day < past.Until {
			return past.StrikePrice
		}
	}
	return p.StrikePrice
}

// PoolFigures are the quantities of a pool. The invariants are
//
//	granted = outstanding + exercised + cancelled
//	reserve = available + outstanding + exercised + retired
//
// and no figure is negative. An exercise does not refill a pool. Cancelled shares return at most
// once.
type PoolFigures struct {
	// Reserve is the pool's total.
	Reserve Decimal `json:"reserve"`
	// Granted is the total of all grants that were not retracted or voided.
	Granted Decimal `json:"granted"`
	// Exercised is the quantity of exercised options and released units, including shares that
	// were withheld as payment.
	Exercised Decimal `json:"exercised"`
	// Cancelled is the quantity that ended in any other way: cancelled, forfeited or expired.
	Cancelled Decimal `json:"cancelled"`
	// Returned is the part of Cancelled that is available for new grants.
	Returned Decimal `json:"returned"`
}

// Outstanding returns the granted quantity that can still become shares.
func (f PoolFigures) Outstanding() Decimal { return f.Granted.Sub(f.Exercised).Sub(f.Cancelled) }

// Retired returns the cancelled quantity that did not return to the pool.
func (f PoolFigures) Retired() Decimal { return f.Cancelled.Sub(f.Returned) }

// Available returns the quantity that can be granted.
func (f PoolFigures) Available() Decimal { return f.Reserve.Sub(f.Granted).Add(f.Returned) }

// Reserved returns the available and outstanding quantity, which the class reserves for the pool.
// The remaining shares were issued or need no reserve.
func (f PoolFigures) Reserved() Decimal { return f.Available().Add(f.Outstanding()) }

// Add returns the sum of the figures and a change.
func (f PoolFigures) Add(change PoolFigures) PoolFigures {
	return PoolFigures{
		Reserve: f.Reserve.Add(change.Reserve), Granted: f.Granted.Add(change.Granted), Exercised: f.Exercised.Add(change.Exercised),
		Cancelled: f.Cancelled.Add(change.Cancelled), Returned: f.Returned.Add(change.Returned),
	}
}

// Sub returns the figures before a change.
func (f PoolFigures) Sub(change PoolFigures) PoolFigures {
	return PoolFigures{
		Reserve: f.Reserve.Sub(change.Reserve), Granted: f.Granted.Sub(change.Granted), Exercised: f.Exercised.Sub(change.Exercised),
		Cancelled: f.Cancelled.Sub(change.Cancelled), Returned: f.Returned.Sub(change.Returned),
	}
}

// negative reports whether a figure is negative, which violates the invariants.
func (f PoolFigures) negative() bool {
	for _, figure := range []Decimal{
		f.Reserve, f.Granted, f.Exercised, f.Cancelled, f.Returned, f.Outstanding(), f.Retired(), f.Available(),
	} {
		if figure.Sign() < 0 {
			return true
		}
	}
	return false
}

// none reports whether all figures are zero.
func (f PoolFigures) none() bool {
	for _, figure := range []Decimal{f.Reserve, f.Granted, f.Exercised, f.Cancelled, f.Returned} {
		if !figure.IsZero() {
			return false
		}
	}
	return true
}

// AdjustPool is the command to change the size of a pool from a date on. It states the new total,
// not the difference. The size applies until the day of the next stated size.
type AdjustPool struct {
	PoolRef
	TotalShares Decimal `json:"totalShares"`
	// EffectiveDate is the first day of the new size.
	EffectiveDate           Date    `json:"effectiveDate"`
	BoardApprovalDate       Date    `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date    `json:"stockholderApprovalDate,omitzero"`
	Source                  *Source `json:"-"`
}

// PoolAdjusted records the new size of a pool and the difference.
type PoolAdjusted struct {
	PoolRef
	TotalShares             Decimal `json:"totalShares"`
	Change                  Decimal `json:"change"`
	EffectiveDate           Date    `json:"effectiveDate"`
	BoardApprovalDate       Date    `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date    `json:"stockholderApprovalDate,omitzero"`
	// Undated reports whether the event only replaces a size that was not stated for the day.
	Undated bool    `json:"undated,omitempty"`
	Source  *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (PoolAdjusted) EventType() string { return "poolAdjusted" }

// Creates returns nil: the event creates no record.
func (PoolAdjusted) Creates() []Created { return nil }

// Records returns the plan of the pool.
func (e PoolAdjusted) Records(s *State) []any { return records(s.Plan(e.Plan)) }

// decide changes the size of a pool from a day on. A board approves such a change and, for a plan
// of incentive stock options, the stockholders within twelve months (26 CFR 1.422-2(b)); the
// dates of these approvals are optional. The new size must cover the grants on that day and on
// every later day.
func (c AdjustPool) decide(s *State, m DecideContext) ([]Event, error) {
	_, pool, ok := s.Pool(c.PoolRef)
	if !ok {
		return nil, fault.Refuse(fault.NotFound, "There is no such pool.")
	}
	var faults fault.Fields
	m.checkDate(&faults, "/effectiveDate", c.EffectiveDate)
	m.checkApproval(&faults, "/boardApprovalDate", c.BoardApprovalDate)
	m.checkApproval(&faults, "/stockholderApprovalDate", c.StockholderApprovalDate)
	s.plans.checkBegun(pool, &faults, "/effectiveDate", c.EffectiveDate)
	checkPoolSize(&faults, "/totalShares", c.TotalShares, s, pool.Security)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	security, _ := s.Security(pool.Security)
	sizes := s.plans.resized(pool, c.TotalShares, c.EffectiveDate, security)
	event := PoolAdjusted{
		PoolRef: c.PoolRef, TotalShares: c.TotalShares, Change: sizes[0].Change, EffectiveDate: c.EffectiveDate,
		BoardApprovalDate: c.BoardApprovalDate, StockholderApprovalDate: c.StockholderApprovalDate, Source: c.Source,
	}
	if len(sizes) > 1 { // checkDays checks the days until the later size
		events := []Event{event}
		for _, later := range sizes[1:] {
			e := PoolAdjusted{
				PoolRef: c.PoolRef, TotalShares: later.Size, Change: later.Change, EffectiveDate: later.From, Undated: !later.Stated,
			}
			if later.Stated { // the later size is that of the record
				e.TotalShares, e.BoardApprovalDate = pool.TotalShares, pool.BoardApprovalDate
			}
			events = append(events, e)
		}
		return events, nil
	}
	if !s.classes.unlimited {
		if err := pool.checkShrinks(event.Change, c.EffectiveDate, "/totalShares"); err != nil {
			return nil, err
		}
	}
	if err := s.classes.checkReserve(pool.Security, event.Change, c.EffectiveDate, "/totalShares"); err != nil {
		return nil, err
	}
	return []Event{event}, nil
}

func (e PoolAdjusted) apply(s *State, stamp Stamp) {
	s.plans.changePool(e.PoolRef, stamp, func(pool *Pool) {
		pool.TotalShares = e.TotalShares
		if !e.BoardApprovalDate.IsZero() {
			pool.BoardApprovalDate = e.BoardApprovalDate
		}
	})
	s.sizePool(e.PoolRef, e.EffectiveDate, e.Change, !e.Undated, stamp)
}

// checkBegun adds a fault for a date before the first day of the pool.
func (r *planRegister) checkBegun(pool *Pool, faults *fault.Fields, pointer string, date Date) {
	if first, begun := r.begins(pool); begun && !date.IsZero() && date < first {
		faults.Add(pointer, "beforeApproval", "The date must not be before the approval of the pool, "+first.String()+".")
	}
}

// begins returns the first day of the pool. It reports false for a pool without a reserve.
func (r *planRegister) begins(pool *Pool) (first Date, begun bool) {
	r.moves.Ascend(poolMove{pool: pool.ID, date: math.MinInt32}, func(move poolMove) bool {
		if begun = move.pool == pool.ID && !move.change.Reserve.IsZero(); begun {
			first = move.date
		}
		return move.pool == pool.ID && !begun
	})
	return first, begun
}

// checkPoolSize adds a fault for a size that is invalid for pools of the class.
func checkPoolSize(faults *fault.Fields, pointer string, shares Decimal, s *State, id SecurityID) {
	security, known := s.Security(id)
	switch {
	case shares.Sign() < 0:
		faults.Add(pointer, "negative", "The size of the pool must not be negative.")
	case known && !security.Whole(shares):
		faults.Add(pointer, "notWhole", "The number of shares must be whole: the security has no fractional shares.")
	}
}

// checkShrinks refuses a reduction of the pool below its used shares on any day from the date on.
func (p *Pool) checkShrinks(change Decimal, from Date, pointer string) error {
	if available := p.availableIn(from); available.Add(change).Sign() < 0 {
		day, _ := firstAbove(p.taken, span{from: from, to: math.MaxInt32}, change.Neg())
		return insufficient("The pool must not be smaller than its used shares.", AuthorizedOf(available), change.Neg()).
			With("pool", p.ID.String()).With("reserve", p.Reserve.String()).With("date", day.String()).
			At(pointer, "belowUsed", "Only "+available.String()+" shares of the pool are available on "+day.String()+".")
	}
	return nil
}

// lastMove returns the day of the last change of any pool of the class; zero without one.
func (r *planRegister) lastMove(id SecurityID) (last Date) {
	for plan := range r.records.All() {
		for i := range plan.Pools {
			if plan.Pools[i].Security == id {
				r.movesAfter(plan.Pools[i].ID, last, func(move poolMove) { last = max(last, move.date) })
			}
		}
	}
	return last
}
