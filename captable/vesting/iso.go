package vesting

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// ISOGrant is a grant of options as the $100,000 rule looks at it.
type ISOGrant struct {
	ID   string
	Date exact.Date
	// ISO is whether it was granted as an incentive stock option; if not, all of it is not.
	ISO bool
	// Value is the fair market value of a share on the day of the grant.
	Value exact.Decimal
	// ExactValue replaces Value where no decimal holds it; nil otherwise.
	ExactValue *big.Rat
	// Exercisable is what may be exercised for the first time on which day: what vests,
	// or all of it on the day of the grant where it may be exercised early.
	Exercisable []Vesting
	// Cancelled is the day on which it ended before its term; zero while it has not.
	Cancelled exact.Date
	// Reductions are the options that ended before they vested, and the days: those that
	// would become exercisable last.
	Reductions []Vesting
}

// ISOYear is how much of one grant becomes exercisable in one calendar year, and how
// that is divided.
type ISOYear struct {
	Year        int
	Grant       string
	Exercisable exact.Decimal
	ISO         exact.Decimal
	NSO         exact.Decimal
}

// ISOLimit is the limit of 26 U.S.C. 422(d), in dollars a year.
func ISOLimit() exact.Decimal { return exact.NewDecimal(100_000) }

// SplitISO divides all grants of one holder into incentive and non-statutory options,
// by the rule of 26 CFR 1.422-4: what becomes exercisable for the first time in a calendar
// year is an incentive option up to the limit, grants taken in order of their dates (of
// one day: as they are listed), at their values on those days, in whole shares. A grant
// that was cancelled counts to the end of that year and no longer, and so does the cancelled
// part of one. The answer is in
// order of years and, within one, of grants; years of nothing are left out.
func SplitISO(limit exact.Decimal, grants []ISOGrant) []ISOYear {
	inOrder := slices.Clone(grants)
	slices.SortStableFunc(inOrder, func(a, b ISOGrant) int { return cmp.Compare(a.Date, b.Date) })
	years := make(map[int][]entry)
	for i := range inOrder {
		for year, quantity := range inOrder[i].byYear() {
			if !quantity.IsZero() {
				years[year] = append(years[year], entry{&inOrder[i], quantity})
			}
		}
	}
	var split []ISOYear
	for _, year := range slices.Sorted(maps.Keys(years)) {
		left := limit.Rat()
		for _, e := range years[year] {
			row := ISOYear{Year: year, Grant: e.grant.ID, Exercisable: e.exercisable}
			if e.grant.ISO {
				value := e.grant.value()
				row.ISO = row.Exercisable.Min(affordable(left, value, row.Exercisable))
				left.Sub(left, value.Mul(value, row.ISO.Rat()))
			}
			row.NSO = row.Exercisable.Sub(row.ISO)
			split = append(split, row)
		}
	}
	return split
}

// entry is what becomes exercisable of a grant in a year.
type entry struct {
	grant       *ISOGrant
	exercisable exact.Decimal
}

// affordable returns how many whole shares of a value the rest of a limit covers; all of them
// if they are worth nothing.
func affordable(left, value *big.Rat, all exact.Decimal) exact.Decimal {
	if value.Sign() <= 0 {
		return all
	}
	return exact.RoundDown(new(big.Rat).Quo(left, value), 0)
}

// value returns the value of a share as a rational of the caller's own.
func (g *ISOGrant) value() *big.Rat {
	if g.ExactValue != nil {
		return new(big.Rat).Set(g.ExactValue)
	}
	return g.Value.Rat()
}

// byYear sums what becomes exercisable by calendar year, as long as the grant counts. Options
// that were cancelled in an earlier year are taken from those that become exercisable last.
func (g *ISOGrant) byYear() map[int]exact.Decimal {
	sums, whole := make(map[int]exact.Decimal), exact.Decimal{}
	for _, v := range g.Exercisable {
		whole = whole.Add(v.Quantity)
	}
	var before exact.Decimal
	for _, v := range slices.SortedStableFunc(slices.Values(g.Exercisable), func(a, b Vesting) int { return cmp.Compare(a.Date, b.Date) }) {
		year := v.Date.Time().Year()
		if !g.Cancelled.IsZero() && year > g.Cancelled.Time().Year() {
			break
		}
		most := whole
		for _, reduction := range g.Reductions {
			if reduction.Date.Time().Year() < year {
				most = most.Sub(reduction.Quantity)
			}
		}
		after := before.Add(v.Quantity)
		sums[year] = sums[year].Add(after.Min(most).Sub(before.Min(most)).Max(exact.Decimal{}))
		before = after
	}
	return sums
}
