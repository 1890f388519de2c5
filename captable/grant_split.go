package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// splitGrants restates the grants of the class. Each quantity is rounded down separately and the
// total is their sum. The figures of a grant therefore balance, like those of its pool.
func (e SecuritySplit) splitGrants(s *State, security *Security, stamp Stamp) {
	for grant := range s.Copy().Grants() { // iterate over a copy, because the loop changes the grants
		if grant.Security != e.ID || grant.undone() {
			continue
		}
		if grant.outside() && grant.Status.Outstanding() {
			after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
			s.reserveOutside(grant, after.Left().Sub(grant.Left()), stamp)
		}
		s.changeGrant(grant.ID, stamp, func(g *Grant) {
			past := GrantPast{Until: e.Date, Ratio: e.Ratio, GrantAmounts: g.GrantAmounts}
			g.GrantAmounts = e.after(grant, security.Places())
			g.Requests = slices.Clone(g.Requests)
			for i := range g.Requests {
				request := &g.Requests[i]
				if past.Requested == nil {
					past.Requested = map[RequestID]Decimal{}
				}
				past.Requested[request.ID] = request.Quantity
				request.Quantity = e.Ratio.apply(request.Quantity, security.Places())
			}
			g.Before = append(slices.Clip(g.Before), past)
			if g.Status.Outstanding() && g.Left().IsZero() { // the rest is less than one share and is paid in cash
				g.Status = StatusCancelled
				g.End = &End{Date: e.Date, Reason: "split", At: stamp.At, By: stamp.By}
			}
		})
	}
}

// after returns the amounts of a grant after the split, with prices computed from the exact ones.
func (e SecuritySplit) after(g *Grant, places int) GrantAmounts {
	after := e.AmountsAfter(&g.GrantAmounts, places)
	after.ExercisePrice = e.Ratio.restatedPrice(g.ExercisePrice, g.pastPrices(func(a *GrantAmounts) *Price { return a.ExercisePrice }))
	after.MarketValue = e.Ratio.restatedPrice(g.MarketValue, g.pastPrices(func(a *GrantAmounts) *Price { return a.MarketValue }))
	for n := range after.Repricings {
		restated := func(price Price, of func(*Repricing) *Price) Price {
			return *e.Ratio.restatedPrice(&price, g.pastPrices(func(a *GrantAmounts) *Price {
				if n >= len(a.Repricings) { // the split precedes the repricing
					return nil
				}
				return of(&a.Repricings[n])
			}))
		}
		repricing := &after.Repricings[n]
		repricing.From = restated(g.Repricings[n].From, func(r *Repricing) *Price { return &r.From })
		repricing.To = restated(g.Repricings[n].To, func(r *Repricing) *Price { return &r.To })
	}
	return after
}

// pastPrices returns a price of the grant before each split.
func (g *Grant) pastPrices(of func(*GrantAmounts) *Price) []pastPrice {
	return pastOf(g.Before, func(past GrantPast) pastPrice { return pastPrice{of(&past.GrantAmounts), past.Ratio} })
}

// exactPrice returns the unrounded exercise price, or nil if there is none.
func (g *Grant) exactPrice() *big.Rat {
	return exactPrice(g.ExercisePrice, g.pastPrices(func(a *GrantAmounts) *Price { return a.ExercisePrice }))
}

// paidFor returns the exact cost of the shares if their rounded price does not determine it, and
// nil otherwise.
func (g *Grant) paidFor(shares Decimal) *Consideration {
	price := g.ExercisePrice
	if price == nil || price.Currency != "" || g.exactPrice().Cmp(price.Amount.Rat()) == 0 {
		return nil
	}
	return &Consideration{Cash: exact.RoundHalfUp(new(big.Rat).Mul(g.exactPrice(), shares.Rat()), exact.Places)}
}

// AmountsAfter returns the amounts of a grant of the class after the split. Places is the number
// of decimal places of a share. The deducted and the remaining quantities are each rounded down,
// and their sum is the new total.
func (e SecuritySplit) AmountsAfter(a *GrantAmounts, places int) GrantAmounts {
	split := func(shares Decimal) Decimal { return e.Ratio.apply(shares, places) }
	after := GrantAmounts{
		Quantity: split(a.Left()), ExercisePrice: e.Ratio.applyPrice(a.ExercisePrice), MarketValue: e.Ratio.applyPrice(a.MarketValue),
	}
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

// vestingsAfter restates instalments. Their sum is limited to the total, which may be less than
// the sum of its parts after rounding. Instalments of zero are omitted.
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

// outstandingAfter returns the outstanding quantity of a pool's grants after the split.
func (e SecuritySplit) outstandingAfter(s *State, ref PoolRef, security *Security) Decimal {
	left := Decimal{}
	for grant := range s.Grants() {
		if grant.Ref() == ref && grant.Status.Outstanding() {
			left = left.Add(e.Ratio.apply(grant.Left(), security.Places()))
		}
	}
	return left
}

// grantsFit reports whether the restated figures of all grants of the class fit into the number
// format.
func (e SecuritySplit) grantsFit(s *State, security *Security) bool {
	for grant := range s.Grants() {
		if grant.Security != e.ID || grant.undone() {
			continue
		}
		after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
		if !after.Quantity.Fits() || !after.ExercisePrice.fits() || !after.MarketValue.fits() || len(after.Repricings) > 0 && !after.Repricings[0].From.fits() {
			return false
		}
	}
	return true
}
