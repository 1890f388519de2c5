package captable

import "strings"

// Operation is how a figure follows from its terms.
type Operation string

// The operations of an explanation.
const (
	// OperationSum adds all terms.
	OperationSum Operation = "sum"
	// OperationDifference takes the other terms from the first, never below zero.
	OperationDifference Operation = "difference"
	// OperationLeast is the smallest of the terms.
	OperationLeast Operation = "least"
	// OperationProduct is the product of the terms, rounded down to 10 places.
	OperationProduct Operation = "product"
	// OperationPercentage is the first term as a part of the second, at 10 places. What
	// rounding leaves goes to the largest remainders, so that a column sums to exactly 1.
	OperationPercentage Operation = "percentage"
	// OperationFigure is a figure with an explanation of its own.
	OperationFigure Operation = "figure"
	// OperationRecorded is a figure as the journal has it.
	OperationRecorded Operation = "recorded"
)

// Reference names a record of the cap table.
type Reference struct {
	Kind string
	ID   [16]byte
	// Events are the types of the events that set the figure; nil: all that are about
	// the record.
	Events []string
}

// Term is a figure, and the terms that it is made of, down to what was recorded.
type Term struct {
	// Label says in words what the figure is.
	Label     string
	Value     Authorized
	Operation Operation
	Terms     []Term
	// Figure is what to ask for to have this one explained in turn; empty where it is.
	Figure string
	// Records are those that a recorded figure is read from.
	Records []Reference
}

// explanation is what a figure is explained from: a state and a day.
type explanation struct {
	state *State
	day   Date
	name  func(EntityID) string
	// whole is the day's table, made where it is asked for.
	whole *Table
}

// table is the cap table of the day.
func (x *explanation) table() *Table {
	if x.whole == nil {
		table := x.state.TableOn(x.day, x.name)
		x.whole = &table
	}
	return x.whole
}

// Explain gives a figure of the day as a tree of terms. The figure is a path: what
// kind of thing, its id, and which of its figures, such as
// security/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10/available. It refuses what is no
// figure with [CodeInvalid] and what is not there with [CodeNotFound].
func (s *State) Explain(figure string, day Date, name func(EntityID) string) (Term, error) {
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
		return Term{}, noFigure("A figure begins with security, holder, pool, option, holding, shareholding or total.")
	}
}

// explained reads the id and has its figure explained.
func explained[Of any](explain func(id ID[Of], which string) (Term, error), text, which string) (Term, error) {
	id, err := ParseID[Of](text)
	if err != nil {
		return Term{}, noFigure("The figure's second part is the id of what it is about.")
	}
	return explain(id, which)
}

func noFigure(message string) error {
	var faults Faults
	faults.Add("/figure", "notAFigure", message)
	return faults.Err()
}

// total explains a figure of the whole table: the sum over its securities.
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
		return Term{}, noFigure("A total is authorized, issued, outstanding, treasury, reserved, available, options, warrants or fullyDiluted.")
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

// allOptions are those of all holders, pool by pool.
func (x *explanation) allOptions() Term {
	sum := Term{Label: "All options", Operation: OperationSum}
	for i := range x.table().Pools {
		pool := &x.table().Pools[i]
		sum.add(Term{
			Label: pool.PlanName + ", " + pool.Name, Value: AuthorizedOf(pool.Outstanding), Operation: OperationFigure,
			Figure: "pool/" + pool.Pool.String() + "/outstanding",
		})
	}
	return sum
}

// add makes the term one more of the terms of a sum.
func (t *Term) add(term Term) {
	t.Terms = append(t.Terms, term)
	t.Value = t.Value.Add(term.Value)
}

// recorded is a figure as the journal has it.
func recorded(label string, value Decimal, from ...Reference) Term {
	return Term{Label: label, Value: AuthorizedOf(value), Operation: OperationRecorded, Records: from}
}

// plus is the sum of the terms.
func plus(label string, terms ...Term) Term {
	sum := Term{Label: label, Operation: OperationSum}
	for _, term := range terms {
		sum.add(term)
	}
	return sum
}

// smallest is the least of the terms.
func smallest(label string, terms ...Term) Term {
	value := terms[0].Value.Shares
	for _, term := range terms {
		value = value.Min(term.Value.Shares)
	}
	return Term{Label: label, Value: AuthorizedOf(value), Operation: OperationLeast, Terms: terms}
}

// less is the first term without the others.
func less(label string, from Term, others ...Term) Term {
	value := from.Value
	for _, other := range others {
		value = value.less(other.Value.Shares)
	}
	return Term{Label: label, Value: value, Operation: OperationDifference, Terms: append([]Term{from}, others...)}
}
