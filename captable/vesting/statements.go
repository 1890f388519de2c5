package vesting

import (
	"math/big"
	"slices"
	"strconv"
)

// Statement is a line of a flat schedule: a fraction of the grant in equal instalments.
type Statement struct {
	// Order is the unique position of the statement, at least 1.
	Order int `json:"order"`
	// Base is "date" for a statement that follows the previous one (the first one follows the vesting start).
	// Otherwise it is the name of the event from which the statement is counted.
	Base  string `json:"base"`
	Times int    `json:"times"`
	Every Period `json:"every"`
	// Fraction is the fraction of the grant that the statement vests in total.
	Fraction Fraction        `json:"fraction"`
	Cliff    *StatementCliff `json:"cliff,omitempty"`
}

// StatementCliff is the first vesting instalment of a statement, and the fraction of the statement that it vests.
type StatementCliff struct {
	At       int      `json:"at"`
	Fraction Fraction `json:"fraction"`
}

// Statements are a flat schedule, the canonical form of the Open Cap Format, version 2.
type Statements struct {
	Allocation Allocation
	Day        Day
	Statements []Statement
}

// fromDate is the base of consecutive statements.
const fromDate = "date"

// statementDenominator limits the fractions of statements, which are divided further.
const statementDenominator = 10_000_000_000

// Terms compiles the statements into a graph: one path for consecutive statements, and one for each statement that
// depends on an event. The error is of type [Faults].
func (s Statements) Terms() (Terms, error) {
	if faults := s.faults(); len(faults) > 0 {
		return Terms{}, faults
	}
	terms := Terms{Allocation: s.Allocation}
	inOrder := slices.Clone(s.Statements)
	slices.SortStableFunc(inOrder, func(a, b Statement) int { return a.Order - b.Order })
	dated := -1 // the predecessor of the next dated statement
	for _, statement := range inOrder {
		id := "statement " + strconv.Itoa(statement.Order)
		before, day := dated, s.Day
		switch {
		case statement.Base != fromDate:
			before, day = len(terms.Conditions), BaseDay
			terms.Conditions = append(terms.Conditions, Condition{ID: "event of " + id, When: When{Kind: OnEvent, Event: statement.Base}})
		case dated < 0:
			before = len(terms.Conditions)
			terms.Conditions = append(terms.Conditions, Condition{ID: "vesting start", When: When{Kind: AtStart}})
		}
		terms.Conditions[before].Next = []string{id}
		if statement.Base == fromDate {
			dated = len(terms.Conditions)
		}
		terms.Conditions = append(terms.Conditions, statement.condition(id, terms.Conditions[before].ID, day))
	}
	return terms, terms.Faults().Err()
}

// condition returns the statement as instalments counted from another condition.
func (s Statement) condition(id, of string, day Day) Condition {
	each := s.Fraction.Rat()
	c := Condition{
		ID:    id,
		When:  When{Kind: After, Of: of, Every: s.Every, Times: s.Times, Day: day},
		Vests: Portion{Fraction: fractionOf(each.Quo(each, big.NewRat(int64(s.Times), 1)))},
	}
	if s.Cliff != nil {
		c.When.CliffAt, c.When.CliffFraction = s.Cliff.At, s.Cliff.Fraction
	}
	return c
}

// faults returns the faults of the statements before they are compiled.
func (s Statements) faults() Faults {
	var faults Faults
	if len(s.Statements) == 0 {
		faults.add("/statements", "required", "At least one statement is required.")
	}
	seen, sum := make(map[int]bool, len(s.Statements)), new(big.Rat)
	for i, statement := range s.Statements {
		pointer := "/statements/" + strconv.Itoa(i)
		if statement.Order < 1 || seen[statement.Order] {
			faults.add(pointer+"/order", "duplicate", "order must be unique and at least 1.")
		}
		seen[statement.Order] = true
		wrong := statement.faults()
		if faults.within(pointer, wrong); len(wrong) == 0 {
			sum.Add(sum, statement.Fraction.Rat())
		}
	}
	if sum.Cmp(big.NewRat(1, 1)) > 0 {
		faults.add("/statements", "moreThanGranted", "The fractions must not exceed 1 in total.")
	}
	return faults
}

// faults returns the faults of a single statement.
func (s Statement) faults() Faults {
	faults := When{Every: s.Every, Times: s.Times, CliffAt: max(s.cliffAt(), 0)}.checkRun()
	if s.Base == "" || len(s.Base) > maxLength {
		faults.add("/base", "required", `base must be "date" or the name of an event.`)
	}
	if s.Times > MaxInstalments {
		faults.add("/times", "tooMany", "There are too many instalments.")
	}
	if !s.Fraction.within01() || s.Fraction.Denominator > statementDenominator {
		faults.add("/fraction", "badFraction", "The fraction must be from 0 to 1.")
	}
	if s.Cliff != nil && (s.Cliff.At < 1 || !s.Cliff.Fraction.within01() || s.Cliff.Fraction.Denominator > statementDenominator) {
		faults.add("/cliff", "badFraction", "The cliff must have the number of an instalment, from 1, and a fraction from 0 to 1.")
	}
	return faults
}

func (s Statement) cliffAt() int {
	if s.Cliff == nil {
		return 0
	}
	return s.Cliff.At
}
