package ocf

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// Triggers of the format's vesting conditions.
const (
	triggerStart    = "VESTING_START_DATE"
	triggerAbsolute = "VESTING_SCHEDULE_ABSOLUTE"
	triggerRelative = "VESTING_SCHEDULE_RELATIVE"
	triggerEvent    = "VESTING_EVENT"
)

// Period units and day rules of the format.
const (
	periodDays   = "DAYS"
	periodMonths = "MONTHS"
	startDay     = "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH"
	orLastDay    = "_OR_LAST_DAY_OF_MONTH"
)

// monthsOfYear converts years to months. The format has periods only in days and months.
const monthsOfYear = 12

var (
	errNoNumber  = errors.New("it is no number")
	errNoTrigger = errors.New("it is no trigger of the format")
)

type (
	conditionObject struct {
		ID          string         `json:"id"`
		Description string         `json:"description,omitempty"`
		Portion     *portionObject `json:"portion,omitempty"`
		Quantity    string         `json:"quantity,omitempty"`
		Trigger     triggerObject  `json:"trigger"`
		Next        []string       `json:"next_condition_ids"`
	}
	portionObject struct {
		Numerator   string `json:"numerator"`
		Denominator string `json:"denominator"`
		Remainder   bool   `json:"remainder,omitempty"`
	}
	triggerObject struct {
		Type     string        `json:"type"`
		Date     string        `json:"date,omitempty"`
		Period   *periodObject `json:"period,omitempty"`
		Relative string        `json:"relative_to_condition_id,omitempty"`
	}
	periodObject struct {
		Length      int    `json:"length"`
		Type        string `json:"type"`
		Occurrences int    `json:"occurrences"`
		Day         string `json:"day_of_month,omitempty"`
		Cliff       int    `json:"cliff_installment,omitempty"`
	}
)

// termsOf parses the graph of a VESTING_TERMS object. The error reports a graph that does not
// conform to the format. [vesting.Terms.Faults] checks its consistency.
func termsOf(object json.RawMessage) (vesting.Terms, error) {
	var graph struct {
		Allocation vesting.Allocation `json:"allocation_type"`
		Conditions []conditionObject  `json:"vesting_conditions"`
	}
	if err := json.Unmarshal(object, &graph); err != nil {
		return vesting.Terms{}, fmt.Errorf("the conditions are not of the format: %w", err)
	}
	terms := vesting.Terms{Allocation: graph.Allocation}
	for _, c := range graph.Conditions {
		condition, err := c.read()
		if err != nil {
			return vesting.Terms{}, fmt.Errorf("the condition %q: %w", c.ID, err)
		}
		terms.Conditions = append(terms.Conditions, condition)
	}
	return terms, nil
}

// read converts the object to a condition.
func (c *conditionObject) read() (vesting.Condition, error) {
	when, err := c.Trigger.read()
	if err != nil {
		return vesting.Condition{}, err
	}
	made := vesting.Condition{ID: c.ID, When: when, Next: c.Next}
	if made.Next == nil {
		made.Next = []string{}
	}
	switch {
	case c.Portion != nil:
		made.Vests, err = c.Portion.read()
	case c.Quantity != "":
		shares, ok := parseNumeric(c.Quantity)
		if !ok {
			return vesting.Condition{}, fmt.Errorf("%w: quantity %q", errNoNumber, c.Quantity)
		}
		made.Vests.Shares = shares
	}
	return made, err
}

func (p *portionObject) read() (vesting.Portion, error) {
	numerator, fine := parseNumeric(p.Numerator)
	denominator, well := parseNumeric(p.Denominator)
	if !fine || !well || denominator.IsZero() {
		return vesting.Portion{}, fmt.Errorf("%w: portion %s/%s", errNoNumber, p.Numerator, p.Denominator)
	}
	if numerator.IsZero() {
		return vesting.Portion{}, nil // a zero portion means no vesting
	}
	ratio := new(big.Rat).Quo(numerator.Rat(), denominator.Rat())
	if !ratio.Num().IsInt64() || !ratio.Denom().IsInt64() {
		return vesting.Portion{}, fmt.Errorf("%w: portion %s/%s", errNoNumber, p.Numerator, p.Denominator)
	}
	made := vesting.Portion{Fraction: vesting.Fraction{Numerator: ratio.Num().Int64(), Denominator: ratio.Denom().Int64()}}
	if p.Remainder {
		made.Of = vesting.OfRemaining
	}
	return made, nil
}

// read converts the object to the trigger of a condition.
func (t *triggerObject) read() (vesting.When, error) {
	switch t.Type {
	case triggerStart:
		return vesting.When{Kind: vesting.AtStart}, nil
	case triggerEvent:
		return vesting.When{Kind: vesting.OnEvent}, nil
	case triggerAbsolute:
		date, err := exact.ParseDate(t.Date)
		return vesting.When{Kind: vesting.OnDate, Date: date}, err
	case triggerRelative:
		if t.Period == nil {
			return vesting.When{}, fmt.Errorf("%w: it has no period", errNoTrigger)
		}
		return t.Period.read(t.Relative), nil
	default:
		return vesting.When{}, fmt.Errorf("%w: %q", errNoTrigger, t.Type)
	}
}

func (p *periodObject) read(of string) vesting.When {
	when := vesting.When{Kind: vesting.After, Of: of, Every: vesting.Period{N: p.Length, Unit: vesting.Days}, Times: p.Occurrences}
	if p.Type == periodMonths {
		when.Every.Unit = vesting.Months
		if p.Day != startDay {
			when.Day = vesting.Day(strings.TrimSuffix(p.Day, orLastDay))
		}
	} else if p.Type != periodDays {
		when.Every.Unit = vesting.Unit(p.Type) // refused by later checks
	}
	if p.Cliff > 1 { // in the format, a cliff at the first instalment is no cliff
		when.CliffAt = p.Cliff
	}
	return when
}
