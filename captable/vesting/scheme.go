package vesting

import (
	"fmt"
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Scheme is a vesting schedule in its external form, with exactly one of Continuous, Discrete and Terms. All three
// compile into terms.
type Scheme struct {
	Allocation Allocation `json:"allocation"`
	// DayRule is the day of the month of continuous instalments, and of conditions without one. Empty means
	// [StartDay].
	DayRule    Day         `json:"dayRule,omitempty"`
	Continuous *Continuous `json:"continuous,omitempty"`
	Discrete   []Tranche   `json:"discrete,omitempty"`
	// Terms is the graph itself. Its allocation is that of the scheme.
	Terms *Terms `json:"terms,omitempty"`
}

// Continuous vests in equal instalments from the vesting start.
type Continuous struct {
	// Length is the total duration. Frequency is the period between instalments, which must divide it.
	Length    Period `json:"length"`
	Frequency Period `json:"frequency"`
	Cliff     *Cliff `json:"cliff,omitempty"`
}

// Cliff is an initial period without vesting.
type Cliff struct {
	// After is a multiple of the frequency.
	After Period `json:"after"`
	// Fraction is the fraction of the grant that vests at the cliff, or 0 for no quantity. If it is nil, the
	// withheld instalments vest.
	Fraction *exact.Decimal `json:"fraction,omitempty"`
}

// Tranche vests on a date or with a milestone: a quantity of shares or a fraction of the grant.
type Tranche struct {
	Date exact.Date `json:"date,omitzero"`
	// Milestone is the name of the event of the tranche.
	Milestone string        `json:"milestone,omitempty"`
	Quantity  exact.Decimal `json:"quantity,omitzero"`
	Fraction  exact.Decimal `json:"fraction,omitzero"`
}

// Compile returns the terms equivalent to the scheme. The error is of type [Faults].
func (s Scheme) Compile() (Terms, error) {
	var faults Faults
	terms := Terms{Allocation: s.Allocation}
	if !s.Allocation.known() {
		faults.add("/allocation", "unknownValue", "allocation must be one of the seven allocations of the Open Cap Format.")
	}
	if !s.DayRule.known() {
		faults.add(
			"/dayRule", "unknownValue", "The day must be a number from 01 to 31, START_DAY or another rule for the day of the month.",
		)
	}
	switch {
	case s.given() != 1:
		faults.add("", "ambiguous", "Exactly one of continuous, discrete and terms is required.")
	case s.Continuous != nil:
		faults.within("/continuous", s.Continuous.check())
		if len(faults) == 0 {
			terms.Conditions = s.Continuous.conditions(s.DayRule)
		}
	case s.Terms != nil:
		terms.Conditions = s.Terms.withDay(s.DayRule)
		if len(terms.Conditions) == 0 {
			faults.add("/terms/conditions", "required", "At least one condition is required.")
		}
		graph, wrong := newGraph(Terms{terms.Allocation, terms.Conditions})
		if faults.within("/terms", wrong.except("/allocation")); len(wrong) == 0 && graph.most().Cmp(big.NewRat(1, 1)) > 0 {
			faults.add("/terms", "moreThanGranted", "The fractions of a path of conditions must not exceed 1 in total.")
		}
	default:
		faults.within("/discrete", checkTranches(s.Discrete))
		terms.Conditions = tranches(s.Discrete)
	}
	return terms, faults.Err()
}

// given returns the number of forms in the scheme.
func (s Scheme) given() (n int) {
	for _, given := range []bool{s.Continuous != nil, len(s.Discrete) > 0, s.Terms != nil} {
		if given {
			n++
		}
	}
	return n
}

// except returns the faults without those at the pointer.
func (f Faults) except(pointer string) Faults {
	var rest Faults
	for _, fault := range f {
		if fault.Pointer != pointer {
			rest = append(rest, fault)
		}
	}
	return rest
}

// withDay returns the conditions. Those with a period get the day of the month as a default.
func (t Terms) withDay(day Day) []Condition {
	conditions := make([]Condition, len(t.Conditions))
	for i, c := range t.Conditions {
		if c.When.Kind == After && c.When.Day == "" {
			c.When.Day = day
		}
		conditions[i] = c
	}
	return conditions
}

// Ids of the conditions of a compiled continuous schedule.
const (
	startID       = "vesting start"
	instalmentsID = "instalments"
)

// conditions returns the start condition and the instalments after it.
func (c Continuous) conditions(day Day) []Condition {
	times, _ := c.Length.over(c.Frequency)
	run := Condition{
		ID:    instalmentsID,
		When:  When{Kind: After, Of: startID, Every: c.Frequency, Times: times, Day: day},
		Vests: Portion{Fraction: Fraction{1, int64(times)}},
	}
	if c.Cliff != nil {
		run.When.CliffAt, _ = c.Cliff.After.over(c.Frequency)
		if c.Cliff.Fraction != nil {
			run.When.CliffFraction = fractionOf(c.Cliff.Fraction.Rat())
		}
	}
	return []Condition{{ID: startID, When: When{Kind: AtStart}, Next: []string{instalmentsID}}, run}
}

// over returns the number of times that the other period fits, or false if the division has a remainder or is
// undefined.
func (p Period) over(other Period) (int, bool) {
	n, monthly := p.months()
	of, alsoMonthly := other.months()
	if monthly != alsoMonthly || of <= 0 || n <= 0 || n%of != 0 {
		return 0, false
	}
	return n / of, true
}

// check returns the faults of a continuous schedule. All periods must be equal, and a cliff must coincide with an
// instalment.
func (c Continuous) check() Faults {
	var faults Faults
	faults.within("/length", c.Length.check())
	faults.within("/frequency", c.Frequency.check())
	if len(faults) > 0 {
		return faults
	}
	times, ok := c.Length.over(c.Frequency)
	if !ok || times > MaxInstalments {
		faults.add(
			"/frequency", "notDivisor", fmt.Sprintf("The frequency must divide the length, into at most %d instalments.", MaxInstalments),
		)
	}
	if c.Cliff == nil {
		return faults
	}
	if faults.within("/cliff/after", c.Cliff.After.check()); len(faults) > 0 {
		return faults
	}
	if at, ok := c.Cliff.After.over(c.Frequency); !ok || at > times {
		faults.add("/cliff/after", "notMultiple", "The cliff must be a multiple of the frequency, within the length.")
	}
	if f := c.Cliff.Fraction; f != nil && (f.Sign() < 0 || f.Cmp(exact.NewDecimal(1)) > 0) {
		faults.add("/cliff/fraction", "badFraction", "The fraction must be from 0 to 1.")
	}
	return faults
}

// tranches returns one path through the dates in order, and a separate path for each milestone, because milestones
// occur in any order.
func tranches(all []Tranche) []Condition {
	conditions := make([]Condition, len(all))
	dated := -1
	for i, t := range all {
		c := &conditions[i]
		*c = Condition{
			ID: "tranche " + strconv.Itoa(i+1), When: When{Kind: OnEvent, Event: t.Milestone}, Vests: Portion{Shares: t.Quantity},
		}
		if !t.Fraction.IsZero() {
			c.Vests = Portion{Fraction: fractionOf(t.Fraction.Rat())}
		}
		if t.Date.IsZero() {
			continue
		}
		c.When = When{Kind: OnDate, Date: t.Date}
		if dated >= 0 {
			conditions[dated].Next = []string{c.ID}
		}
		dated = i
	}
	return conditions
}

// checkTranches returns the faults of tranches. Fractions must not exceed 1 in total. Quantities are compared with
// the grant later.
func checkTranches(all []Tranche) Faults {
	var faults Faults
	if len(all) > MaxConditions {
		faults.add("", "tooMany", fmt.Sprintf("At most %d tranches are allowed.", MaxConditions))
		return faults
	}
	var last exact.Date
	sum, one := new(big.Rat), exact.NewDecimal(1)
	for i, t := range all {
		pointer := "/" + strconv.Itoa(i)
		if t.Date.IsZero() == (t.Milestone == "") || len(t.Milestone) > maxLength {
			faults.add(pointer, "ambiguous", "Exactly one of date and milestone is required. A milestone has at most 100 bytes.")
		}
		if t.Quantity.Sign() < 0 || t.Fraction.Sign() < 0 || t.Fraction.Cmp(one) > 0 || !t.Quantity.Fits() {
			faults.add(pointer, "badFraction", "The quantity must not be negative, and the fraction must be from 0 to 1.")
		}
		if t.Quantity.IsZero() == t.Fraction.IsZero() {
			faults.add(pointer, "ambiguous", "Exactly one of quantity and fraction is required.")
		}
		if !t.Date.IsZero() && t.Date < last {
			faults.add(pointer+"/date", "outOfOrder", "The dates must be in order.")
		}
		last = max(last, t.Date)
		sum.Add(sum, t.Fraction.Rat())
	}
	if sum.Cmp(one.Rat()) > 0 {
		faults.add("", "moreThanGranted", "The fractions must not exceed 1 in total.")
	}
	return faults
}
