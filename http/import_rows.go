package http

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// The kinds of rows that can be brought in.
const (
	kindShareholdings = "shareholdings"
	kindMembers       = "members"
	kindOptions       = "options"
)

// statusRefused is the status of a row that was not taken in.
const statusRefused = "refused"

// importedRow tells what became of a row, or would.
type importedRow struct {
	// Line is where the row begins in the file.
	Line int `json:"line"`
	// Status is created, updated or refused.
	Status string             `json:"status"`
	ID     *captable.ID[any]  `json:"id,omitempty"`
	Errors []importedRowFault `json:"errors,omitempty"`
}

// importedRowFault says what is wrong with a cell, or with the row where Column is empty.
type importedRowFault struct {
	Column  string `json:"column,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// intake is a file of rows on its way into the organization.
type intake struct {
	rows        []organization.IntakeRow
	particulars map[int][]messages.Particular // by line
	// membersAsOf is that of the commands with these rows.
	membersAsOf uint64
}

// importRows takes in the rows of the file, all or none, or with partial those that can
// be. What refuses them is the answer of a dry run, and else an error.
func (s *Server) importRows(ctx context.Context, c *Call, kind string, partial bool) (Answer, error) {
	file, err := c.tableFile()
	if err != nil {
		return Answer{}, err
	}
	rows, err := readRows(kind, file, s.settings.Imports.Rows)
	if err != nil {
		return Answer{}, err
	}
	take := func() (Answer, error) {
		in, err := s.intakeOf(ctx, c, kind, rows)
		if err != nil {
			return Answer{}, err
		}
		return s.takeIn(ctx, c, kind, file, in, partial)
	}
	if kind == kindMembers {
		return s.entering(ctx, c, take)
	}
	return take()
}

// takeIn is importRows once it is known what the rows ask for.
func (s *Server) takeIn(ctx context.Context, c *Call, kind string, file []byte, in intake, partial bool) (Answer, error) {
	faults, reply, err := s.tried(ctx, c, in, partial || c.DryRun())
	if err != nil {
		return Answer{}, err
	}
	report := importReport{DryRun: c.DryRun(), Accepted: partial || len(faults) == 0, Counts: map[string]int{}, Findings: []importFinding{}}
	report.Rows = in.statuses(faults)
	if c.DryRun() || partial && len(faults) == len(in.rows) {
		report.count(reply)
		return Answer{Record: report, Private: true}, nil
	}
	in.rows = slices.DeleteFunc(in.rows, func(row organization.IntakeRow) bool { return faults[row.Line] != nil })
	kept, err := c.keeps(kind, file)
	if err != nil {
		return Answer{}, err
	}
	command, err := c.command(organization.Intake{Rows: in.rows}, nil)
	if err != nil {
		return Answer{}, err
	}
	command.Particulars, command.MembersAsOf = append(in.particularsOf(), kept), in.membersAsOf
	if reply, err = s.decide(ctx, c, command); err != nil {
		return Answer{}, err
	}
	report.name(reply)
	answer := created(report, "/organization/"+c.Organization.String()+"/journal", "")
	answer.Replayed = reply.Replayed
	return answer, nil
}

// tried gives the faults of the rows by line, as a dry run finds them, or what would come
// of them; nothing is tried unless it is asked for.
func (s *Server) tried(ctx context.Context, c *Call, in intake, ask bool) (map[int][]importedRowFault, messages.Reply, error) {
	if !ask {
		return nil, messages.Reply{}, nil
	}
	command, err := c.command(organization.Intake{Rows: in.rows}, nil)
	if err != nil {
		return nil, messages.Reply{}, err
	}
	command.DryRun, command.IdempotencyKey, command.Fingerprint, command.MembersAsOf = true, "", "", in.membersAsOf
	reply, err := s.organizations.Do(ctx, command)
	if refusal, refused := errors.AsType[*captable.Error](err); refused && refusal.Code == organization.CodeRowsRefused {
		return faultsByLine(refusal.Fields), messages.Reply{}, nil
	}
	return nil, reply, doing(ctx, "try "+c.operation.id, err)
}

// faultsByLine sorts the faults of rows, whose pointers are /rows, the line and the column.
func faultsByLine(fields []captable.FieldError) map[int][]importedRowFault {
	found := map[int][]importedRowFault{}
	for _, field := range fields {
		digits, column, _ := strings.Cut(strings.TrimPrefix(field.Pointer, "/rows/"), "/")
		line, _ := strconv.Atoi(digits) // it was written by us
		found[line] = append(found[line], importedRowFault{column, field.Code, field.Message})
	}
	return found
}

// statuses tells of each row what became of it, or would.
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

// particularsOf gives the particulars of the rows that are left.
func (in intake) particularsOf() []messages.Particular {
	var all []messages.Particular
	for _, row := range in.rows {
		all = append(all, in.particulars[row.Line]...)
	}
	return all
}

// name tells the ids of the records: every row that was taken in made or changed one, in
// their order. What lapsed to make room for a grant did neither.
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

// count tells how many events there are of each type.
func (r *importReport) count(reply messages.Reply) {
	r.Events = len(reply.Events)
	for _, event := range reply.Events {
		r.Counts[event.EventType()]++
	}
}

// intakeOf makes of each row what it asks for.
func (s *Server) intakeOf(ctx context.Context, c *Call, kind string, rows []filledRow) (intake, error) {
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

// rowAs reads a row as what it asks for. Cells that are no such values refuse it; the others
// are looked at without them.
func rowAs[R organization.Command](row filledRow) organization.IntakeRow {
	fields := map[string]any{}
	for column, cell := range row.cells {
		fields[column] = cell
	}
	command, refusal := patchedRow[R](fields)
	if refusal != nil {
		for _, fault := range refusal.Fields {
			delete(fields, strings.TrimPrefix(fault.Pointer, "/"))
		}
		command, _ = patchedRow[R](fields)
	}
	return organization.IntakeRow{Line: row.line, Command: command, Refusal: refusal}
}

// getImportTemplate gives the file that people fill in: the heading, as spreadsheet programs like it.
func (s *Server) getImportTemplate(ctx context.Context, c *Call) (Answer, error) {
	kind := c.Query("kind")
	if c.Query("file") == "last" {
		return s.getLastImport(ctx, c, kind)
	}
	body := "\ufeff" + strings.Join(columnsOf(kind), ",") + "\r\n"
	return s.download(c, contentCSV, kind+".csv", func() ([]byte, error) { return []byte(body), nil })
}
