package captable

import (
	"math/big"
	"slices"

	"equity/captable/vesting"
)

// ISOSplit is the division of a grant into incentive and non-qualified stock options by the
// $100,000 rule (26 CFR 1.422-4) over all grants of the holder.
type ISOSplit struct {
	ISO    Decimal        `json:"iso"`
	NSO    Decimal        `json:"nso"`
	ByYear []ISOSplitYear `json:"byYear"`
}

// ISOSplitYear is the quantity that becomes exercisable for the first time in a calendar year.
type ISOSplitYear struct {
	Year int     `json:"year"`
	ISO  Decimal `json:"iso"`
	NSO  Decimal `json:"nso"`
}

// ISOSplit divides a grant. It returns nil if the grant is not an incentive stock option.
func (s *State) ISOSplit(grant *Grant, day Date) *ISOSplit {
	if grant.Type != GrantISO || grant.undoneOn(day) {
		return nil
	}
	var grants []vesting.ISOGrant
	for other := range s.GrantsOf(grant.Entity) {
		if other.Type == GrantISO && !other.undoneOn(day) && other.IssueDate <= day {
			grants = append(grants, isoGrant(s, other, day))
		}
	}
	split := &ISOSplit{ByYear: []ISOSplitYear{}}
	for _, year := range vesting.SplitISO(vesting.ISOLimit(), grants) {
		if year.Grant == grant.ID.String() {
			split.ISO, split.NSO = split.ISO.Add(year.ISO), split.NSO.Add(year.NSO)
			split.ByYear = append(split.ByYear, ISOSplitYear{year.Year, year.ISO, year.NSO})
		}
	}
	return split
}

// isoGrant returns the input of the rule for the grant, in shares of the day.
func isoGrant(s *State, grant *Grant, day Date) vesting.ISOGrant {
	amounts := grant.amountsOn(day)
	iso := vesting.ISOGrant{ID: grant.ID.String(), Date: grant.IssueDate, ISO: true, ExactValue: grantValue(s, grant, day)}
	if grant.EarlyExercise {
		iso.Exercisable = []vesting.Vesting{{Date: grant.IssueDate, Quantity: amounts.Quantity}}
	} else {
		for _, instalment := range grant.Schedule(day) {
			iso.Exercisable = append(iso.Exercisable, vesting.Vesting{Date: instalment.Date, Quantity: instalment.Quantity})
		}
	}
	takings := amounts.Takings
	if lapse, lapsed := grant.lapse(day); lapsed {
		takings = append(slices.Clip(takings), lapse)
	}
	for _, taking := range takings {
		if !taking.exercise() && taking.Date <= day && taking.Unvested.Sign() > 0 {
			iso.Reductions = append(iso.Reductions, vesting.Vesting{Date: taking.Date, Quantity: taking.Unvested})
		}
	}
	switch {
	case grant.TerminatedBy(day):
		iso.Cancelled = grant.Termination.Date
	case grant.Status == StatusCancelled && grant.End.Date <= day:
		iso.Cancelled = grant.End.Date
	}
	return iso
}

// grantValue returns the exact value of one share on the day of the grant, in shares of the given
// day. It uses the market value of the grant, then the valuation, then the exercise price.
func grantValue(s *State, grant *Grant, day Date) *big.Rat {
	was := *grant
	was.GrantAmounts, was.Before = *grant.amountsOn(day), grant.pastOn(day)
	if was.MarketValue != nil {
		return exactPrice(was.MarketValue, was.pastPrices(func(a *GrantAmounts) *Price { return a.MarketValue }))
	}
	growth := grown(was.Before, day, func(past GrantPast) (Date, Ratio) { return past.Until, past.Ratio })
	if quote := marketValue(s, grant.Security, grant.IssueDate); quote != nil {
		return growth.Quo(quote.Amount, growth)
	}
	first := &was.GrantAmounts
	if len(was.Before) > 0 {
		first = &was.Before[0].GrantAmounts
	}
	if price := first.priceOn(grant.IssueDate); price != nil {
		return growth.Quo(price.Amount.Rat(), growth)
	}
	return new(big.Rat)
}
