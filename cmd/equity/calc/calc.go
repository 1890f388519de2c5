package calc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Kind is a kind of calculation.
type Kind struct {
	// Name is its name on the command line.
	Name string
	// About describes input and result in one line.
	About string
	// calculate returns the answer to a case as a JSON value, or an error of [refuse] if
	// the case has no answer. Any other error means that the input is invalid.
	calculate func(text []byte) (any, error)
}

// Kinds lists the kinds in the order of the help.
func Kinds() []Kind {
	return []Kind{
		{"vesting", "a grant under a graph of conditions: its instalments", each(vestingOf)},
		{"statements", "a grant under flat ordered statements: its instalments", each(statementsOf)},
		{"iso", "all option grants of one holder: the part that remains ISO under the $100,000 rule, by year", each(isoOf)},
		{"round", "a priced round over a company with SAFEs and notes: price, pool and conversions", each(roundOf)},
		{"interest", "a debt and its rates: the interest until a day and the amount owed", each(interestOf)},
		{"conversion", "one note or SAFE and a price: the shares it becomes, and the cash for the rest", each(conversionOf)},
		{"liquidity", "a sale of a company with SAFEs and notes: conversions and payouts", each(liquidityOf)},
		{"ownership", "parts of a company: ownership of SAFEs, dilution by a round, pro rata rights", each(ownershipOf)},
		{"ledger", "transactions of securities in order: issued, held and ended quantities, and the rest of the pools", each(ledgerOf)},
		{"date", "a date and a period of days, months or years: the date after it", each(dateOf)},
		{"moving/cells", "a workbook or CSV file: its typed cells and the findings", each(cellsOf)},
		{"moving/column", "the cells of a column: its format, how it was decided, and the values", each(columnOf)},
	}
}

// ErrUnusable is wrapped by the errors of invalid input.
var ErrUnusable = errors.New("the input cannot be used")

// MaxInput is the maximum size of a case in bytes.
const MaxInput = 8 << 20

// Calculate reads one case of the kind and prints its answer. For a case without an answer it prints
// {"refused": true, "why": …} and returns nil.
func Calculate(name string, in io.Reader, out io.Writer) error {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return fmt.Errorf("%w: unknown kind %q", ErrUnusable, name)
	}
	text, err := io.ReadAll(io.LimitReader(in, MaxInput+1))
	if err != nil {
		return err
	}
	if len(text) > MaxInput {
		return fmt.Errorf("%w: it is longer than %d bytes", ErrUnusable, MaxInput)
	}
	answer, err := kinds[i].calculate(text)
	var refused refusal
	switch {
	case errors.As(err, &refused):
		answer = refused
	case err != nil:
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	printer := json.NewEncoder(out)
	printer.SetIndent("", " ")
	printer.SetEscapeHTML(false)
	return printer.Encode(answer)
}

// each adapts a function of one decoded case.
func each[Case, Answer any](calculate func(Case) (Answer, error)) func([]byte) (any, error) {
	return func(text []byte) (any, error) {
		var c Case
		if err := json.Unmarshal(text, &c); err != nil {
			return nil, misread(err)
		}
		return calculate(c)
	}
}

// misread describes a decoding error without the names of Go types.
func misread(err error) error {
	mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case !ok:
		return err
	case mistyped.Field == "":
		return errors.New("a case is an object, not " + article(mistyped.Value))
	default:
		return fmt.Errorf("%q cannot be %s", mistyped.Field, article(mistyped.Value))
	}
}

// article returns the name of a JSON type with its article.
func article(value string) string {
	switch value, _, _ := strings.Cut(value, " "); value { // the name of a number includes its digits
	case "bool":
		return "a truth value"
	case "array", "object":
		return "an " + value
	default:
		return "a " + value
	}
}

// refusal is the answer to a refused case.
type refusal struct {
	Refused bool   `json:"refused"`
	Why     string `json:"why"`
}

func (r refusal) Error() string { return r.Why }

// refuse returns the refusal of a case with the given reason.
func refuse(why string) error { return refusal{Refused: true, Why: why} }
