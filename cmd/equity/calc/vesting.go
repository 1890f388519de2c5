package calc

import (
	"errors"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// vestingCase is a grant with a graph of vesting conditions.
type vestingCase struct {
	Grant struct {
		Date     exact.Date `json:"date"`
		Quantity *number    `json:"quantity"`
	} `json:"grant"`
	Terms struct {
		Allocation vesting.Allocation `json:"allocation"`
		Conditions []condition        `json:"conditions"`
	} `json:"terms"`
	FixedVestings []row               `json:"fixed_vestings"`
	Happenings    []vesting.Happening `json:"happenings"`
	Policy        policy              `json:"grant_date_policy"`
}

// condition is a condition whose shares may also be a JSON number.
type condition struct {
	vesting.Condition
	Vests struct {
		Fraction vesting.Fraction `json:"fraction"`
		Of       vesting.Base     `json:"of"`
		Shares   number           `json:"shares"`
	} `json:"vests"`
}

// row is an instalment listed in a case.
type row struct {
	Date   exact.Date `json:"date"`
	Shares number     `json:"shares"`
}

// policy is the treatment of instalments before the date of grant.
type policy string

// catchUp returns the policy as a value of package vesting. Without a policy the instalments keep their dates.
func (p policy) catchUp() (vesting.CatchUp, error) {
	switch p {
	case "":
		return vesting.AsScheduled, nil
	case "catch_up_on_grant_date":
		return vesting.OnGrantDate, nil
	case "catch_up_on_next_installment":
		return vesting.OnNextInstalment, nil
	}
	return "", errors.New("grant_date_policy is catch_up_on_grant_date or catch_up_on_next_installment")
}

// vestingAnswer contains the instalments and their sum.
type vestingAnswer struct {
	Installments  []installment `json:"installments"`
	TotalVested   shares        `json:"total_vested"`
	TotalUnvested shares        `json:"total_unvested"`
}

type installment struct {
	Date   exact.Date `json:"date"`
	Shares shares     `json:"shares"`
}

// vestingOf calculates the instalments of the grant.
func vestingOf(c vestingCase) (answer vestingAnswer, err error) {
	if c.Grant.Quantity == nil {
		return answer, errors.New("a grant has a quantity")
	}
	award := vesting.Award{Quantity: c.Grant.Quantity.Decimal, GrantDate: c.Grant.Date}
	if award.CatchUp, err = c.Policy.catchUp(); err != nil {
		return answer, err
	}
	for _, row := range c.FixedVestings {
		award.Vestings = append(award.Vestings, vesting.Vesting{Date: row.Date, Quantity: row.Shares.Decimal})
	}
	terms := vesting.Terms{Allocation: c.Terms.Allocation}
	for _, condition := range c.Terms.Conditions {
		v := condition.Vests
		condition.Condition.Vests = vesting.Portion{Fraction: v.Fraction, Of: v.Of, Shares: v.Shares.Decimal}
		terms.Conditions = append(terms.Conditions, condition.Condition)
	}
	schedule, err := vesting.Project(award, terms, c.Happenings)
	if err != nil {
		return answer, refuse(err.Error())
	}
	return vestingAnswer{installments(schedule), shares(schedule.Total()), shares(award.Quantity.Sub(schedule.Total()))}, nil
}

// installments returns the rows of a schedule as a non-nil list.
func installments(schedule vesting.Schedule) []installment {
	rows := make([]installment, 0, len(schedule))
	for _, i := range schedule {
		rows = append(rows, installment{i.Date, shares(i.Quantity)})
	}
	return rows
}
