package vesting

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// ISOGrant contains the facts of an option grant for the $100,000 rule.
type ISOGrant struct {
	ID   string
	Date exact.Date
	// ISO reports whether the grant is an incentive stock option. If not, all of it is non-statutory.
	ISO bool
	// Value is the fair market value per share on the grant date.
	Value exact.Decimal
	// ExactValue replaces Value if it has no finite decimal form. Otherwise it is nil.
	ExactValue *big.Rat
	// Exercisable contains the quantities that become exercisable for the first time, by date: the vesting
	// quantities, or the whole grant on the grant date if early exercise is allowed.
	Exercisable []Vesting
	// Cancelled is the date on which the grant ended before its term, or zero.
	Cancelled exact.Date
	// Reductions are the options that ended before they vested, by date. They reduce the quantities that would
	// become exercisable last.
	Reductions []Vesting
}

// ISOYear is the quantity of one grant that becomes exercisable in one calendar year, and its division.
type ISOYear struct {
	Year        int
	Grant       string
	Exercisable exact.Decimal
	ISO         exact.Decimal
	NSO         exact.Decimal
}

// ISOLimit returns the limit of 26 U.S.C. 422(d), in dollars per year.
func ISOLimit() exact.Decimal { return exact.NewDecimal(100_000) }

// SplitISO divides all grants of one holder into incentive and non-statutory options under 26 CFR 1.422-4. The
// quantity that becomes exercisable for the first time in a calendar year is an incentive option up to the limit.
// Grants are counted in order of date (on one day, in the given order), at their values on the grant date, in
// whole shares. A cancelled grant, or the cancelled part of one, counts until the end of the year of its
// cancellation. The result is in order of years and, within a year, of grants. Years without a quantity are
// omitted.
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

// entry is the quantity of a grant that becomes exercisable in a year.
type entry struct {
	grant       *ISOGrant
	exercisable exact.Decimal
}

// affordable returns the number of whole shares at the value that the remaining limit covers, or all of them if
// the value is zero.
func affordable(left, value *big.Rat, all exact.Decimal) exact.Decimal {
	if value.Sign() <= 0 {
		return all
	}
	return exact.RoundDown(new(big.Rat).Quo(left, value), 0)
}

// value returns the value per share as a new rational.
func (g *ISOGrant) value() *big.Rat {
	if g.ExactValue != nil {
		return new(big.Rat).Set(g.ExactValue)
	}
	return g.Value.Rat()
}

// byYear sums the quantities that become exercisable by calendar year, while the grant counts. Options cancelled
// in an earlier year reduce the quantities that become exercisable last.
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
