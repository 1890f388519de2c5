package calc

import (
	"errors"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// statementsCase is a grant with a flat, ordered list of vesting statements.
type statementsCase struct {
	Shares     *number             `json:"shares"`
	Start      exact.Date          `json:"start"`
	GrantDate  exact.Date          `json:"grant_date"`
	Policy     policy              `json:"grant_date_policy"`
	Allocation vesting.Allocation  `json:"allocation"`
	Day        vesting.Day         `json:"day_rule"`
	Statements []vesting.Statement `json:"statements"`
	Firings    []struct {
		Event    string           `json:"event"`
		Date     exact.Date       `json:"date"`
		Realized vesting.Fraction `json:"realized"`
	} `json:"firings"`
}

// statementsAnswer contains the instalments, their number and their sum.
type statementsAnswer struct {
	Installments []installment `json:"installments"`
	Count        int           `json:"count"`
	TotalVested  shares        `json:"total_vested"`
}

// statementsOf calculates the instalments of the grant.
func statementsOf(c statementsCase) (answer statementsAnswer, err error) {
	if c.Shares == nil {
		return answer, errors.New("a case has shares")
	}
	award := vesting.Award{Quantity: c.Shares.Decimal, GrantDate: c.GrantDate, Start: c.Start}
	if award.CatchUp, err = c.Policy.catchUp(); err != nil {
		return answer, err
	}
	if c.Allocation == "" {
		c.Allocation = vesting.CumulativeRoundDown
	}
	if c.Start.IsZero() && slices.ContainsFunc(c.Statements, func(s vesting.Statement) bool { return s.Base == "date" }) {
		return answer, refuse("a start is needed for statements that are counted from a date")
	}
	terms, err := vesting.Statements{Allocation: c.Allocation, Day: c.Day, Statements: c.Statements}.Terms()
	if err != nil {
		return answer, refuse(err.Error())
	}
	var happenings []vesting.Happening
	for _, firing := range c.Firings {
		happenings = append(happenings, vesting.Happening{Condition: firing.Event, Date: firing.Date, Realized: firing.Realized})
	}
	schedule, err := vesting.Project(award, terms, happenings)
	if err != nil {
		return answer, refuse(err.Error())
	}
	return statementsAnswer{installments(schedule), len(schedule), shares(schedule.Total())}, nil
}
