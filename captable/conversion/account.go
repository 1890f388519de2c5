package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// account computes a debt forward in time. Its three balances are integers in multiples of 1/unit of the currency,
// so that a step needs multiplications only. Reducing a fraction at every step would dominate the cost.
//
// The balances are exact until the unit has exactBits, which suffices for years of monthly compounding. After that
// they are rounded down to keptBits after the binary point, so that centuries of daily compounding have a bounded
// cost. The ten decimal places of results, and amounts with few decimal places, are unaffected.
type account struct {
	terms Interest
	// begin is the first day with interest. Accrual periods are counted from it.
	begin  exact.Date
	day    exact.Date
	period int // the number of ended periods

	principal, compounded, current, unit *big.Int
}

// open returns an account. No interest has accrued on its first day.
func open(principal exact.Decimal, since exact.Date, terms Interest) *account {
	amount := principal.Rat()
	return &account{
		terms: terms, begin: terms.since(since), day: since,
		principal: new(big.Int).Set(amount.Num()), compounded: new(big.Int), current: new(big.Int),
		unit: new(big.Int).Set(amount.Denom()),
	}
}

// advance accrues interest up to the day, exclusive.
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

// periodEnd returns the end of the accrual period, or the zero Date if no interest compounds at the end of a
// period. Daily compounding follows the days of the day count.
func (a *account) periodEnd() exact.Date {
	months := a.terms.AccrualPeriod.months()
	if a.terms.Compounding != Compound || months == 0 {
		return 0
	}
	return a.begin.AddMonths((a.period + 1) * months)
}

// compound adds the interest of the ended period to the interest-bearing balance.
func (a *account) compound() {
	a.period++
	a.compounded.Add(a.compounded, a.current)
	a.current.SetInt64(0)
}

// accrue adds the interest for a number of days at one rate.
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

// accrueDaily multiplies the balance by the same factor on every day.
func (a *account) accrueDaily(rate, year *big.Int, days int64) {
	grown, unit := power(new(big.Int).Add(year, rate), year, days)
	grown.Mul(grown, a.bearing())
	a.scale(unit)
	a.compounded.Sub(grown, a.principal)
	a.bound()
}

func (a *account) bearing() *big.Int { return new(big.Int).Add(a.principal, a.compounded) }

// scale multiplies the unit.
func (a *account) scale(by *big.Int) {
	for _, balance := range []*big.Int{a.principal, a.compounded, a.current, a.unit} {
		balance.Mul(balance, by)
	}
}

// divide applies the portions made by the day and after the number of repayments, and returns the other portions.
func (a *account) divide(portions []Portion, after int, day exact.Date) []Portion {
	for len(portions) > 0 && portions[0].After <= after && portions[0].Date <= day {
		a.advance(portions[0].Date)
		a.keep(portions[0].Numerator.Rat(), portions[0].Denominator.Rat())
		portions = portions[1:]
	}
	return portions
}

// keep multiplies the balances by a fraction.
func (a *account) keep(numerator, denominator *big.Rat) {
	part := new(big.Rat).Quo(numerator, denominator)
	for _, balance := range []*big.Int{a.principal, a.compounded, a.current} {
		balance.Mul(balance, part.Num())
	}
	a.unit.Mul(a.unit, part.Denom())
}

// pay deducts a repayment from the balances in the given order. An excess over all balances is ignored.
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
