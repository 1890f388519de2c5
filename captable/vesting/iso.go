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
	// Exercises are the exercised quantities in order of date.
	Exercises []ISOExercise
	// Replaced reports whether a new option has replaced the grant on the date of cancellation, such as after a change
	// of the price (26 CFR 1.424-1(e)). Then the result contains only the exercised quantities.
	Replaced bool
}

// ISOExercise is an exercised quantity of a calendar year. Its kind is final: an acceleration does not affect the
// options that were exercised before (26 CFR 1.422-4(b)(4)).
type ISOExercise struct {
	Date     exact.Date
	Year     int
	ISO, NSO exact.Decimal
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
// Exercised quantities keep their kind and are counted first. Then grants are counted in order of date (on one day,
// in the given order), at their values on the grant date, in whole shares. A cancelled grant, or the cancelled part
// of one, counts until the end of the year of its cancellation. The result is in order of years and, within a year,
// of grants. Years without a quantity are omitted.
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
			iso, _ := e.grant.exercised(year)
			left.Sub(left, e.grant.valueOf(iso))
		}
		for _, e := range years[year] {
			if row := e.divide(year, left); !row.Exercisable.IsZero() {
				split = append(split, row)
			}
		}
	}
	return split
}

// divide divides the quantity of the year and reduces the remaining limit.
func (e entry) divide(year int, left *big.Rat) ISOYear {
	iso, nso := e.grant.exercised(year)
	row := ISOYear{Year: year, Grant: e.grant.ID, Exercisable: e.exercisable.Max(iso.Add(nso)), ISO: iso}
	if e.grant.ISO {
		rest := row.Exercisable.Sub(iso).Sub(nso)
		more := rest.Min(affordable(left, e.grant.value(), rest)).Max(exact.Decimal{})
		left.Sub(left, e.grant.valueOf(more))
		row.ISO = iso.Add(more)
	}
	if e.grant.Replaced {
		row.ISO, row.Exercisable = iso, iso.Add(nso)
	}
	row.NSO = row.Exercisable.Sub(row.ISO)
	return row
}

// exercised returns the exercised quantities of a year.
func (g *ISOGrant) exercised(year int) (iso, nso exact.Decimal) {
	for _, exercise := range g.Exercises {
		if exercise.Year == year {
			iso, nso = iso.Add(exercise.ISO), nso.Add(exercise.NSO)
		}
	}
	return iso, nso
}

// valueOf returns the value of a quantity.
func (g *ISOGrant) valueOf(quantity exact.Decimal) *big.Rat {
	value := g.value()
	return value.Mul(value, quantity.Rat())
}

// Exercise divides an exercise of a grant by the years and kinds of the divided quantities: the earliest year first,
// and within a year the incentive options first.
func Exercise(split []ISOYear, grant *ISOGrant, on exact.Date, quantity exact.Decimal) (exercises []ISOExercise) {
	for _, row := range split {
		if row.Grant != grant.ID || quantity.IsZero() {
			continue
		}
		iso, nso := grant.exercised(row.Year)
		exercise := ISOExercise{Date: on, Year: row.Year, ISO: row.ISO.Sub(iso).Min(quantity)}
		quantity = quantity.Sub(exercise.ISO)
		exercise.NSO = row.NSO.Sub(nso).Min(quantity)
		quantity = quantity.Sub(exercise.NSO)
		if !exercise.ISO.Add(exercise.NSO).IsZero() {
			exercises = append(exercises, exercise)
		}
	}
	return exercises
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
