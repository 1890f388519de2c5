package membership

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/organization"
	"equity/sheet"
)

// Row is a row of a file with its values by column, without empty ones.
type Row struct {
	// Line is the number of the row, or the line of a text file on which it starts.
	Line int
	// Sheet is the sheet of a workbook.
	Sheet string
	// Place identifies the row in pointers: its line, with the sheet if the rows are in several sheets. In a table whose columns are classes,
	// it is a cell.
	Place string
	Cells map[string]string
	// Faults are the cells that could not be read, by column, and Unread their texts.
	Faults fault.Fields
	Unread map[string]string

	columns map[string]int // the columns of the table by name
}

// Cell returns the address of the cell of a column; empty if the table has no such column.
func (r *Row) Cell(column string) string {
	at, found := r.columns[column]
	if !found {
		return ""
	}
	return sheet.Address(r.Sheet, r.Line, at)
}

// Pointer returns the pointer to the row in findings.
func (r *Row) Pointer() string {
	return "/rows/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(r.Place)
}

// QuestionOf returns what is read from a file of rows of a kind into the organization.
func QuestionOf(kind string, state *organization.State, today captable.Date) sheet.Question {
	q := sheet.Question{Kind: kind, Today: today}
	if state == nil {
		return q
	}
	q.Currency = state.Profile().Currency
	for security := range state.Table().Securities() {
		q.Classes = append(q.Classes, security.Name)
		q.Fractional = q.Fractional || security.FractionalShares
	}
	return q
}

// RowsOf returns the rows of the kind in the tables of a file, and the findings about it. The issue date is that of rows without one; it may be empty.
// A finding that is an error prevents the import.
func RowsOf(kind string, found sheet.Recognition, issueDate string) ([]Row, []sheet.Finding) {
	findings := found.Remarks(append(Columns(kind), "firstName", "lastName"))
	sheets := map[string]bool{}
	count := 0
	for _, table := range found.Tables {
		sheets[table.Sheet] = true
		count += len(table.Records)
	}
	rows := make([]Row, 0, count)
	for i := range found.Tables {
		table := &found.Tables[i]
		findings = append(findings, missingColumns(table, kind, issueDate)...)
		rows = appendRows(rows, table, kind, issueDate, len(sheets) > 1)
	}
	if len(rows) == 0 {
		findings = append(
			findings,
			sheet.Finding{Severity: sheet.SeverityError, Code: "empty", Message: "The file needs at least one row below the heading."},
		)
	}
	return rows, findings
}

// appendRows appends the rows of a table.
func appendRows(rows []Row, table *sheet.Table, kind, issueDate string, several bool) []Row {
	known, columns := Columns(kind), map[string]int{}
	for _, column := range table.Columns {
		if column.Field != "" {
			columns[column.Field] = column.Column
		}
	}
	fields := make([]string, len(table.Fields))
	for i, field := range table.Fields {
		if slices.Contains(known, field) {
			fields[i] = field
		}
	}
	for i := range table.Records {
		record := &table.Records[i]
		if record.Kind != "" {
			continue // named in a finding
		}
		row := Row{
			Line: record.Row, Sheet: table.Sheet, Place: strconv.Itoa(record.Row), Cells: make(map[string]string, len(fields)),
			columns: columns,
		}
		if record.Cell != "" {
			row.Place = record.Cell
		}
		if several {
			row.Place = table.Sheet + "!" + row.Place
		}
		for at, value := range record.Values {
			if value != "" && fields[at] != "" {
				row.Cells[fields[at]] = value
			}
		}
		for _, problem := range record.Faults {
			if slices.Contains(known, problem.Field) {
				row.refuse(problem)
			}
		}
		row.complete(kind, issueDate, table.Value(record, "institution"))
		rows = append(rows, row)
	}
	return rows
}

// refuse notes a cell that could not be read.
func (r *Row) refuse(problem sheet.RecordFault) {
	r.Faults.Add("/"+problem.Field, problem.Code, problem.Message)
	if r.Unread == nil {
		r.Unread = map[string]string{}
	}
	r.Unread[problem.Field] = problem.Text
}

// Texts returns the values, and the texts of the cells that could not be read.
func (r *Row) Texts() map[string]string {
	if len(r.Unread) == 0 {
		return r.Cells
	}
	texts := maps.Clone(r.Cells)
	maps.Copy(texts, r.Unread)
	return texts
}

// complete adds the issue date of all rows, and the kind of a member who is named as an institution. Known words are written as in the contract.
func (r *Row) complete(kind, issueDate, institution string) {
	if _, faulty := r.fault("issueDate"); kind != Members && r.Cells["issueDate"] == "" && !faulty && issueDate != "" {
		r.Cells["issueDate"] = issueDate
	}
	if kind == Members && institution != "" && r.Cells["fullName"] == institution && r.Cells["kind"] == "" {
		r.Cells["kind"] = "institution"
	}
	for column, words := range knownWords() {
		if value, given := r.Cells[column]; given {
			for _, word := range words {
				if plain(word) == plain(value) {
					r.Cells[column] = word
				}
			}
		}
	}
}

// fault returns the fault of a column.
func (r *Row) fault(column string) (fault.Field, bool) {
	for _, problem := range r.Faults {
		if problem.Pointer == "/"+column {
			return problem, true
		}
	}
	return fault.Field{}, false
}

// knownWords returns words of the contract by column.
func knownWords() map[string][]string {
	return map[string][]string{
		"kind":         {"individual", "institution"},
		"relationship": {"founder", "employee", "executive", "boardMember", "advisor", "consultant", "investor", "exEmployee"},
	}
}

// plain returns a word without regard to case, spaces and hyphens.
func plain(word string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(word))
}

// missingColumns returns an error for each column without which no row can be recorded.
func missingColumns(table *sheet.Table, kind, issueDate string) []sheet.Finding {
	var missing []sheet.Finding
	for _, column := range requiredColumns(kind) {
		if slices.Contains(table.Fields, column) || column == "issueDate" && issueDate != "" {
			continue
		}
		message := "The column " + column + " is required."
		if column == "issueDate" {
			message = "The column issueDate is required. Add it, or state issueDate for all rows."
		}
		missing = append(missing, sheet.Finding{
			Severity: sheet.SeverityError, Code: "required", Message: message, Cell: sheet.Rows(table.Sheet, table.Heading, table.Heading),
		})
	}
	return missing
}
