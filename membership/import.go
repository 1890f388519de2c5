package membership

import (
	"context"
	"errors"
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// The kinds of importable rows.
const (
	Shareholdings = "shareholdings"
	Members       = "members"
	Options       = "options"
)

// MayImport reports whether the permissions allow to import rows of the kind, or a package if the kind is empty.
func MayImport(permissions organization.Permissions, kind string) bool {
	switch kind {
	case Members:
		return permissions.Has(organization.EditMembers)
	case Options:
		return permissions.Has(organization.EditCapTable) || permissions.Has(organization.EditIncentivePlan)
	default:
		return permissions.Has(organization.EditCapTable)
	}
}

// statusRefused is the status of a row that was not imported.
const statusRefused = "refused"

// ImportedRow is the result of importing a row.
type ImportedRow struct {
	// Line is the number of the row, or the first line of it in a text file, and Sheet the sheet of a workbook.
	Line  int    `json:"line"`
	Sheet string `json:"sheet,omitempty"`
	// Status is created, updated or refused.
	Status string            `json:"status"`
	ID     *captable.ID[any] `json:"id,omitempty"`
	Errors []RowFault        `json:"errors,omitempty"`
	// Fields are the values of the row by column as they were read, in a dry run.
	Fields map[string]string `json:"fields,omitempty"`
	// Member is the present member whom the row changes; zero for a new record.
	Member captable.MemberID `json:"-"`
	// Readdresses reports that the row changes the e-mail address of a present or removed member.
	Readdresses bool `json:"-"`
}

// RowFault is a fault of a cell, or of the row if Column is empty.
type RowFault struct {
	Column string `json:"column,omitempty"`
	// Cell is its address in the file; empty if the file has no such cell.
	Cell    string `json:"cell,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// intake is the commands of a file of rows.
type intake struct {
	rows        []organization.IntakeRow
	particulars map[string][]messages.Particular // by place
	// membersAsOf is the sequence of the members that the commands of these rows depend on.
	membersAsOf uint64
}

// File is a file of rows.
type File struct {
	// Kind is one of the kinds of importable rows.
	Kind    string
	Content []byte
	Rows    []Row
	// Partial imports the valid rows of a file with faults.
	Partial bool
}

// Imported is the result of an import of rows.
type Imported struct {
	// Accepted reports that the rows were imported, or would be imported without the dry run.
	Accepted bool
	// Stored reports that events were stored.
	Stored bool
	Rows   []ImportedRow
	Reply  messages.Reply
}

// Import imports all rows of the file or none; with Partial, all valid rows. Faults are the result
// of a dry run, and otherwise an error.
func (s *Service) Import(ctx context.Context, r Request, file File) (Imported, error) {
	if file.Kind == Members {
		r.notices = map[string]bool{}
		return withMembers(ctx, s, r.Command.Organization, func(view *messages.View) (Imported, error) {
			attempt := r
			in, err := s.memberIntake(ctx, &attempt, view, file.Rows)
			if err != nil {
				return Imported{}, err
			}
			return s.importIntake(ctx, attempt, file, in)
		})
	}
	read := rowAs[organization.IssueRow]
	if file.Kind == Options {
		read = rowAs[organization.GrantRow]
	}
	in := intake{}
	for _, row := range file.Rows {
		in.rows = append(in.rows, read(row))
	}
	return s.importIntake(ctx, r, file, in)
}

// importIntake imports the commands of the rows.
func (s *Service) importIntake(ctx context.Context, r Request, file File, in intake) (Imported, error) {
	var faults map[string][]RowFault
	var reply messages.Reply
	var err error
	if file.Partial || r.Command.DryRun {
		if faults, reply, err = s.try(ctx, r, in); err != nil {
			return Imported{}, err
		}
	}
	result := Imported{Accepted: file.Partial || len(faults) == 0, Rows: in.statuses(file.Rows, faults, r.Command.DryRun), Reply: reply}
	if r.Command.DryRun || file.Partial && len(faults) == len(in.rows) {
		return result, nil
	}
	in.rows = slices.DeleteFunc(in.rows, func(row organization.IntakeRow) bool { return faults[row.Place] != nil })
	kept, err := keptFile(r.Command.Organization, file)
	if err != nil {
		return Imported{}, err
	}
	command := r.Command
	command.Body, command.MembersAsOf = organization.Intake{Rows: in.rows}, in.membersAsOf
	command.Particulars = append(in.particularsOf(), kept)
	if result.Reply, err = s.Organizations.Do(ctx, command); err != nil {
		return Imported{}, messages.Wrap(ctx, "import into "+command.Organization.String(), err)
	}
	result.Stored = true
	nameRecords(result.Rows, result.Reply)
	return result, nil
}

// try returns the faults of a dry run by place, and its reply.
func (s *Service) try(ctx context.Context, r Request, in intake) (map[string][]RowFault, messages.Reply, error) {
	command := r.Command
	command.Body, command.MembersAsOf = organization.Intake{Rows: in.rows}, in.membersAsOf
	command.DryRun, command.IdempotencyKey, command.Fingerprint = true, "", ""
	reply, err := s.Organizations.Do(ctx, command)
	if refusal, refused := errors.AsType[*fault.Error](err); refused && refusal.Code == fault.RowsRefused {
		return faultsByPlace(refusal.Fields), messages.Reply{}, nil
	}
	return nil, reply, messages.Wrap(ctx, "try import into "+command.Organization.String(), err)
}

// faultsByPlace groups faults by the place of their row. Their pointers have the form /rows/PLACE/COLUMN.
func faultsByPlace(fields []fault.Field) map[string][]RowFault {
	found := map[string][]RowFault{}
	for _, field := range fields {
		place, column, _ := strings.Cut(strings.TrimPrefix(field.Pointer, "/rows/"), "/")
		place = strings.NewReplacer("~1", "/", "~0", "~").Replace(place)
		found[place] = append(found[place], RowFault{Column: column, Code: field.Code, Message: field.Message})
	}
	return found
}

// statuses returns the result of each row, in a preview with its values.
func (in intake) statuses(rows []Row, faults map[string][]RowFault, preview bool) []ImportedRow {
	all := make([]ImportedRow, 0, len(in.rows))
	for i, row := range in.rows {
		result := ImportedRow{Line: rows[i].Line, Sheet: rows[i].Sheet, Status: "created"}
		if preview {
			result.Fields = rows[i].Texts()
		}
		switch command := row.Command.(type) {
		case organization.AmendMember:
			result.Status, result.Member, result.Readdresses = "updated", command.ID, command.Address.Changes
		case organization.AddMember:
			result.Readdresses = command.Address.Changes
		}
		if wrong := faults[row.Place]; wrong != nil {
			for at := range wrong {
				wrong[at].Cell = rows[i].Cell(wrong[at].Column)
			}
			result.Status, result.Errors = statusRefused, wrong
		}
		all = append(all, result)
	}
	return all
}

// particularsOf returns the particulars of the remaining rows.
func (in intake) particularsOf() []messages.Particular {
	var all []messages.Particular
	for _, row := range in.rows {
		all = append(all, in.particulars[row.Place]...)
	}
	return all
}

// nameRecords sets the ids of the affected records. Every imported row created or changed one record, in the
// order of the rows. Grants that expired to make room are not among them.
func nameRecords(rows []ImportedRow, reply messages.Reply) {
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
	for i := range rows {
		if rows[i].Status != statusRefused && len(ids) > 0 {
			rows[i].ID, ids = &ids[0], ids[1:]
		}
	}
}
