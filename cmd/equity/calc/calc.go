package calc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Kind is one thing that can be calculated.
type Kind struct {
	// Name is what it is called on the command line.
	Name string
	// About says in one line what comes of what.
	About string
	// calculate gives the answer to a case: a value for JSON, or an error of [refuse] when
	// the case has no answer. Any other error means that the case could not be read.
	calculate func(text []byte) (any, error)
}

// Kinds are all that can be calculated, in the order in which help lists them.
func Kinds() []Kind {
	return []Kind{
		{"vesting", "a grant under a graph of conditions: its instalments", each(vestingOf)},
		{"statements", "a grant under flat ordered statements: its instalments", each(statementsOf)},
		{"iso", "all option grants of one holder: what the $100,000 rule leaves of them as ISO, a year", each(isoOf)},
		{"round", "a priced round over a company with SAFEs and notes: price, pool and conversions", each(roundOf)},
		{"interest", "a debt and its rates: the interest until a day, and what is owed", each(interestOf)},
		{"conversion", "one note or SAFE and a price: the shares it becomes, and the cash for the rest", each(conversionOf)},
		{"liquidity", "a sale of a company with SAFEs and notes: who converts, and who is paid what", each(liquidityOf)},
		{"ownership", "parts of a company: what SAFEs own, what a round dilutes, what a pro rata right buys", each(ownershipOf)},
		{"ledger", "transactions of securities in their order: what is issued, held, ended and left in pools", each(ledgerOf)},
		{"date", "a date and a period of days, months or years: the date after it", each(dateOf)},
	}
}

// ErrUnusable is wrapped by the errors of input that is no case of its kind.
var ErrUnusable = errors.New("the input cannot be used")

// MaxInput is how many bytes a case may have.
const MaxInput = 8 << 20

// Calculate reads one case of the kind and prints its answer. A case without one prints
// {"refused": true, "why": …}, which is an answer too.
func Calculate(name string, in io.Reader, out io.Writer) error {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return fmt.Errorf("%w: there is no kind %q", ErrUnusable, name)
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

// each makes a calculation of a function over one decoded case.
func each[Case, Answer any](calculate func(Case) (Answer, error)) func([]byte) (any, error) {
	return func(text []byte) (any, error) {
		var c Case
		if err := json.Unmarshal(text, &c); err != nil {
			return nil, misread(err)
		}
		return calculate(c)
	}
}

// misread says what could not be read without the names of our types.
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

// article gives the name of a sort of JSON value as it stands in a sentence.
func article(value string) string {
	switch value, _, _ := strings.Cut(value, " "); value { // a number is named with its digits
	case "bool":
		return "a truth value"
	case "array", "object":
		return "an " + value
	default:
		return "a " + value
	}
}

// refusal is the answer to a case that must be refused.
type refusal struct {
	Refused bool   `json:"refused"`
	Why     string `json:"why"`
}

func (r refusal) Error() string { return r.Why }

// refuse gives the refusal of a case, with the reason as it stands.
func refuse(why string) error { return refusal{Refused: true, Why: why} }
