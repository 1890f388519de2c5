package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// account runs a debt forward in time. Its three balances are integers that count
// unit-ths of the currency, so that a step costs multiplications only: reducing a
// fraction at every step would cost far more than all of them.
//
// They are exact until the unit has exactBits, as years of monthly compounding need. From
// then on they are rounded down to keptBits behind the point, so that centuries of daily
// compounding cost no more than they should; the ten places that are ever shown, and every
// amount that itself has few places, stay what they are.
type account struct {
	terms Interest
	// begin is the first day that bears interest; accrual periods are counted from it.
	begin  exact.Date
	day    exact.Date
	period int // how many periods have ended

	principal, compounded, current, unit *big.Int
}

// open starts an account; nothing is due on its first day.
func open(principal exact.Decimal, since exact.Date, terms Interest) *account {
	amount := principal.Rat()
	return &account{
		terms: terms, begin: terms.since(since), day: since,
		principal: new(big.Int).Set(amount.Num()), compounded: new(big.Int), current: new(big.Int),
		unit: new(big.Int).Set(amount.Denom()),
	}
}

// advance accrues interest until the day, that day not included.
func (a *account) advance(day exact.Date) {
	for a.day < day {
		until := day
		if ends := a.periodEnd(); ends > a.day {
			until = min(until, ends)
		}
		rate, until := a.terms.in(a.day, until)
		if rate != nil {
			a.accrue(rate.Rate.Rat(), a.terms.DayCount.days(a.day, until))
		}
		a.day = until
		if a.day == a.periodEnd() {
			a.compound()
		}
	}
}

// periodEnd is the end of the accrual period, or the zero Date where nothing compounds
// at the end of one: daily compounding goes by what the day count calls a day.
func (a *account) periodEnd() exact.Date {
	months := a.terms.AccrualPeriod.months()
	if a.terms.Compounding != Compound || months == 0 {
		return 0
	}
	return a.begin.AddMonths((a.period + 1) * months)
}

// compound makes the interest of the period that ends bear interest.
func (a *account) compound() {
	a.period++
	a.compounded.Add(a.compounded, a.current)
	a.current.SetInt64(0)
}

// accrue adds the interest of so many days at one rate.
func (a *account) accrue(rate *big.Rat, days int64) {
	year := new(big.Int).Mul(rate.Denom(), big.NewInt(a.terms.DayCount.year()))
	if a.terms.Compounding == Compound && a.terms.AccrualPeriod == Daily {
		a.accrueDaily(rate.Num(), year, days)
		return
	}
	grown := new(big.Int).Mul(rate.Num(), big.NewInt(days))
	grown.Mul(grown, a.bearing())
	a.scale(year)
	a.current.Add(a.current, grown)
	a.bound()
}

// accrueDaily lets the balance grow by the same factor on every day.
func (a *account) accrueDaily(rate, year *big.Int, days int64) {
	grown, unit := power(new(big.Int).Add(year, rate), year, days)
	grown.Mul(grown, a.bearing())
	a.scale(unit)
	a.compounded.Sub(grown, a.principal)
	a.bound()
}

func (a *account) bearing() *big.Int { return new(big.Int).Add(a.principal, a.compounded) }

// scale makes the unit so many times smaller.
func (a *account) scale(by *big.Int) {
	for _, balance := range []*big.Int{a.principal, a.compounded, a.current, a.unit} {
		balance.Mul(balance, by)
	}
}

// divide keeps the portions of the debt that were made until the day and after so many
// repayments, and gives those that are left.
func (a *account) divide(portions []Portion, after int, day exact.Date) []Portion {
	for len(portions) > 0 && portions[0].After <= after && portions[0].Date <= day {
		a.advance(portions[0].Date)
		a.keep(portions[0].Numerator.Rat(), portions[0].Denominator.Rat())
		portions = portions[1:]
	}
	return portions
}

// keep multiplies what is owed.
func (a *account) keep(numerator, denominator *big.Rat) {
	part := new(big.Rat).Quo(numerator, denominator)
	for _, balance := range []*big.Int{a.principal, a.compounded, a.current} {
		balance.Mul(balance, part.Num())
	}
	a.unit.Mul(a.unit, part.Denom())
}

// pay takes a repayment off the balances, one after another in the order given; what is
// paid beyond all of them is nobody's debt and is lost.
func (a *account) pay(amount exact.Decimal, order ...*big.Int) {
	paid := amount.Rat()
	a.scale(paid.Denom())
	left := new(big.Int).Mul(paid.Num(), a.unit)
	left.Quo(left, paid.Denom())
	for _, balance := range order {
		part := new(big.Int).Set(balance)
		if part.Cmp(left) > 0 {
			part.Set(left)
		}
		balance.Sub(balance, part)
		left.Sub(left, part)
	}
}

func (a *account) standing() Standing {
	interest := new(big.Int).Add(a.compounded, a.current)
	return Standing{
		Principal: new(big.Rat).SetFrac(a.principal, a.unit),
		Interest:  new(big.Rat).SetFrac(interest, a.unit),
	}
}
