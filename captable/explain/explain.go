// Package explain computes the explanation of a figure of the cap table: the terms of its
// calculation, down to the records of the journal. It reads a [captable.State] and changes nothing.
package explain

import (
	"strings"

	"equity/captable"
	"equity/fault"
)

// Operation is the operation that computes a figure from its terms.
type Operation string

// The operations of an explanation.
const (
	// OperationSum is the sum of all terms.
	OperationSum Operation = "sum"
	// OperationDifference is the first term minus the other terms, but not below zero.
	OperationDifference Operation = "difference"
	// OperationLeast is the smallest of the terms.
	OperationLeast Operation = "least"
	// OperationProduct is the product of the terms, rounded down to 10 places.
	OperationProduct Operation = "product"
	// OperationFraction is the product of the first two terms divided by the third, rounded
	// down to 10 places.
	OperationFraction Operation = "fraction"
	// OperationPercentage is the first term as a fraction of the second, with 10 places. The
	// rounding difference goes to the largest remainders, so that a column sums to exactly 1.
	OperationPercentage Operation = "percentage"
	// OperationFigure is a figure with a separate explanation.
	OperationFigure Operation = "figure"
	// OperationRecorded is a figure that is recorded in the journal.
	OperationRecorded Operation = "recorded"
)

// Reference refers to a record of the cap table.
type Reference struct {
	Kind string
	ID   [16]byte
	// Events are the types of the events that set the figure. Nil means all events of the
	// record.
	Events []string
}

// The kinds of the referenced records.
const (
	kindSecurity     = "security"
	kindShareholding = "shareholding"
	kindPlan         = "plan"
	kindHolding      = "holding"
)

// Term is a figure with the terms from which it is computed. The leaves of the tree are
// recorded figures and figures with a separate explanation.
type Term struct {
	// Label describes the figure in words.
	Label     string
	Value     captable.Authorized
	Operation Operation
	Terms     []Term
	// Figure is the path of the separate explanation. It is empty if the term is explained in
	// place.
	Figure string
	// Records are the sources of a recorded figure.
	Records []Reference
}

// explanation computes explanations for a state and a day.
type explanation struct {
	state *captable.State
	day   captable.Date
	name  func(captable.EntityID) string
	// whole is the table of the day. It is computed when first needed.
	whole *captable.Table
}

// table returns the cap table of the day.
func (x *explanation) table() *captable.Table {
	if x.whole == nil {
		table := x.state.TableOn(x.day, x.name)
		x.whole = &table
	}
	return x.whole
}

// Figure returns a figure of the day as a tree of terms. The figure is a path of a kind, an
// id and the name of the figure, such as
// security/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10/available. An invalid path is refused with
// [CodeInvalid], an unknown record with [CodeNotFound].
func Figure(s *captable.State, figure string, day captable.Date, name func(captable.EntityID) string) (Term, error) {
	kind, rest, _ := strings.Cut(figure, "/")
	id, which, _ := strings.Cut(rest, "/")
	x := &explanation{state: s, day: day, name: name}
	switch kind {
	case "security":
		return explained(x.security, id, which)
	case "holder":
		return explained(x.holder, id, which)
	case "pool":
		return explained(x.pool, id, which)
	case "option":
		return explained(x.option, id, which)
	case "holding":
		return explained(x.instrument, id, which)
	case "shareholding":
		return explained(x.shareholding, id, which)
	case "total":
		return x.total(rest)
	default:
		return Term{}, noFigure("The figure must begin with security, holder, pool, option, holding, shareholding or total.")
	}
}

// explained parses the id and calls explain.
func explained[Of any](explain func(id captable.ID[Of], which string) (Term, error), text, which string) (Term, error) {
	id, err := captable.ParseID[Of](text)
	if err != nil {
		return Term{}, noFigure("The second part of the figure must be the id of its record.")
	}
	return explain(id, which)
}

func noFigure(message string) error {
	var faults fault.Fields
	faults.Add("/figure", "notAFigure", message)
	return faults.Err()
}

// total explains a figure of the whole table as the sum over all securities.
func (x *explanation) total(which string) (Term, error) {
	switch which {
	case "options":
		return x.allOptions(), nil
	case "warrants":
		return x.allWarrants(), nil
	case "fullyDiluted":
		return x.allDiluted(), nil
	}
	if !isSum(which) {
		return Term{}, noFigure("The figure of a total must be authorized, issued, outstanding, treasury, reserved, available, options, warrants or fullyDiluted.")
	}
	total := Term{Label: "All securities, " + which, Operation: OperationSum}
	for i := range x.table().Securities {
		term, err := x.security(x.table().Securities[i].ID, which)
		if err != nil {
			return Term{}, err
		}
		total.add(term)
	}
	return total, nil
}

// allOptions explains the outstanding options of all pools.
func (x *explanation) allOptions() Term {
	sum := Term{Label: "All options", Operation: OperationSum}
	for i := range x.table().Pools {
		pool := &x.table().Pools[i]
		sum.add(Term{
			Label: pool.PlanName + ", " + pool.Name, Value: captable.AuthorizedOf(pool.Outstanding), Operation: OperationFigure,
			Figure: "pool/" + pool.Pool.String() + "/outstanding",
		})
	}
	return sum
}

// add appends the term to a sum.
func (t *Term) add(term Term) {
	t.Terms = append(t.Terms, term)
	t.Value = t.Value.Add(term.Value)
}

// recorded returns the term of a recorded figure.
func recorded(label string, value captable.Decimal, from ...Reference) Term {
	return Term{Label: label, Value: captable.AuthorizedOf(value), Operation: OperationRecorded, Records: from}
}

// plus returns the sum of the terms.
func plus(label string, terms ...Term) Term {
	sum := Term{Label: label, Operation: OperationSum}
	for _, term := range terms {
		sum.add(term)
	}
	return sum
}

// smallest returns the smallest of the terms.
func smallest(label string, terms ...Term) Term {
	value := terms[0].Value.Shares
	for _, term := range terms {
		value = value.Min(term.Value.Shares)
	}
	return Term{Label: label, Value: captable.AuthorizedOf(value), Operation: OperationLeast, Terms: terms}
}

// less returns the first term minus the others.
func less(label string, from Term, others ...Term) Term {
	value := from.Value
	for _, other := range others {
		value = value.Minus(other.Value.Shares)
	}
	return Term{Label: label, Value: value, Operation: OperationDifference, Terms: append([]Term{from}, others...)}
}
