package calc

import (
	"errors"
	"math/big"
	"strconv"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// interestCase is a debt, its interest rates, and the day of the calculation.
type interestCase struct {
	Principal *number `json:"principal"`
	// Issued is the day on which the principal was received. Default: the first day with a rate.
	Issued exact.Date   `json:"issued"`
	On     exact.Date   `json:"on"`
	Rates  []rate       `json:"rates"`
	Days   dayCount     `json:"day_count"`
	Kind   compounding  `json:"compounding"`
	Period accrualCycle `json:"accrual_period"`
}

// rate is a yearly rate. Its last day is included.
type rate struct {
	Rate number     `json:"rate"`
	From exact.Date `json:"from"`
	To   exact.Date `json:"to"`
}

// interestAnswer contains the amount owed, with ten decimal places, and the payable interest.
type interestAnswer struct {
	Interest exact.Decimal `json:"interest"`
	Rounded  string        `json:"interest_2dp"`
	Amount   exact.Decimal `json:"amount"`
}

// The limits of a debt in years and rates. With daily compounding the number of digits grows with the
// number of days.
const (
	longestDebt = 100
	mostRates   = 1000
)

const monthsOfYear = 12

// interestOf calculates the interest until the day.
func interestOf(c interestCase) (answer interestAnswer, err error) {
	if c.Principal == nil || c.On.IsZero() || c.Rates == nil {
		return answer, errors.New("a case has a principal, rates and the day that it is about")
	}
	if len(c.Rates) > mostRates {
		return answer, refuse("a debt has at most " + strconv.Itoa(mostRates) + " rates")
	}
	debt := c.ledger()
	if faults := debt.Faults(); len(faults) > 0 {
		return answer, refuse(why(faults[0]))
	}
	if c.On > debt.Since.AddMonths(longestDebt*monthsOfYear) {
		return answer, refuse("a debt is followed over at most " + strconv.Itoa(longestDebt) + " years")
	}
	owed := debt.On(c.On)
	return interestAnswer{decimal(owed.Interest), cents(owed.Interest), decimal(owed.Balance())}, nil
}

// ledger converts the case to the domain's type.
func (c interestCase) ledger() conversion.Ledger {
	terms := conversion.Interest{DayCount: c.Days.known(), Compounding: c.Kind.known(), AccrualPeriod: c.Period.known()}
	for _, one := range c.Rates {
		terms.Rates = append(terms.Rates, conversion.Rate{Rate: one.Rate.Decimal, From: one.From, To: one.To})
	}
	since := c.Issued
	switch {
	case !since.IsZero():
	case len(c.Rates) == 0: // no rate, no interest
		since = c.On
	default:
		since = c.Rates[0].From
	}
	return conversion.Ledger{Principal: c.Principal.Decimal, Since: since, Interest: terms}
}

// cents formats an amount of money, rounded half up.
func cents(r *big.Rat) string { return r.FloatString(2) }

// The terms of interest in the spelling of the Open Cap Format.
type (
	dayCount     string
	compounding  string
	accrualCycle string
)

// known returns the domain's name. An unknown name is returned unchanged.
func (d dayCount) known() conversion.DayCount {
	if d == "ACTUAL_365" {
		return conversion.Actual365
	}
	return conversion.DayCount(d)
}

func (c compounding) known() conversion.Compounding {
	switch c {
	case "SIMPLE":
		return conversion.Simple
	case "COMPOUNDING":
		return conversion.Compound
	default:
		return conversion.Compounding(c)
	}
}

func (a accrualCycle) known() conversion.AccrualPeriod {
	switch a {
	case "DAILY":
		return conversion.Daily
	case "MONTHLY":
		return conversion.Monthly
	case "QUARTERLY":
		return conversion.Quarterly
	case "SEMI_ANNUAL":
		return conversion.SemiAnnual
	case "ANNUAL":
		return conversion.Annual
	default:
		return conversion.AccrualPeriod(a)
	}
}
