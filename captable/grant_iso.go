package captable

import (
	"slices"

	"equity/captable/vesting"
)

// ISOSplit is how much of a grant is an incentive stock option and how much is not, by
// the $100,000 rule (26 CFR 1.422-4) over all grants of its holder.
type ISOSplit struct {
	ISO    Decimal        `json:"iso"`
	NSO    Decimal        `json:"nso"`
	ByYear []ISOSplitYear `json:"byYear"`
}

// ISOSplitYear is what becomes exercisable for the first time in a calendar year.
type ISOSplitYear struct {
	Year int     `json:"year"`
	ISO  Decimal `json:"iso"`
	NSO  Decimal `json:"nso"`
}

// ISOSplit divides a grant; nil where it was not granted as an incentive stock option.
func (s *State) ISOSplit(grant *Grant, day Date) *ISOSplit {
	if grant.Type != GrantISO || grant.undoneOn(day) {
		return nil
	}
	var grants []vesting.ISOGrant
	for other := range s.GrantsOf(grant.Entity) {
		if other.Type == GrantISO && !other.undoneOn(day) && other.IssueDate <= day {
			grants = append(grants, s.isoGrant(other, day))
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

// isoGrant is the grant as the rule looks at it, in the amounts of the day.
func (s *State) isoGrant(grant *Grant, day Date) vesting.ISOGrant {
	amounts := grant.amountsOn(day)
	iso := vesting.ISOGrant{ID: grant.ID.String(), Date: grant.IssueDate, ISO: true, Value: s.grantValue(grant, day)}
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
	case grant.terminated(day):
		iso.Cancelled = grant.Termination.Date
	case grant.Status == StatusCancelled && grant.End.Date <= day:
		iso.Cancelled = grant.End.Date
	}
	return iso
}

// grantValue is what a share was worth on the day of the grant, in shares of the day
// that is asked about: as the grant says, else its valuation, else its price.
func (s *State) grantValue(grant *Grant, day Date) Decimal {
	value := grant.MarketValue
	if value == nil {
		value = s.marketValue(grant.Security, grant.IssueDate)
	}
	if value == nil {
		if price := grant.amountsOn(day).priceOn(grant.IssueDate); price != nil {
			return price.Amount
		}
		return Decimal{}
	}
	if security, known := s.Security(grant.Security); known {
		for _, split := range security.Splits {
			if grant.IssueDate < split.Date && split.Date <= day {
				value = split.Ratio.applyPrice(value)
			}
		}
	}
	return value.Amount
}
