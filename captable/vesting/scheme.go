package vesting

import (
	"fmt"
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Scheme is a vesting schedule as people write it: with one of continuous, discrete or
// terms. All three compile into terms.
type Scheme struct {
	Allocation Allocation `json:"allocation"`
	// DayRule is the day of the month of continuous instalments, and of conditions that
	// name none; empty is [StartDay].
	DayRule    Day         `json:"dayRule,omitempty"`
	Continuous *Continuous `json:"continuous,omitempty"`
	Discrete   []Tranche   `json:"discrete,omitempty"`
	// Terms is the graph itself; its allocation is the scheme's.
	Terms *Terms `json:"terms,omitempty"`
}

// Continuous vests in equal instalments from the vesting start.
type Continuous struct {
	// Length is the whole time, Frequency the time between instalments, which divides it.
	Length    Period `json:"length"`
	Frequency Period `json:"frequency"`
	Cliff     *Cliff `json:"cliff,omitempty"`
}

// Cliff is the time before which nothing vests.
type Cliff struct {
	// After is a multiple of the frequency.
	After Period `json:"after"`
	// Fraction of the grant that the cliff vests, 0 for nothing; nil for the quantity that
	// was held back until then.
	Fraction *exact.Decimal `json:"fraction,omitempty"`
}

// Tranche vests at once, on a date or with a milestone: a quantity of shares or a
// fraction of the grant.
type Tranche struct {
	Date exact.Date `json:"date,omitzero"`
	// Milestone is the name of the event that the tranche waits for.
	Milestone string        `json:"milestone,omitempty"`
	Quantity  exact.Decimal `json:"quantity,omitzero"`
	Fraction  exact.Decimal `json:"fraction,omitzero"`
}

// Compile gives the terms that the scheme is short for. The error is of type [Faults].
func (s Scheme) Compile() (Terms, error) {
	var faults Faults
	terms := Terms{Allocation: s.Allocation}
	if !s.Allocation.known() {
		faults.add("/allocation", "unknownValue", "Allocation is none of the seven that there are.")
	}
	if !s.DayRule.known() {
		faults.add("/dayRule", "unknownValue", "The day is START_DAY, a number from 01 to 31, or another rule for the day of the month.")
	}
	switch {
	case s.given() != 1:
		faults.add("", "ambiguous", "A schedule is continuous, discrete or has terms: exactly one of them.")
	case s.Continuous != nil:
		faults.within("/continuous", s.Continuous.check())
		if len(faults) == 0 {
			terms.Conditions = s.Continuous.conditions(s.DayRule)
		}
	case s.Terms != nil:
		terms.Conditions = s.Terms.withDay(s.DayRule)
		if len(terms.Conditions) == 0 {
			faults.add("/terms/conditions", "required", "A condition is needed.")
		}
		faults.within("/terms", Terms{terms.Allocation, terms.Conditions}.Faults().except("/allocation"))
	default:
		faults.within("/discrete", checkTranches(s.Discrete))
		terms.Conditions = tranches(s.Discrete)
	}
	return terms, faults.Err()
}

// given counts the forms in which the scheme is written.
func (s Scheme) given() (n int) {
	for _, given := range []bool{s.Continuous != nil, len(s.Discrete) > 0, s.Terms != nil} {
		if given {
			n++
		}
	}
	return n
}

// except gives the faults but those at the pointer.
func (f Faults) except(pointer string) Faults {
	var rest Faults
	for _, fault := range f {
		if fault.Pointer != pointer {
			rest = append(rest, fault)
		}
	}
	return rest
}

// withDay gives the conditions, those counted in time with a day of the month.
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

// Ids of the conditions that a continuous schedule compiles into.
const (
	startID       = "vesting start"
	instalmentsID = "instalments"
)

// conditions gives the start and the run of instalments behind it.
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

// over tells how many times another period goes into this one; false when it does not
// without a rest, or not at all.
func (p Period) over(other Period) (int, bool) {
	n, monthly := p.months()
	of, alsoMonthly := other.months()
	if monthly != alsoMonthly || of <= 0 || n <= 0 || n%of != 0 {
		return 0, false
	}
	return n / of, true
}

// check gives what is wrong with a continuous schedule: its instalments are equal in time, and a
// cliff is one of them.
func (c Continuous) check() Faults {
	var faults Faults
	faults.within("/length", c.Length.check())
	faults.within("/frequency", c.Frequency.check())
	if len(faults) > 0 {
		return faults
	}
	times, ok := c.Length.over(c.Frequency)
	if !ok || times > MaxInstalments {
		faults.add("/frequency", "notDivisor", fmt.Sprintf("The frequency goes into the length a whole number of times, at most %d.", MaxInstalments))
	}
	if c.Cliff == nil {
		return faults
	}
	if faults.within("/cliff/after", c.Cliff.After.check()); len(faults) > 0 {
		return faults
	}
	if at, ok := c.Cliff.After.over(c.Frequency); !ok || at > times {
		faults.add("/cliff/after", "notMultiple", "A cliff lies on one of the instalments.")
	}
	if f := c.Cliff.Fraction; f != nil && (f.Sign() < 0 || f.Cmp(exact.NewDecimal(1)) > 0) {
		faults.add("/cliff/fraction", "badFraction", "What a cliff vests is a fraction from 0 to 1.")
	}
	return faults
}

// tranches gives one path through the dates, in their order, and a path for each
// milestone, for those come in any order.
func tranches(all []Tranche) []Condition {
	conditions := make([]Condition, len(all))
	dated := -1
	for i, t := range all {
		c := &conditions[i]
		*c = Condition{ID: "tranche " + strconv.Itoa(i+1), When: When{Kind: OnEvent, Event: t.Milestone}, Vests: Portion{Shares: t.Quantity}}
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

// checkTranches gives what is wrong with tranches. Fractions are no more than the whole; quantities
// are compared with a grant, once there is one.
func checkTranches(all []Tranche) Faults {
	var faults Faults
	if len(all) > MaxConditions {
		faults.add("", "tooMany", fmt.Sprintf("There may be %d tranches at most.", MaxConditions))
		return faults
	}
	var last exact.Date
	sum, one := new(big.Rat), exact.NewDecimal(1)
	for i, t := range all {
		pointer := "/" + strconv.Itoa(i)
		if t.Date.IsZero() == (t.Milestone == "") || len(t.Milestone) > maxLength {
			faults.add(pointer, "ambiguous", "A tranche waits for a date or for a milestone with a name of at most 100 bytes.")
		}
		if t.Quantity.Sign() < 0 || t.Fraction.Sign() < 0 || t.Fraction.Cmp(one) > 0 || !t.Quantity.Fits() {
			faults.add(pointer, "badFraction", "A quantity is not negative, and a fraction lies between 0 and 1.")
		}
		if t.Quantity.IsZero() == t.Fraction.IsZero() {
			faults.add(pointer, "ambiguous", "A tranche vests a quantity or a fraction.")
		}
		if !t.Date.IsZero() && t.Date < last {
			faults.add(pointer+"/date", "outOfOrder", "The dates are not in order.")
		}
		last = max(last, t.Date)
		sum.Add(sum, t.Fraction.Rat())
	}
	if sum.Cmp(one.Rat()) > 0 {
		faults.add("", "moreThanGranted", "The fractions are more than the whole.")
	}
	return faults
}
