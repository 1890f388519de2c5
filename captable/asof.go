package captable

import "slices"

// On returns the shareholding at the end of the day. Changes with a later date are left out.
// It returns false if the shares were issued after the day. A voided shareholding is voided on
// every day.
func (h *Shareholding) On(day Date) (*Shareholding, bool) {
	if h.IssueDate > day {
		return nil, false
	}
	was := *h
	for i, count := range h.Before {
		if day < count.Until {
			was.Shares, was.FromTreasury, was.Before = count.Shares, count.FromTreasury, h.Before[:i]
			break
		}
	}
	if h.AcceptedOn > day {
		was.AcceptedOn = 0
	}
	was.Termination = h.StoppedBy(day)
	if h.Status == StatusVoided {
		return &was, true
	}
	if h.End != nil && h.End.Date > day {
		was.End, was.Results, was.Status = nil, nil, StatusAccepted
	}
	if was.Status == StatusAccepted && was.AcceptedOn.IsZero() {
		was.Status = StatusActive
	}
	return &was, true
}

// On returns the security with its figures and its history at the end of the day. Line is the
// line of the security in the table of that day. The limit, the prices and the conversion are
// those of the day; all other terms are the present ones.
func (s *Security) On(line TableSecurity, day Date) *Security {
	was := s.priced(day)
	was.AuthorizedShares, was.Issued, was.Treasury, was.Reserved = line.Authorized, line.Issued, line.Treasury, line.Reserved
	was.Authorizations = until(s.Authorizations, func(a Authorization) bool { return a.EffectiveDate <= day })
	was.TreasuryMoves = until(s.TreasuryMoves, func(m TreasuryMove) bool { return m.Date <= day })
	was.Conversion = s.ConversionOn(day)
	was.PastConversions = until(s.PastConversions, func(past PastConversion) bool { return past.Until <= day })
	was.Splits = until(s.Splits, func(split Split) bool { return split.Date <= day })
	return was
}

// LastDate returns the latest date of any recorded entry, or the zero date if the table is
// empty.
func (s *State) LastDate() (last Date) {
	for h := range s.Shareholdings() {
		last = max(last, h.IssueDate, h.AcceptedOn)
		if h.Termination != nil {
			last = max(last, h.Termination.Date)
		}
		if h.End != nil {
			last = max(last, h.End.Date)
		}
	}
	s.plans.moves.Scan(func(move poolMove) bool { last = max(last, move.date); return true })
	for i := range s.Instruments() {
		last = max(last, i.IssueDate, i.AcceptedOn, i.last())
		if i.End != nil {
			last = max(last, i.End.Date)
		}
	}
	for grant := range s.Grants() {
		last = max(last, grant.AcceptedOn, grant.lastDate())
	}
	for security := range s.Securities() {
		for _, past := range security.Authorizations {
			last = max(last, past.EffectiveDate)
		}
		for _, move := range security.TreasuryMoves {
			last = max(last, move.Date)
		}
		for _, split := range security.Splits {
			last = max(last, split.Date)
		}
	}
	return last
}

// until returns the past records for which happened is true.
func until[R any](past []R, happened func(R) bool) []R {
	var known []R
	for _, record := range past {
		if happened(record) {
			known = append(known, record)
		}
	}
	return known
}

// PlanOn returns the plan with the figures of its pools at the end of the day. The reserves,
// the strike prices and the approved quantities are those of the day; all other terms are the
// present ones.
func (s *State) PlanOn(plan *Plan, day Date) *Plan {
	was := *plan
	was.Pools, was.ApprovedEquities = slices.Clone(plan.Pools), plan.approvedOn(day)
	was.PastApprovals = until(plan.PastApprovals, func(past PastApproval) bool { return past.Until <= day })
	lapsed := lapsedIn(s, day)
	for i := range was.Pools {
		pool := &was.Pools[i]
		pool.PoolFigures = s.plans.poolOn(pool, day).Add(lapsed[PoolRef{plan.ID, pool.ID}])
		pool.TotalShares, pool.StrikePrice, pool.BoardApprovalDate = pool.Reserve, pool.strikeOn(day), pool.boardApprovalOn(day)
		pool.Others = nil // they are not kept by day
		pool.PastStrikes = until(pool.PastStrikes, func(past PastStrike) bool { return past.Until <= day })
	}
	return &was
}
