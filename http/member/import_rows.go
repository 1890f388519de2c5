package member

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// The kinds of importable rows.
const (
	kindShareholdings = "shareholdings"
	kindMembers       = "members"
	kindOptions       = "options"
)

// statusRefused is the status of a row that was not imported.
const statusRefused = "refused"

// importedRow is the result of importing a row.
type importedRow struct {
	// Line is the first line of the row in the file.
	Line int `json:"line"`
	// Status is created, updated or refused.
	Status string             `json:"status"`
	ID     *captable.ID[any]  `json:"id,omitempty"`
	Errors []importedRowFault `json:"errors,omitempty"`
}

// importedRowFault is a fault of a cell, or of the row if Column is empty.
type importedRowFault struct {
	Column  string `json:"column,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// intake is a parsed file of rows.
type intake struct {
	rows        []organization.IntakeRow
	particulars map[int][]messages.Particular // by line
	// membersAsOf is the sequence of the members that the commands of these rows depend on.
	membersAsOf uint64
}

// importRows imports all rows of the file or none; with partial, all valid rows. Faults are the result
// of a dry run, and otherwise an error.
func (s imports) importRows(ctx context.Context, c *api.Call, kind string, partial bool) (api.Answer, error) {
	file, err := tableFile(c)
	if err != nil {
		return api.Answer{}, err
	}
	rows, err := readRows(kind, file, s.Imports.Rows)
	if err != nil {
		return api.Answer{}, err
	}
	take := func() (api.Answer, error) {
		in, err := s.intakeOf(ctx, c, kind, rows)
		if err != nil {
			return api.Answer{}, err
		}
		return s.takeIn(ctx, c, kind, file, in, partial)
	}
	if kind == kindMembers {
		return s.entering(ctx, c, take)
	}
	return take()
}

// takeIn imports the parsed rows.
func (s imports) takeIn(ctx context.Context, c *api.Call, kind string, file []byte, in intake, partial bool) (api.Answer, error) {
	faults, reply, err := s.tried(ctx, c, in, partial || c.DryRun())
	if err != nil {
		return api.Answer{}, err
	}
	report := importReport{DryRun: c.DryRun(), Accepted: partial || len(faults) == 0, Counts: map[string]int{}, Findings: []importFinding{}}
	report.Rows = in.statuses(faults)
	if c.DryRun() || partial && len(faults) == len(in.rows) {
		report.count(reply)
		return api.Answer{Record: report, Private: true}, nil
	}
	in.rows = slices.DeleteFunc(in.rows, func(row organization.IntakeRow) bool { return faults[row.Line] != nil })
	kept, err := keeps(c, kind, file)
	if err != nil {
		return api.Answer{}, err
	}
	command, err := c.Command(organization.Intake{Rows: in.rows}, nil)
	if err != nil {
		return api.Answer{}, err
	}
	command.Particulars, command.MembersAsOf = append(in.particularsOf(), kept), in.membersAsOf
	if reply, err = s.Do(ctx, c, command); err != nil {
		return api.Answer{}, err
	}
	report.name(reply)
	answer := api.Created(report, "/organization/"+c.Organization.String()+"/journal", "")
	answer.Replayed = reply.Replayed
	return answer, nil
}

// tried returns the faults of a dry run by line, and its reply. If ask is false, it returns at once.
func (s imports) tried(ctx context.Context, c *api.Call, in intake, ask bool) (map[int][]importedRowFault, messages.Reply, error) {
	if !ask {
		return nil, messages.Reply{}, nil
	}
	command, err := c.Command(organization.Intake{Rows: in.rows}, nil)
	if err != nil {
		return nil, messages.Reply{}, err
	}
	command.DryRun, command.IdempotencyKey, command.Fingerprint, command.MembersAsOf = true, "", "", in.membersAsOf
	reply, err := s.Organizations.Do(ctx, command)
	if refusal, refused := errors.AsType[*fault.Error](err); refused && refusal.Code == fault.RowsRefused {
		return faultsByLine(refusal.Fields), messages.Reply{}, nil
	}
	return nil, reply, api.Wrap(ctx, "try "+c.Operation.ID, err)
}

// faultsByLine groups faults by line. Their pointers have the form /rows/LINE/COLUMN.
func faultsByLine(fields []fault.Field) map[int][]importedRowFault {
	found := map[int][]importedRowFault{}
	for _, field := range fields {
		digits, column, _ := strings.Cut(strings.TrimPrefix(field.Pointer, "/rows/"), "/")
		line, _ := strconv.Atoi(digits) // the server wrote this number
		found[line] = append(found[line], importedRowFault{column, field.Code, field.Message})
	}
	return found
}

// statuses returns the result of each row.
func (in intake) statuses(faults map[int][]importedRowFault) []importedRow {
	all := make([]importedRow, 0, len(in.rows))
	for _, row := range in.rows {
		told := importedRow{Line: row.Line, Status: "created"}
		if _, amends := row.Command.(organization.AmendMember); amends {
			told.Status = "updated"
		}
		if wrong := faults[row.Line]; wrong != nil {
			told.Status, told.Errors = statusRefused, wrong
		}
		all = append(all, told)
	}
	return all
}

// particularsOf returns the particulars of the remaining rows.
func (in intake) particularsOf() []messages.Particular {
	var all []messages.Particular
	for _, row := range in.rows {
		all = append(all, in.particulars[row.Line]...)
	}
	return all
}

// name sets the ids of the affected records. Every imported row created or changed one record, in the
// order of the rows. Grants that expired to make room are not among them.
func (r *importReport) name(reply messages.Reply) {
	r.count(reply)
	var ids []captable.ID[any]
	for _, event := range reply.Events {
		if made := event.Creates(); len(made) > 0 {
			ids = append(ids, captable.ID[any](made[0].ID))
		} else if changed, ok := event.(organization.MemberChanged); ok {
			ids = append(ids, captable.ID[any](changed.ID))
		} else if returned, ok := event.(organization.MemberReturned); ok {
			ids = append(ids, captable.ID[any](returned.ID))
		}
	}
	for i := range r.Rows {
		if r.Rows[i].Status != statusRefused && len(ids) > 0 {
			r.Rows[i].ID, ids = &ids[0], ids[1:]
		}
	}
}

// count counts the events by type.
func (r *importReport) count(reply messages.Reply) {
	r.Events = len(reply.Events)
	for _, event := range reply.Events {
		r.Counts[event.EventType()]++
	}
	for kind, events := range reply.Counts {
		r.Events += events
		r.Counts[kind] += events
	}
}

// intakeOf converts the rows to commands.
func (s imports) intakeOf(ctx context.Context, c *api.Call, kind string, rows []filledRow) (intake, error) {
	if kind == kindMembers {
		return s.memberIntake(ctx, c, rows)
	}
	read := rowAs[organization.IssueRow]
	if kind == kindOptions {
		read = rowAs[organization.GrantRow]
	}
	in := intake{}
	for _, row := range rows {
		in.rows = append(in.rows, read(row))
	}
	return in, nil
}

// rowAs decodes a row into its command. Cells with invalid values become faults, and the remaining
// cells are still checked.
func rowAs[R organization.Command](row filledRow) organization.IntakeRow {
	fields := map[string]any{}
	for column, cell := range row.cells {
		fields[column] = cell
	}
	faults := row.misleading()
	for _, problem := range faults {
		delete(fields, strings.TrimPrefix(problem.Pointer, "/"))
	}
	command, refusal := patchedRow[R](fields)
	if refusal == nil && len(faults) > 0 {
		refusal, _ = errors.AsType[*fault.Error](api.WrongFields(faults))
	} else if refusal != nil {
		refusal.Fields = fault.Fields(refusal.Fields).WithIndependent(faults)
		for _, problem := range refusal.Fields {
			delete(fields, strings.TrimPrefix(problem.Pointer, "/"))
		}
		command, _ = patchedRow[R](fields)
	}
	return organization.IntakeRow{Line: row.line, Command: command, Refusal: refusal}
}

// misleading returns a fault for each cell with a character that is invisible or changes the writing direction. The
// contract refuses such characters in bodies.
func (r filledRow) misleading() fault.Fields {
	var faults fault.Fields
	for _, column := range slices.Sorted(maps.Keys(r.cells)) {
		switch cell := r.cells[column]; {
		case strings.ContainsFunc(cell, func(c rune) bool { return unicode.Is(unicode.Bidi_Control, c) }):
			faults.Add("/"+column, "bidirectionalControl", "The text contains a character that controls the writing direction. Remove it.")
		case strings.ContainsFunc(cell, unicode.IsControl):
			faults.Add("/"+column, "controlCharacter", "The text contains a control character. Remove it.")
		}
	}
	return faults
}

// getImportTemplate returns an empty file with the heading, in the format that spreadsheet programs
// expect.
func (s imports) getImportTemplate(ctx context.Context, c *api.Call) (api.Answer, error) {
	kind := c.Query("kind")
	if c.Query("file") == "last" {
		return s.getLastImport(ctx, c, kind)
	}
	body := "\ufeff" + strings.Join(columnsOf(kind), ",") + "\r\n"
	return s.Download(c, api.ContentCSV, kind+".csv", func() ([]byte, error) { return []byte(body), nil })
}
