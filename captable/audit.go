package captable

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"equity/captable/timeline"
)

// Audit recalculates all totals and checks the invariants of the cap table. It returns one
// sentence per violation, or nil. The rules of the commands prevent violations; Audit detects
// errors in these rules.
func (s *State) Audit() []string {
	var faults []string
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	outstanding := map[SecurityID]Decimal{}
	numbers := map[string]ShareholdingID{}
	for h := range s.Shareholdings() {
		held := h.Status.Outstanding()
		if h.Shares.Sign() < 0 || held && h.Shares.IsZero() { // a split can round ended shares down to zero
			note("shareholding %s has %s shares", h.ID, h.Shares)
		}
		if other, taken := numbers[h.Certificate]; taken {
			note("shareholdings %s and %s have the certificate %s", other, h.ID, h.Certificate)
		}
		numbers[h.Certificate] = h.ID
		if held {
			outstanding[h.Security] = outstanding[h.Security].Add(h.Shares)
		}
	}
	for security := range s.Securities() {
		security.audit(outstanding[security.ID], note)
	}
	auditPools(s, note)
	auditUses(s, note)
	return faults
}

// audit checks one security against the sum of its outstanding shareholdings.
func (s *Security) audit(outstanding Decimal, note func(format string, args ...any)) {
	if !s.Outstanding().Equal(outstanding) {
		note("security %s says %s shares are outstanding, its shareholdings say %s", s.ID, s.Outstanding(), outstanding)
	}
	if !s.AuthorizedShares.Covers(s.Issued.Add(s.Reserved)) {
		note("security %s has %s shares issued and %s authorized", s.ID, s.Issued, s.AuthorizedShares)
	}
	if n := len(s.Authorizations); n == 0 || s.Authorizations[n-1].Authorized != s.AuthorizedShares {
		note("security %s has %s shares authorized, its past says otherwise", s.ID, s.AuthorizedShares)
	}
	treasury := Decimal{}
	for _, move := range s.TreasuryMoves {
		if treasury = treasury.Add(move.Change); treasury.Sign() < 0 {
			note("security %s had a treasury of %s shares on %s", s.ID, treasury, move.Date)
		}
	}
	if !treasury.Equal(s.Treasury) {
		note("security %s has a treasury of %s shares, its past says %s", s.ID, s.Treasury, treasury)
	}
}

// auditPools checks that the figures of each pool equal the sum of its moves and are never
// negative. It also checks that the reserved shares of each class equal the sum over its
// pools, its grants outside a plan and its warrants.
func auditPools(s *State, note func(format string, args ...any)) {
	reserved := map[SecurityID]Decimal{}
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			reserved[pool.Security] = reserved[pool.Security].Add(pool.Reserved())
			before := pool.PoolFigures
			s.plans.movesAfter(pool.ID, -1, func(move poolMove) {
				if before.negative() {
					note("pool %s had figures below zero at the end of %s: %+v", pool.ID, move.date, before)
				}
				before = before.Sub(move.change)
			})
			if !before.none() {
				note("pool %s has figures that its past does not have: %+v", pool.ID, before)
			}
			if left := s.grants.outstandingIn(PoolRef{plan.ID, pool.ID}); !left.Equal(pool.Outstanding()) {
				note("pool %s has %s shares outstanding, its grants say %s", pool.ID, pool.Outstanding(), left)
			}
			if !pool.Reserve.Equal(pool.TotalShares) {
				note("pool %s reserves %s shares and has %s in all", pool.ID, pool.Reserve, pool.TotalShares)
			}
		}
	}
	for grant := range s.Grants() {
		if grant.reserved() && grant.Status.Outstanding() {
			reserved[grant.Security] = reserved[grant.Security].Add(grant.Left())
		}
	}
	for i := range s.Instruments() {
		reserved[i.Security] = reserved[i.Security].Add(i.reserved())
	}
	for security := range s.Securities() {
		if !security.Reserved.Equal(reserved[security.ID]) {
			note("security %s keeps %s shares for pools and warrants, they need %s", security.ID, security.Reserved, reserved[security.ID])
		}
	}
}

// outstandingIn returns the sum of the outstanding quantities of the grants of a pool.
func (r *grantRegister) outstandingIn(ref PoolRef) Decimal {
	left := Decimal{}
	for grant := range r.records.All() {
		if grant.Ref() == ref && grant.Status.Outstanding() {
			left = left.Add(grant.Left())
		}
	}
	return left
}

// dated is a change of a quantity on a day, or a quantity from a day on.
type dated struct {
	date   Date
	change Decimal
}

// use changes the issued or reserved quantity of the class from the day on. The line of the class
// has, for every day of the cap table,
//
//	issued (outstanding and treasury) + reserved (pools, separate grants and warrants)
//
// A lapse counts only from its record on. The available shares of a class are therefore never
// fewer than the line shows.
func (c *classes) use(id SecurityID, from Date, change Decimal) {
	if !change.IsZero() {
		c.changeTotals(id, func(security *Security) { security.used = security.used.Add(from, change) })
	}
}

// end removes shares of a holding that ends on the day.
func (s *Security) end(shares Decimal, on Date) {
	s.Issued, s.used = s.Issued.Sub(shares), s.used.Add(on, shares.Neg())
}

// endFor removes the shares of a holding that ends, in shares of each day.
func (s *Security) endFor(old, ended *Shareholding) {
	s.Issued = s.Issued.Sub(old.Shares)
	old.eachCount(func(count dated) { s.used = s.used.Add(count.date, count.change.Neg()) })
	ended.eachCount(func(count dated) { s.used = s.used.Add(count.date, count.change) })
}

// eachCount calls count with the changes of the outstanding shares of the shareholding, consistent
// with [Shareholding.SharesOn].
func (h *Shareholding) eachCount(count func(dated)) {
	switch {
	case h.Status == StatusVoided:
	case len(h.Before) == 0 && h.End == nil: // most records
		count(dated{h.IssueDate, h.Shares})
	default:
		held := make([]dated, 0, 1+len(h.Before))
		from := h.IssueDate
		for _, past := range h.Before {
			held = append(held, dated{from, past.Shares})
			from = past.Until
		}
		for _, change := range changesOf(append(held, dated{from, h.Shares}), h.End) {
			count(change)
		}
	}
}

// changesOf converts quantities with their first days to changes. The quantity is zero from the
// end on, even if a later split restates it.
func changesOf(held []dated, end *End) []dated {
	changes, counted := make([]dated, 0, len(held)+1), Decimal{}
	for _, quantity := range held {
		if end != nil && quantity.date >= end.Date {
			break
		}
		changes = append(changes, dated{quantity.date, quantity.change.Sub(counted)})
		counted = quantity.change
	}
	if end != nil {
		changes = append(changes, dated{end.Date, counted.Neg()})
	}
	return changes
}

// counts returns the changes of the shares that are reserved for the warrant. It is consistent
// with [Instrument.LeftOn], except that an expiration without a record is ignored.
func (i *Instrument) counts() []dated {
	if i.IsConvertible() || i.Security.IsZero() || i.Status == StatusVoided {
		return nil
	}
	held := make([]dated, 0, 1+len(i.Before))
	from := i.IssueDate
	for _, count := range i.Before {
		held = append(held, dated{from, count.Left})
		from = count.Until
	}
	return changesOf(append(held, dated{from, i.Left}), i.End)
}

// useInstead replaces the reserved shares of one version of a warrant by those of the next.
func (c *classes) useInstead(was, next *Instrument) {
	for _, count := range was.counts() {
		c.use(was.Security, count.date, count.change.Neg())
	}
	for _, count := range next.counts() {
		c.use(next.Security, count.date, count.change)
	}
}

// counts returns the changes of the shares that the class reserves separately for the grant. A
// lapse without a record is ignored.
func (g *Grant) counts() []dated {
	if g == nil || !g.reserved() {
		return nil
	}
	days := []Date{g.IssueDate}
	for _, past := range g.Before {
		days = append(days, past.Until)
		for _, deduction := range past.Deductions {
			days = append(days, deduction.Date)
		}
	}
	for _, deduction := range g.Deductions {
		days = append(days, deduction.Date)
	}
	if g.Undone() {
		days = append(days, g.RetractedOn)
	}
	slices.Sort(days)
	var counts []dated
	counted := Decimal{}
	for _, day := range slices.Compact(days) {
		if left := g.recordedOn(day); !left.Equal(counted) {
			counts = append(counts, dated{day, left.Sub(counted)})
			counted = left
		}
	}
	return counts
}

// useGrantInstead replaces the reserved shares of one version of a grant by those of the next.
func (c *classes) useGrantInstead(was, next *Grant) {
	for _, count := range was.counts() {
		c.use(was.Security, count.date, count.change.Neg())
	}
	for _, count := range next.counts() {
		c.use(next.Security, count.date, count.change)
	}
}

// moveUses moves the reserve of a pool to another class, on all days.
func moveUses(s *State, pool *Pool, to SecurityID) {
	if pool.Security == to {
		return
	}
	s.plans.movesAfter(pool.ID, math.MinInt32, func(move poolMove) {
		s.classes.use(pool.Security, move.date, move.change.Reserved().Neg())
		s.classes.use(to, move.date, move.change.Reserved())
	})
}

// countUses computes the lines of all classes and pools from the unpacked records.
func countUses(s *State) {
	changes := map[SecurityID]map[Date]Decimal{}
	for security := range s.Securities() {
		changes[security.ID] = map[Date]Decimal{}
		for _, move := range security.TreasuryMoves {
			changes[security.ID][move.Date] = move.Change
		}
	}
	add := func(id SecurityID, count dated) {
		if of := changes[id]; of != nil {
			of[count.date] = of[count.date].Add(count.change)
		}
	}
	for h := range s.Shareholdings() {
		h.eachCount(func(count dated) { add(h.Security, count) })
	}
	for i := range s.Instruments() {
		for _, count := range i.counts() {
			add(i.Security, count)
		}
	}
	for grant := range s.Grants() {
		for _, count := range grant.counts() {
			add(grant.Security, count)
		}
	}
	for plan := range s.Plans() {
		for i := range plan.Pools { // in place, because no other goroutine has these records yet
			pool := &plan.Pools[i]
			s.plans.movesAfter(pool.ID, math.MinInt32, func(move poolMove) {
				add(pool.Security, dated{move.date, move.change.Reserved()})
				pool.taken = pool.taken.Add(move.date, move.change.Available().Neg())
			})
		}
	}
	for id, of := range changes {
		s.classes.changeTotals(id, func(security *Security) { security.used = lineOf(of) })
	}
}

// lineOf returns the line with the changes by day.
func lineOf(changes map[Date]Decimal) timeline.Line {
	days := make([]dated, 0, len(changes))
	for date, change := range changes {
		days = append(days, dated{date, change})
	}
	slices.SortFunc(days, func(a, b dated) int { return cmp.Compare(a.date, b.date) })
	line := timeline.Line{}
	for _, day := range days {
		line = line.Add(day.date, day.change)
	}
	return line
}

// auditUses checks that the lines of all classes and pools match their records.
func auditUses(s *State, note func(format string, args ...any)) {
	counted := *s // with its own classes and plans; the other records are only read
	counted.classes.securities, counted.plans.records = NewRecords[Security, Security](), NewRecords[Plan, Plan]()
	for security := range s.Securities() {
		counted.classes.securities.Set(security.ID, security)
	}
	for plan := range s.Plans() {
		fresh := *plan
		fresh.Pools = slices.Clone(plan.Pools)
		for i := range fresh.Pools {
			fresh.Pools[i].taken = timeline.Line{}
		}
		counted.plans.records.Set(plan.ID, &fresh)
	}
	countUses(&counted)
	for security := range s.Securities() {
		again, _ := counted.Security(security.ID)
		days := append(security.days(), again.days()...)
		slices.Sort(days)
		for _, day := range slices.Compact(days) {
			if had, has := security.used.On(day), again.used.On(day); !had.Equal(has) {
				note("security %s has %s shares issued or reserved on %s, its records say %s", security.ID, had, day, has)
			}
		}
	}
	for plan := range s.Plans() {
		again, _ := counted.Plan(plan.ID)
		for i := range plan.Pools {
			for day, taken := range plan.Pools[i].taken.Days() {
				if has := again.Pools[i].taken.On(day); !taken.Equal(has) {
					note("pool %s has %s shares available on %s, its past says %s", plan.Pools[i].ID, taken.Neg(), day, has.Neg())
				}
			}
		}
	}
}
