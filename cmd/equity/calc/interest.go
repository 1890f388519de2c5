package calc

import (
	"errors"
	"math/big"
	"strconv"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// interestCase is a debt, the rates it bears, and the day on which to look.
type interestCase struct {
	Principal *number `json:"principal"`
	// Issued is the day on which the principal came in, else the first day with a rate.
	Issued exact.Date   `json:"issued"`
	On     exact.Date   `json:"on"`
	Rates  []rate       `json:"rates"`
	Days   dayCount     `json:"day_count"`
	Kind   compounding  `json:"compounding"`
	Period accrualCycle `json:"accrual_period"`
}

// rate is a yearly rate; its last day is included.
type rate struct {
	Rate number     `json:"rate"`
	From exact.Date `json:"from"`
	To   exact.Date `json:"to"`
}

// interestAnswer is what is owed, with ten places, and the interest as it is paid.
type interestAnswer struct {
	Interest exact.Decimal `json:"interest"`
	Rounded  string        `json:"interest_2dp"`
	Amount   exact.Decimal `json:"amount"`
}

// A debt bears interest for so many years and rates at most: what compounds daily has as
// many digits as there are days.
const (
	longestDebt = 100
	mostRates   = 1000
)

const monthsOfYear = 12

// interestOf runs the debt until the day.
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

// ledger gives the case in the domain's terms.
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

// cents prints an amount of money, a half rounded up.
func cents(r *big.Rat) string { return r.FloatString(2) }

// The terms of interest, as the Open Cap Format writes them.
type (
	dayCount     string
	compounding  string
	accrualCycle string
)

// known gives the domain's name; one that is not known stays what it is.
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
