package captable

import "math"

// AdjustPool is the command to change the size of a pool from a date on. It states the new total,
// not the difference.
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
	Source                  *Source `json:"source,omitempty"`
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
func (c AdjustPool) decide(s *State, m Moment) ([]Event, error) {
	_, pool, ok := s.Pool(c.PoolRef)
	if !ok {
		return nil, Refuse(CodeNotFound, "There is no such pool.")
	}
	var faults Faults
	m.checkDate(&faults, "/effectiveDate", c.EffectiveDate)
	m.checkApproval(&faults, "/boardApprovalDate", c.BoardApprovalDate)
	m.checkApproval(&faults, "/stockholderApprovalDate", c.StockholderApprovalDate)
	checkPoolSize(&faults, "/totalShares", c.TotalShares, s, pool.Security)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	change := c.TotalShares.Sub(pool.Reserve)
	if err := pool.checkShrinks(change, c.EffectiveDate, "/totalShares"); err != nil {
		return nil, err
	}
	if err := s.checkReserve(pool.Security, change, c.EffectiveDate, "/totalShares"); err != nil {
		return nil, err
	}
	return []Event{PoolAdjusted{
		PoolRef: c.PoolRef, TotalShares: c.TotalShares, Change: change, EffectiveDate: c.EffectiveDate,
		BoardApprovalDate: c.BoardApprovalDate, StockholderApprovalDate: c.StockholderApprovalDate, Source: c.Source,
	}}, nil
}

func (e PoolAdjusted) apply(s *State, stamp Stamp) {
	s.changePool(e.PoolRef, stamp, func(pool *Pool) {
		pool.TotalShares = e.TotalShares
		if !e.BoardApprovalDate.IsZero() {
			pool.BoardApprovalDate = e.BoardApprovalDate
		}
	})
	s.movePool(e.PoolRef, e.EffectiveDate, PoolFigures{Reserve: e.Change}, stamp)
}

// checkPoolSize adds a fault for a size that is invalid for pools of the class.
func checkPoolSize(faults *Faults, pointer string, shares Decimal, s *State, id SecurityID) {
	security, known := s.Security(id)
	switch {
	case shares.Sign() < 0:
		faults.Add(pointer, "negative", "A pool is not negative.")
	case known && !security.Whole(shares):
		faults.Add(pointer, "notWhole", "This security has whole shares only.")
	}
}

// checkShrinks refuses a reduction of the pool below its used shares on any day from the date on.
func (p *Pool) checkShrinks(change Decimal, from Date, pointer string) error {
	if available := p.availableIn(from); available.Add(change).Sign() < 0 {
		day, _ := firstAbove(p.taken, span{from: from, to: math.MaxInt32}, change.Neg())
		return insufficient("The pool would be smaller than what is used of it.", AuthorizedOf(available), change.Neg()).
			With("pool", p.ID.String()).With("reserve", p.Reserve.String()).With("date", day.String()).
			at(pointer, "belowUsed", "Only "+available.String()+" shares of the pool are available on "+day.String()+".")
	}
	return nil
}
