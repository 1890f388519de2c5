package captable

import (
	"slices"

	"equity/captable/vesting"
)

// splitGrants restates the grants of the class. Each quantity is rounded down by itself
// and the whole is their sum, so that a grant balances as its pool does.
func (e SecuritySplit) splitGrants(s *State, security *Security, stamp Stamp) {
	for grant := range s.Copy().Grants() { // the copy stays still while grants change
		if grant.Security != e.ID || grant.undone() {
			continue
		}
		if grant.outside() && grant.Status.Outstanding() {
			after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
			s.reserveOutside(grant, after.Left().Sub(grant.Left()), stamp)
		}
		s.changeGrant(grant.ID, stamp, func(g *Grant) {
			g.Before = append(slices.Clip(g.Before), GrantPast{Until: e.Date, Ratio: e.Ratio, GrantAmounts: g.GrantAmounts})
			g.GrantAmounts = e.AmountsAfter(&grant.GrantAmounts, security.Places())
			if g.Status.Outstanding() && g.Left().IsZero() { // less than a share is left: it is paid in cash
				g.Status = StatusCancelled
				g.End = &End{Date: e.Date, Reason: "split", At: stamp.At, By: stamp.By}
			}
		})
	}
}

// AmountsAfter restates the amounts of a grant of the class, whose shares may be divided
// into so many places. What was taken and what is left are each rounded down, and are the new whole.
func (e SecuritySplit) AmountsAfter(a *GrantAmounts, places int) GrantAmounts {
	split := func(shares Decimal) Decimal { return e.Ratio.apply(shares, places) }
	after := GrantAmounts{Quantity: split(a.Left()), ExercisePrice: e.Ratio.applyPrice(a.ExercisePrice)}
	if a.Terms != nil {
		after.Terms = new(a.Terms.Restated(split))
	}
	after.Repricings = e.repricingsAfter(a.Repricings)
	for _, taking := range a.Takings {
		taking.Quantity, taking.Unvested = split(taking.Quantity), split(taking.Unvested)
		after.Quantity = after.Quantity.Add(taking.Quantity)
		after.Takings = append(after.Takings, taking)
	}
	after.Vestings, after.Accelerations = vestingsAfter(a.Vestings, after.Quantity, split), vestingsAfter(a.Accelerations, after.Quantity, split)
	return after
}

// vestingsAfter restates vestings. They sum to no more than the whole, which rounding
// may have made less than its parts; what is left of nothing is left out.
func vestingsAfter(before []vesting.Vesting, whole Decimal, split func(Decimal) Decimal) (after []vesting.Vesting) {
	for _, v := range before {
		v.Quantity = split(v.Quantity).Min(whole)
		whole = whole.Sub(v.Quantity)
		if !v.Quantity.IsZero() {
			after = append(after, v)
		}
	}
	return after
}

// outstandingAfter sums what is left of a pool's grants after the split.
func (e SecuritySplit) outstandingAfter(s *State, ref PoolRef, security *Security) Decimal {
	left := Decimal{}
	for grant := range s.Grants() {
		if grant.Ref() == ref && grant.Status.Outstanding() {
			left = left.Add(e.Ratio.apply(grant.Left(), security.Places()))
		}
	}
	return left
}

// grantsFit reports whether all grants of the class can be written after the split.
func (e SecuritySplit) grantsFit(s *State, security *Security) bool {
	for grant := range s.Grants() {
		if grant.Security != e.ID || grant.undone() {
			continue
		}
		after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
		if !after.Quantity.Fits() || !after.ExercisePrice.fits() || len(after.Repricings) > 0 && !after.Repricings[0].From.fits() {
			return false
		}
	}
	return true
}
