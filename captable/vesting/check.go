package vesting

import (
	"fmt"
	"slices"
	"strconv"
)

// Limits of terms. They exceed any practical grant and bound the cost of a computation.
const (
	// MaxConditions is the maximum number of conditions.
	MaxConditions = 500
	// MaxInstalments is the maximum number of instalments of all conditions together: daily vesting over fifty
	// years.
	MaxInstalments = 20_000
	maxMonths      = 1200   // of a period
	maxDays        = 36_600 // of a period
	maxLength      = 100    // of a name, in bytes
)

// Faults returns all faults of the terms. Terms without conditions are valid and vest at once.
func (t Terms) Faults() Faults {
	_, faults := newGraph(t)
	return faults
}

// check returns the faults of the terms, except those of their ids.
func (g graph) check(allocation Allocation) Faults {
	var faults Faults
	if len(g.conditions) > 0 && !allocation.known() {
		faults.add("/allocation", "unknownValue", "allocation must be one of the seven allocations of the Open Cap Format.")
	}
	for i := range g.conditions {
		c := &g.conditions[i]
		pointer := "/conditions/" + strconv.Itoa(i)
		faults.within(pointer+"/when", g.checkWhen(c))
		faults.within(pointer+"/vests", c.Vests.check())
		faults.within(pointer+"/next", g.checkNext(c))
		if c.When.Kind == After && !g.follows[i] {
			faults.add(pointer, "unreachable", "The condition can never be met, because no condition leads to it.")
		}
	}
	if g.instalments > MaxInstalments {
		faults.add("/conditions", "tooMany", fmt.Sprintf("At most %d instalments are allowed.", MaxInstalments))
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

// checkWhen returns the faults of a condition's trigger.
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
			faults.add("/date", "required", "date is required.")
		}
	case After:
		if of, known := g.index[c.When.Of]; !known || g.conditions[of].ID == c.ID {
			faults.add("/of", "unknownCondition", fmt.Sprintf("There is no other condition %q.", c.When.Of))
		}
		faults.within("", c.When.checkRun())
	default:
		faults.add("/kind", "unknownValue", "kind must be start, event, date or after.")
	}
	return faults
}

// checkRun returns the faults of a condition's instalments.
func (w When) checkRun() Faults {
	var faults Faults
	faults.within("/every", w.Every.check())
	if w.Times < 1 {
		faults.add("/times", "outOfRange", "times must be at least 1.")
	}
	if !w.Day.known() {
		faults.add("/day", "unknownValue", "The day must be a number from 01 to 31, START_DAY or another rule for the day of the month.")
	}
	if w.CliffAt < 0 || w.CliffAt > w.Times {
		faults.add("/cliff_at", "outOfRange", "cliff_at must be the number of an instalment.")
	}
	if !w.CliffFraction.IsZero() && (w.CliffAt == 0 || !w.CliffFraction.within01()) {
		faults.add("/cliff_fraction", "badFraction", "cliff_fraction must be a fraction from 0 to 1, and requires cliff_at.")
	}
	return faults
}

// check limits the period, so that all dates stay within the calendar.
func (p Period) check() Faults {
	var faults Faults
	if p.Unit != Days && p.Unit != Months && p.Unit != Years {
		faults.add("/unit", "unknownValue", "unit must be days, months or years.")
	}
	n, monthly := p.N, p.Unit != Days
	if p.Unit == Years {
		n = min(p.N, maxMonths) * monthsOfYear
	}
	if p.N < 0 || n > maxDays || monthly && n > maxMonths {
		faults.add("/n", "outOfRange", "The period must be from 0 to 100 years.")
	}
	return faults
}

// check returns the faults of the portion.
func (p Portion) check() Faults {
	var faults Faults
	if !p.Fraction.IsZero() && !p.Fraction.within01() {
		faults.add("/fraction", "badFraction", "The fraction must be from 0 to 1, with a denominator above 0.")
	}
	if p.Of != OfGrant && p.Of != OfRemaining {
		faults.add("/of", "unknownValue", `of must be absent or "remaining".`)
	}
	if p.Shares.Sign() < 0 || !p.Shares.Fits() {
		faults.add("/shares", "negative", "shares must not be negative.")
	}
	if !p.Fraction.IsZero() && !p.Shares.IsZero() {
		faults.add("/shares", "ambiguous", "fraction and shares exclude each other.")
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
			faults.add(pointer, "duplicate", fmt.Sprintf("Condition %q is listed twice.", next))
		}
	}
	return faults
}
