package vesting_test

import (
	"encoding/json"
	"testing"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// graphCase is a published case: a grant with a graph of conditions.
type graphCase struct {
	ID    string
	Grant struct {
		Date     exact.Date
		Quantity exact.Decimal
	}
	Terms         vesting.Terms
	FixedVestings []line              `json:"fixed_vestings"`
	Happenings    []vesting.Happening // both kinds of rows contain a condition
	Policy        string              `json:"grant_date_policy"`
	Expect        struct {
		Installments  []line
		TotalVested   json.Number `json:"total_vested"`
		TotalUnvested json.Number `json:"total_unvested"`
	}
}

func (c graphCase) award() vesting.Award {
	award := vesting.Award{Quantity: c.Grant.Quantity, GrantDate: c.Grant.Date, CatchUp: vesting.AsScheduled}
	switch c.Policy {
	case "catch_up_on_grant_date":
		award.CatchUp = vesting.OnGrantDate
	case "catch_up_on_next_installment":
		award.CatchUp = vesting.OnNextInstalment
	}
	for _, row := range c.FixedVestings {
		award.Vestings = append(award.Vestings, vesting.Vesting{Date: row.Date, Quantity: number(row.Shares.String())})
	}
	return award
}

func TestGraphs(t *testing.T) {
	t.Parallel()
	for _, c := range cases[graphCase](t, "graph.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			schedule := project(t, c.award(), c.Terms, c.Happenings...)
			vests(t, schedule, c.Expect.Installments)
			equal(t, "total", schedule.Total().String(), c.Expect.TotalVested.String())
			equal(t, "unvested", c.Grant.Quantity.Sub(schedule.Total()).String(), c.Expect.TotalUnvested.String())
		})
	}
}
