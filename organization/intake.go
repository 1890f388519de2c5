package organization

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"equity/fault"
)

// mostRefusals is the number of refused rows after which the other rows are not checked.
const mostRefusals = 500

// Intake imports the rows of a file in order, completely or not at all.
type Intake struct{ Rows []IntakeRow }

// IntakeRow is a row of a file as a command, which results in one event.
type IntakeRow struct {
	// Place identifies the row in the file: its line, such as 4, with the sheet if there are several, such as Seed!4.
	Place   string
	Command Command
	// Refusal contains the parse errors of the row, or nil. With parse errors, Command may be nil, or contain the
	// valid part of the row.
	Refusal *fault.Error
}

// Decide decides each row as if the earlier rows had been recorded.
func (c Intake) Decide(s *State, m DecideContext) ([]Event, error) {
	i := &importing{scratch: s.Copy(), moment: m}
	var faults fault.Fields
	refused := 0
	for _, row := range c.Rows {
		events, err := row.Decide(i.scratch, m)
		refusal, isRefusal := errors.AsType[*fault.Error](err)
		switch {
		case err != nil && !isRefusal:
			return nil, fmt.Errorf("row %s: %w", row.Place, err)
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
		return nil, &fault.Error{
			Code: fault.RowsRefused, Message: "Some rows cannot be imported. No change was recorded.", Fields: faults,
		}
	}
	return i.events, nil
}

func (r IntakeRow) Decide(s *State, m DecideContext) ([]Event, error) {
	if r.Refusal == nil {
		return r.Command.Decide(s, m)
	}
	refusal := *r.Refusal
	if r.Command != nil {
		_, err := r.Command.Decide(s, m)
		if found, refused := errors.AsType[*fault.Error](err); refused {
			refusal.Fields = fault.Fields(refusal.Fields).WithIndependent(found.Fields)
		}
	}
	return nil, &refusal
}

// faults converts a refusal to faults of the row: one for each faulty field, or one with the message and figures
// of the refusal.
func (r IntakeRow) faults(refusal *fault.Error) fault.Fields {
	pointer := "/rows/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(r.Place)
	var faults fault.Fields
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

// blamed returns the pointer to the column behind a refusal without fields, or an empty string for the whole row.
func (r IntakeRow) blamed(refusal *fault.Error) string {
	_, issues := r.Command.(IssueRow)
	_, named := refusal.Details["externalId"]
	switch {
	case named:
		return "/externalId"
	case refusal.Code == fault.InsufficientShares && issues:
		return "/shares"
	case refusal.Code == fault.InsufficientShares:
		return "/quantity"
	default:
		return ""
	}
}
