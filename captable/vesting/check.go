package vesting

import (
	"fmt"
	"slices"
	"strconv"
)

// Bounds of terms: far beyond what any grant needs, and near enough that nobody can
// occupy the machine with one.
const (
	// MaxConditions is how many conditions terms may have.
	MaxConditions = 500
	// MaxInstalments is how many instalments all conditions may have together: daily
	// vesting over fifty years.
	MaxInstalments = 20_000
	maxMonths      = 1200   // a period
	maxDays        = 36_600 // a period
	maxLength      = 100    // of a name, in bytes
)

// Faults gives everything that is wrong with the terms; none where there are no
// conditions, which means vested at once.
func (t Terms) Faults() Faults {
	_, faults := newGraph(t)
	return faults
}

// check gives what is wrong with the terms beyond their ids.
func (g graph) check(allocation Allocation) Faults {
	var faults Faults
	if len(g.conditions) > 0 && !allocation.known() {
		faults.add("/allocation", "unknownValue", "Allocation is none of the seven that there are.")
	}
	for i := range g.conditions {
		c := &g.conditions[i]
		pointer := "/conditions/" + strconv.Itoa(i)
		faults.within(pointer+"/when", g.checkWhen(c))
		faults.within(pointer+"/vests", c.Vests.check())
		faults.within(pointer+"/next", g.checkNext(c))
		if c.When.Kind == After && !g.follows[i] {
			faults.add(pointer, "unreachable", "No condition leads to this one, so that it can never be met.")
		}
	}
	if g.instalments > MaxInstalments {
		faults.add("/conditions", "tooMany", fmt.Sprintf("There may be %d instalments at most.", MaxInstalments))
	}
	if len(faults) == 0 {
		faults.within("", g.cycles())
	}
	return faults
}

func (a Allocation) known() bool {
	return slices.Contains([]Allocation{
		CumulativeRounding, CumulativeRoundDown, FrontLoaded, BackLoaded, FrontLoadedToSingleTranche, BackLoadedToSingleTranche, Fractional,
	}, a)
}

// checkWhen gives what is wrong with what a condition waits for.
func (g graph) checkWhen(c *Condition) Faults {
	var faults Faults
	switch c.When.Kind {
	case AtStart:
	case OnEvent:
		if len(c.When.Event) > maxLength {
			faults.add("/event", "tooLong", "The name of an event has at most 100 bytes.")
		}
	case OnDate:
		if c.When.Date.IsZero() {
			faults.add("/date", "required", "A date is needed.")
		}
	case After:
		if of, known := g.index[c.When.Of]; !known || g.conditions[of].ID == c.ID {
			faults.add("/of", "unknownCondition", fmt.Sprintf("There is no other condition %q to count from.", c.When.Of))
		}
		faults.within("", c.When.checkRun())
	default:
		faults.add("/kind", "unknownValue", "A condition waits for start, event, date or after.")
	}
	return faults
}

// checkRun gives what is wrong with the instalments of a condition.
func (w When) checkRun() Faults {
	var faults Faults
	faults.within("/every", w.Every.check())
	if w.Times < 1 {
		faults.add("/times", "outOfRange", "There is at least one instalment.")
	}
	if !w.Day.known() {
		faults.add("/day", "unknownValue", "The day is START_DAY, a number from 01 to 31, or another rule for the day of the month.")
	}
	if w.CliffAt < 0 || w.CliffAt > w.Times {
		faults.add("/cliff_at", "outOfRange", "The cliff is one of the instalments.")
	}
	if !w.CliffFraction.IsZero() && (w.CliffAt == 0 || !w.CliffFraction.within01()) {
		faults.add("/cliff_fraction", "badFraction", "What a cliff vests is a fraction from 0 to 1, and needs a cliff.")
	}
	return faults
}

// check bounds the period, so that no date behind it leaves the calendar.
func (p Period) check() Faults {
	var faults Faults
	if p.Unit != Days && p.Unit != Months && p.Unit != Years {
		faults.add("/unit", "unknownValue", "A period is counted in days, months or years.")
	}
	n, monthly := p.N, p.Unit != Days
	if p.Unit == Years {
		n = min(p.N, maxMonths) * monthsOfYear
	}
	if p.N < 0 || n > maxDays || monthly && n > maxMonths {
		faults.add("/n", "outOfRange", "A period is not negative, and no longer than a hundred years.")
	}
	return faults
}

// check gives what is wrong with how much vests.
func (p Portion) check() Faults {
	var faults Faults
	if !p.Fraction.IsZero() && !p.Fraction.within01() {
		faults.add("/fraction", "badFraction", "A fraction lies between 0 and 1, its denominator above 0.")
	}
	if p.Of != OfGrant && p.Of != OfRemaining {
		faults.add("/of", "unknownValue", `A fraction is of the grant, or of what is "remaining".`)
	}
	if p.Shares.Sign() < 0 || !p.Shares.Fits() {
		faults.add("/shares", "negative", "Shares are not negative.")
	}
	if !p.Fraction.IsZero() && !p.Shares.IsZero() {
		faults.add("/shares", "ambiguous", "A condition vests a fraction or a number of shares, not both.")
	}
	return faults
}

func (g graph) checkNext(c *Condition) Faults {
	var faults Faults
	for i, next := range c.Next {
		pointer := "/" + strconv.Itoa(i)
		if _, known := g.index[next]; !known {
			faults.add(pointer, "unknownCondition", fmt.Sprintf("There is no condition %q.", next))
		}
		if slices.Index(c.Next, next) < i {
			faults.add(pointer, "duplicate", fmt.Sprintf("Condition %q stands in the list twice.", next))
		}
	}
	return faults
}
