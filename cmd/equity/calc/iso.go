package calc

import (
	"errors"
	"fmt"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// isoCase contains all grants of one holder.
type isoCase struct {
	Limit  *number    `json:"limit_usd"`
	Grants []isoGrant `json:"grants"`
}

// isoGrant is a grant that becomes exercisable in monthly instalments, in the listed instalments or,
// if early exercise is permitted, immediately.
type isoGrant struct {
	ID               string     `json:"id"`
	Date             exact.Date `json:"date"`
	Kind             string     `json:"kind"`
	Quantity         number     `json:"quantity"`
	Value            *number    `json:"fmv_at_grant"`
	Monthly          int        `json:"monthly"`
	VestingStart     exact.Date `json:"vesting_start"`
	EarlyExercisable bool       `json:"early_exercisable"`
	Exercisable      []row      `json:"exercisable"`
	Cancelled        exact.Date `json:"cancelled"`
}

// isoRow is the part of a grant that becomes exercisable in a year.
type isoRow struct {
	Year        int    `json:"year"`
	Grant       string `json:"grant"`
	Exercisable shares `json:"exercisable"`
	ISO         shares `json:"iso"`
	NSO         shares `json:"nso"`
}

// isoOf applies the $100,000 rule to the grants.
func isoOf(c isoCase) ([]isoRow, error) {
	if c.Grants == nil {
		return nil, errors.New("a case has a list of grants")
	}
	limit := vesting.ISOLimit()
	if c.Limit != nil {
		limit = c.Limit.Decimal
	}
	grants := make([]vesting.ISOGrant, 0, len(c.Grants))
	instalments := 0
	for _, g := range c.Grants {
		if instalments += min(max(g.Monthly, 0), vesting.MaxInstalments); instalments > vesting.MaxInstalments {
			return nil, refuse("the grants have too many instalments")
		}
		grant, err := g.read()
		if err != nil {
			return nil, err
		}
		grants = append(grants, grant)
	}
	rows := []isoRow{}
	for _, y := range vesting.SplitISO(limit, grants) {
		rows = append(rows, isoRow{y.Year, y.Grant, shares(y.Exercisable), shares(y.ISO), shares(y.NSO)})
	}
	return rows, nil
}

// read converts the grant to the input of the rule.
func (g isoGrant) read() (grant vesting.ISOGrant, err error) {
	if !slices.Contains(
		[]string{"ISO", "NSO"}, g.Kind,
	) || g.Date.IsZero() || g.Value == nil || g.Value.Sign() < 0 || g.Quantity.Sign() < 0 {
		return grant, fmt.Errorf("grant %q: its kind is ISO or NSO, and it has a date, a quantity and a value, none negative", g.ID)
	}
	grant = vesting.ISOGrant{ID: g.ID, Date: g.Date, ISO: g.Kind == "ISO", Value: g.Value.Decimal, Cancelled: g.Cancelled}
	switch {
	case g.EarlyExercisable:
		grant.Exercisable = []vesting.Vesting{{Date: g.Date, Quantity: g.Quantity.Decimal}}
	case len(g.Exercisable) > 0:
		for _, row := range g.Exercisable {
			if row.Shares.Sign() < 0 || row.Date.IsZero() {
				return grant, fmt.Errorf("grant %q: what becomes exercisable has a date and is not negative", g.ID)
			}
			grant.Exercisable = append(grant.Exercisable, vesting.Vesting{Date: row.Date, Quantity: row.Shares.Decimal})
		}
	default:
		grant.Exercisable, err = g.monthly()
	}
	return grant, err
}

// monthly returns equal monthly instalments from the vesting start. Instalments before the date of
// grant are added to the next one. A grant without months vests immediately.
func (g isoGrant) monthly() ([]vesting.Vesting, error) {
	award := vesting.Award{Quantity: g.Quantity.Decimal, GrantDate: g.Date, Start: g.VestingStart, CatchUp: vesting.OnNextInstalment}
	if award.Start.IsZero() {
		award.Start = g.Date
	}
	var terms vesting.Terms
	if g.Monthly != 0 {
		var err error
		terms, err = vesting.Statements{Allocation: vesting.CumulativeRoundDown, Statements: []vesting.Statement{{
			Order: 1, Base: "date", Times: g.Monthly, Every: vesting.Period{N: 1, Unit: vesting.Months},
			Fraction: vesting.Fraction{Numerator: 1, Denominator: 1},
		}}}.Terms()
		if err != nil {
			return nil, refuse(err.Error())
		}
	}
	schedule, err := vesting.Project(award, terms, nil)
	if err != nil {
		return nil, refuse(err.Error())
	}
	vestings := make([]vesting.Vesting, len(schedule))
	for i, instalment := range schedule {
		vestings[i] = vesting.Vesting{Date: instalment.Date, Quantity: instalment.Quantity}
	}
	return vestings, nil
}
