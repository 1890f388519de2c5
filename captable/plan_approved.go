package captable

import (
	"math"
	"slices"
	"strconv"

	"equity/captable/timeline"
	"equity/fault"
)

// checkApproved refuses a grant that exceeds the approved quantity of its type on any day from
// its issue date on. Quantities that ended without shares are not counted: they can be granted
// again within the limits of their pool.
func checkApproved(s *State, plan *Plan, issue *GrantIssue, today Date) error {
	for _, approved := range plan.ApprovedEquities {
		if approved.Type != issue.Type || approved.Quantity == nil {
			continue
		}
		line, days := s.grants.grantedOf(plan.ID, issue.Type, today), span{
			from: s.classes.restatedFrom(plan, issue.IssueDate), to: math.MaxInt32,
		}
		available := AuthorizedOf(approved.Quantity.Sub(line.Most(days.from, days.to)).Max(Decimal{}))
		quantity := issue.present(s)
		if !available.Covers(quantity) {
			day, _ := firstAbove(line, days, quantity.Sub(*approved.Quantity))
			return insufficient("The plan does not approve enough shares of this type.", available, quantity).
				With("type", string(issue.Type)).With("approved", approved.Quantity.String()).With("date", day.String()).
				At("/quantity", string(fault.InsufficientShares), exceeds(available, quantity, day))
		}
	}
	return nil
}

// present returns the quantity of a new grant in present shares.
func (i *GrantIssue) present(s *State) Decimal {
	security, _ := s.Security(i.Security)
	amounts := i.GrantAmounts
	for _, split := range security.splitsAfter(i.IssueDate) {
		amounts = split.AmountsAfter(&amounts, security.Places())
	}
	return amounts.Quantity
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
		line, days := s.grants.grantedOf(plan.ID, approved.Type, today), span{
			from: s.classes.restatedFrom(plan, math.MinInt32), to: math.MaxInt32,
		}
		if day, over := firstAbove(line, days, approved.Quantity.Neg()); over {
			granted := line.On(day).String()
			return fault.Refuse(
				fault.Conflict, "The approved quantity must not be less than the granted shares.",
			).With("type", string(approved.Type)).
				With("approved", approved.Quantity.String()).With("granted", granted).With("date", day.String()).
				At("/approvedEquities/"+strconv.Itoa(i)+"/quantity", "belowUsed", granted+" shares are granted on "+day.String()+".")
		}
	}
	return nil
}

// restatedFrom returns the first day, from the given one on, that counts in present shares.
// Splits restate the approved quantities.
func (c *classes) restatedFrom(plan *Plan, day Date) Date {
	for i := range plan.Pools {
		for _, class := range plan.Pools[i].Classes() {
			if security, known := c.securities.Get(class); known && len(security.Splits) > 0 {
				day = max(day, security.Splits[len(security.Splits)-1].Date)
			}
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
	for _, deduction := range g.Deductions {
		days = append(days, deduction.Date)
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
		for _, deduction := range amounts.Deductions {
			if deduction.Date <= day && deduction.Kind != StatusExercised && deduction.Kind != StatusReleased {
				left = left.Sub(deduction.Quantity)
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
// pools and grants of the plan are of the class, because a split of one class does not restate a
// quantity of several classes.
func (e SecuritySplit) approvedAfter(plan *Plan, security *Security) []ApprovedEquity {
	for i := range plan.Pools {
		if slices.ContainsFunc(plan.Pools[i].Classes(), func(class SecurityID) bool { return class != e.ID }) {
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
