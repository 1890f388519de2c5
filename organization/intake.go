package organization

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
)

// CodeRowsRefused refuses a file of rows; Fields names every finding, its pointer
// beginning with /rows and the line of the row.
const CodeRowsRefused captable.Code = "rowsRefused"

// mostRefusals is how many rows are refused before the rest is not looked at any more.
const mostRefusals = 500

// Intake asks to take in the rows of a file, in their order: all of them, or nothing.
type Intake struct{ Rows []IntakeRow }

// IntakeRow is a row of a file as what it asks for: one command, which makes one event.
type IntakeRow struct {
	// Line is where the row stands in the file, from 1.
	Line    int
	Command Command
	// Refusal says what of the row could not be read; nil where all was. Then the command,
	// if there is one, is what the rest asks for.
	Refusal *captable.Error
}

// decide lets every row be decided as if those before it had been recorded.
func (c Intake) decide(s *State, m Moment) ([]Event, error) {
	i := &importing{scratch: s.Copy(), moment: m}
	var faults captable.Faults
	refused := 0
	for _, row := range c.Rows {
		events, err := row.decide(i.scratch, m)
		refusal, isRefusal := errors.AsType[*captable.Error](err)
		switch {
		case err != nil && !isRefusal:
			return nil, fmt.Errorf("line %d: %w", row.Line, err)
		case isRefusal:
			faults = append(faults, row.faults(refusal)...)
			refused++
		default:
			i.record(events...)
		}
		if refused == mostRefusals {
			break
		}
	}
	if len(faults) > 0 {
		return nil, &captable.Error{
			Code: CodeRowsRefused, Message: "Some rows cannot be taken in; nothing of the file was stored.", Fields: faults,
		}
	}
	return i.events, nil
}

func (r IntakeRow) decide(s *State, m Moment) ([]Event, error) {
	if r.Refusal == nil {
		return r.Command.decide(s, m)
	}
	refusal := *r.Refusal
	if r.Command != nil {
		_, err := r.Command.decide(s, m)
		if found, refused := errors.AsType[*captable.Error](err); refused {
			refusal.Fields = captable.Faults(refusal.Fields).Beside(found.Fields)
		}
	}
	return nil, &refusal
}

// faults gives those of a refusal as faults of the row: each wrong field, or what the
// refusal says with its figures.
func (r IntakeRow) faults(refusal *captable.Error) captable.Faults {
	pointer := "/rows/" + strconv.Itoa(r.Line)
	var faults captable.Faults
	for _, field := range refusal.Fields {
		faults.Add(pointer+field.Pointer, field.Code, field.Message)
	}
	if len(faults) > 0 {
		return faults
	}
	message := refusal.Message
	var figures []string
	for _, name := range slices.Sorted(maps.Keys(refusal.Details)) {
		figures = append(figures, name+" "+refusal.Details[name])
	}
	if len(figures) > 0 {
		message += " (" + strings.Join(figures, ", ") + ")"
	}
	faults.Add(pointer+r.blamed(refusal), string(refusal.Code), message)
	return faults
}

// blamed points to the column that a refusal without fields is about; empty for the row as
// a whole.
func (r IntakeRow) blamed(refusal *captable.Error) string {
	_, issues := r.Command.(IssueRow)
	_, named := refusal.Details["externalId"]
	switch {
	case named:
		return "/externalId"
	case refusal.Code == captable.CodeInsufficientShares && issues:
		return "/shares"
	case refusal.Code == captable.CodeInsufficientShares:
		return "/quantity"
	default:
		return ""
	}
}
