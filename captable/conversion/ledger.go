package conversion

import (
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Repayment is money that the debtor paid.
type Repayment struct {
	// Date is the day on which it no longer bears interest.
	Date   exact.Date    `json:"date"`
	Amount exact.Decimal `json:"amount"`
	// InterestFirst pays the interest of the running period, then that which was
	// compounded, then the principal; without it the principal comes first, then what
	// was compounded.
	InterestFirst bool `json:"interestFirst"`
}

// Portion is the part of a debt that is left when the rest of it goes elsewhere, as when
// a note is divided between two holders: principal, interest and all that is compounded
// are multiplied by it.
type Portion struct {
	// Date is the day on which the debt was divided.
	Date exact.Date `json:"date"`
	// After is how many repayments were made before.
	After       int           `json:"after"`
	Numerator   exact.Decimal `json:"numerator"`
	Denominator exact.Decimal `json:"denominator"`
}

// Ledger is a debt, what it bears and what was paid.
type Ledger struct {
	Principal exact.Decimal
	// Since is the day on which the principal came in.
	Since    exact.Date
	Interest Interest
	// Repayments are in order of date.
	Repayments []Repayment
	// Portions are in order of time.
	Portions []Portion
}

// Standing is what is owed on a day, to fractions of a cent.
type Standing struct {
	Principal *big.Rat
	// Interest is all that is unpaid, compounded or not.
	Interest *big.Rat
}

// Balance is principal and interest together.
func (s Standing) Balance() *big.Rat { return new(big.Rat).Add(s.Principal, s.Interest) }

// On gives what is owed at the end of the day: interest for the days before it, and
// what was paid on it taken off. Nothing is owed before the principal came in.
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

// Faults lists what is wrong with the terms (below /interest) and the repayments: codes
// of [Interest.Faults], notPositive and datesOutOfOrder. That no more is paid than is
// owed is for the caller to see, with [Ledger.On].
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
			f.add(pointer+"/amount", "notPositive", "A repayment is more than zero.")
		}
		if repayment.Date < last {
			f.add(pointer+"/date", "datesOutOfOrder", "The repayment is dated before "+last.String()+".")
		}
		last = max(last, repayment.Date)
	}
	return f
}

// Accrued is the interest on the principal from one day to another, the first included
// and the last not: from January 1 to January 1 of the next year is a year. It is 0 when
// the days are the same or the wrong way round.
func (i Interest) Accrued(principal exact.Decimal, from, to exact.Date) *big.Rat {
	return Ledger{Principal: principal, Since: from, Interest: i}.On(to).Interest
}
