package conversion

import (
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Repayment is a payment by the debtor.
type Repayment struct {
	// Date is the first day without interest on the amount.
	Date   exact.Date    `json:"date"`
	Amount exact.Decimal `json:"amount"`
	// InterestFirst pays the interest of the current period, then compounded interest, then the principal.
	// Otherwise the order is principal, then compounded interest.
	InterestFirst bool `json:"interestFirst"`
}

// Portion is the remaining fraction of a debt after a division, for example of a note between two holders.
// Principal, interest and compounded interest are multiplied by it.
type Portion struct {
	// Date is the day of the division.
	Date exact.Date `json:"date"`
	// After is the number of earlier repayments.
	After       int           `json:"after"`
	Numerator   exact.Decimal `json:"numerator"`
	Denominator exact.Decimal `json:"denominator"`
}

// Ledger is a debt with its interest terms, repayments and divisions.
type Ledger struct {
	Principal exact.Decimal
	// Since is the issue date of the debt.
	Since    exact.Date
	Interest Interest
	// Repayments are in order of date.
	Repayments []Repayment
	// Portions are in order of time.
	Portions []Portion
}

// Standing is the balance of a debt on a day, exact to fractions of a cent.
type Standing struct {
	Principal *big.Rat
	// Interest is all unpaid interest, compounded or not.
	Interest *big.Rat
}

// Balance returns principal plus interest.
func (s Standing) Balance() *big.Rat { return new(big.Rat).Add(s.Principal, s.Interest) }

// On returns the balance at the end of the day, with interest for all earlier days and less the repayments. It is
// zero before the issue date.
func (l Ledger) On(day exact.Date) Standing {
	if day < l.Since {
		return Standing{Principal: new(big.Rat), Interest: new(big.Rat)}
	}
	a := open(l.Principal, l.Since, l.Interest.WithDefaults())
	left := l.Portions
	for n, repayment := range l.Repayments {
		left = a.divide(left, n, day)
		if repayment.Date > day {
			break
		}
		a.advance(repayment.Date)
		if repayment.InterestFirst {
			a.pay(repayment.Amount, a.current, a.compounded, a.principal)
		} else {
			a.pay(repayment.Amount, a.principal, a.compounded, a.current)
		}
	}
	a.divide(left, len(l.Repayments), day)
	a.advance(day)
	return a.standing()
}

// Faults returns the faults of the terms (below /interest) and of the repayments, with the codes of
// [Interest.Faults], notPositive and datesOutOfOrder. The caller must check with [Ledger.On] that repayments do
// not exceed the balance.
func (l Ledger) Faults() []Fault {
	var f faults
	if l.Principal.Sign() <= 0 {
		f.add("/principal", "notPositive", "The principal must be more than zero.")
	}
	f.within("/interest", l.Interest.Faults())
	last := l.Since
	for n, repayment := range l.Repayments {
		pointer := "/repayments/" + strconv.Itoa(n)
		if repayment.Amount.Sign() <= 0 {
			f.add(pointer+"/amount", "notPositive", "The repayment must be above zero.")
		}
		if repayment.Date < last {
			f.add(pointer+"/date", "datesOutOfOrder", "The date must not be before "+last.String()+".")
		}
		last = max(last, repayment.Date)
	}
	return f
}

// Accrued returns the interest on the principal from one day to another, the first included and the last excluded:
// January 1 to January 1 of the next year is a year. It returns 0 if the second day is not later.
func (i Interest) Accrued(principal exact.Decimal, from, to exact.Date) *big.Rat {
	return Ledger{Principal: principal, Since: from, Interest: i}.On(to).Interest
}
