package captable

import "slices"

// checkApproved refuses to grant more of a type than the plan approves of it. What ended
// without shares counts no more: it may be granted again as far as its pool has it.
func (s *State) checkApproved(plan *Plan, granted GrantType, quantity Decimal, today Date) error {
	for _, approved := range plan.ApprovedEquities {
		if approved.Type != granted || approved.Quantity == nil {
			continue
		}
		available := approved.Quantity.Sub(s.grantedOf(plan.ID, granted, today)).Max(Decimal{})
		if available.Cmp(quantity) < 0 {
			return insufficient("The plan approves no more of this type.", AuthorizedOf(available), quantity).
				With("type", string(granted)).With("approved", approved.Quantity.String())
		}
	}
	return nil
}

// grantedOf sums what of a plan's grants of the type is outstanding on the day or became
// shares.
func (s *State) grantedOf(plan PlanID, granted GrantType, day Date) Decimal {
	sum := Decimal{}
	for grant := range s.Grants() {
		if grant.Plan != plan || grant.Type != granted || grant.undone() {
			continue
		}
		sum = sum.Add(grant.leftOn(day))
		for _, taking := range grant.Takings {
			if taking.Kind == StatusExercised || taking.Kind == StatusReleased {
				sum = sum.Add(taking.Quantity)
			}
		}
	}
	return sum
}

// approvedAfter restates what the plan approves, where all its pools are of the class: what
// it approves of several classes together is not restated by the split of one.
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
