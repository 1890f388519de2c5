package ocf

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable/vesting"
)

// conditionsOf converts a vesting graph. The format has no cliff with a fraction of the
// grant, so such a cliff becomes a separate condition before its instalments. A day rule that
// the format does not have is written as the day of the vesting start.
func conditionsOf(terms vesting.Terms) []conditionObject {
	taken, first := map[string]bool{}, map[string]string{}
	for i := range terms.Conditions {
		taken[terms.Conditions[i].ID] = true
	}
	for i := range terms.Conditions {
		c := &terms.Conditions[i]
		if first[c.ID] = c.ID; divides(c) {
			first[c.ID] = freeName(taken, c.ID+"-cliff")
		}
	}
	objects := []conditionObject{}
	for _, c := range terms.Conditions {
		for i, next := range c.Next {
			c.Next = slices.Clone(c.Next)
			c.Next[i] = first[next]
		}
		if divides(&c) {
			cliff := divide(&c, first[c.ID])
			objects = append(objects, conditionObjectOf(&cliff))
		}
		objects = append(objects, conditionObjectOf(&c))
	}
	return objects
}

func freeName(taken map[string]bool, name string) string {
	for taken[name] {
		name += "-"
	}
	taken[name] = true
	return name
}

// divides reports whether the condition is written as two: its cliff and the instalments
// after it.
func divides(c *vesting.Condition) bool {
	return !c.When.CliffFraction.IsZero() && !c.Vests.Fraction.IsZero() && c.Vests.Of == vesting.OfGrant && c.When.CliffAt < c.When.Times
}

// divide splits the cliff off a condition and returns it. The instalments after the cliff
// share the rest equally.
func divide(c *vesting.Condition, name string) vesting.Condition {
	whole := new(big.Rat).Mul(c.Vests.Fraction.Rat(), big.NewRat(int64(c.When.Times), 1))
	part := new(big.Rat).Mul(whole, c.When.CliffFraction.Rat())
	cliff := vesting.Condition{
		ID: name, Next: []string{c.ID}, Vests: vesting.Portion{Fraction: fractionOf(part)},
		When: vesting.When{Kind: vesting.After, Of: c.When.Of, Every: c.When.Every.Times(c.When.CliffAt), Times: 1, Day: c.When.Day},
	}
	behind := int64(c.When.Times - c.When.CliffAt)
	c.When.Of, c.When.Times, c.When.CliffAt, c.When.CliffFraction = name, int(behind), 0, vesting.Fraction{}
	c.Vests.Fraction = fractionOf(whole.Sub(whole, part).Quo(whole, big.NewRat(behind, 1)))
	return cliff
}

// fractionOf converts a rational number to a fraction. Fractions derived from small fractions
// fit into 64 bits.
func fractionOf(r *big.Rat) vesting.Fraction {
	return vesting.Fraction{Numerator: r.Num().Int64(), Denominator: r.Denom().Int64()}
}

// conditionObjectOf converts a vesting condition. A condition without vesting gets a portion
// of zero, because the format requires either a portion or a quantity.
func conditionObjectOf(c *vesting.Condition) conditionObject {
	object := conditionObject{ID: c.ID, Trigger: triggerObjectOf(&c.When), Next: c.Next}
	if object.Next == nil {
		object.Next = []string{}
	}
	switch {
	case !c.Vests.Shares.IsZero():
		object.Quantity = c.Vests.Shares.String()
	case c.Vests.Fraction.IsZero():
		object.Portion = &portionObject{Numerator: "0", Denominator: "1"}
	default:
		object.Portion = &portionObject{
			strconv.FormatInt(c.Vests.Fraction.Numerator, 10), strconv.FormatInt(c.Vests.Fraction.Denominator, 10),
			c.Vests.Of == vesting.OfRemaining,
		}
	}
	return object
}

func triggerObjectOf(w *vesting.When) triggerObject {
	switch w.Kind {
	case vesting.AtStart:
		return triggerObject{Type: triggerStart}
	case vesting.OnDate:
		return triggerObject{Type: triggerAbsolute, Date: w.Date.String()}
	case vesting.After:
		return triggerObject{Type: triggerRelative, Period: periodObjectOf(w), Relative: w.Of}
	case vesting.OnEvent:
	}
	return triggerObject{Type: triggerEvent}
}

func periodObjectOf(w *vesting.When) *periodObject {
	object := &periodObject{Length: w.Every.N, Type: periodDays, Occurrences: w.Times, Cliff: w.CliffAt}
	switch w.Every.Unit {
	case vesting.Days:
		return object
	case vesting.Years:
		object.Length *= monthsOfYear
	case vesting.Months:
	}
	object.Type, object.Day = periodMonths, dayOfMonth(w.Day)
	return object
}

// dayOfMonth returns the format's name for a day rule.
func dayOfMonth(day vesting.Day) string {
	switch {
	case day == vesting.FirstDay:
		return "01"
	case day == vesting.LastDay:
		return "31" + orLastDay
	case day >= "29" && day <= "31":
		return string(day) + orLastDay
	case day >= "01" && day <= "28":
		return string(day)
	default:
		return startDay
	}
}
