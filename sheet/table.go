package sheet

import (
	"slices"
	"strings"
	"unicode"

	"equity/captable/exact"
)

// Question selects what is read from a file, and with which knowledge.
type Question struct {
	// Kind is the kind of the records; empty for all.
	Kind string
	// Classes are the names of the classes of the organization.
	Classes []string
	Hints   Hints
	Today   exact.Date
	// Numbers and Dates are the formats that a person has chosen.
	Numbers, Dates Format
	// Fractional permits quantities that are not whole.
	Fractional bool
	// Chosen are the names of hidden sheets to be read too.
	Chosen []string
}

// Recognition is the tables of a file, in its order, and the findings about them.
type Recognition struct {
	Tables   []Table
	Findings []Finding
}

// Table is a table of records of one kind.
type Table struct {
	Sheet string
	// Heading is the number of its row.
	Heading int
	Kind    string
	// Matrix reports that the columns are classes: each filled cell is a record.
	Matrix  bool
	Columns []TableColumn
	Records []Record
	Skipped []Skipped
}

// TableColumn is a column of a table.
type TableColumn struct {
	Column int
	// Heading is the text of the heading.
	Heading string
	// Field is empty if the column has no known meaning.
	Field string
	// Currency is the code in the heading.
	Currency string
	// Read is the format of the cells, and their values by index.
	Read Column
}

// Record is a record of a table.
type Record struct {
	// Kind differs from that of the table for some columns of a matrix.
	Kind string
	Row  int
	// Values are the canonical texts by field.
	Values map[string]string
	// Faults are the fields whose cell could not be read.
	Faults []RecordFault
}

// RecordFault is the reason why a cell was not read.
type RecordFault struct {
	Field, Code string
	// Cell is the address, and Text the text of the cell.
	Cell, Text string
}

// Skipped is a row that is no record.
type Skipped struct {
	Row    int
	Reason string
}

// The reasons for skipping a row.
const (
	TitleRow       = "titleRow"
	InstructionRow = "instructionRow"
	ExampleRow     = "exampleRow"
	TotalRow       = "totalRow"
	PoolRow        = "poolRow"
)

// Tables finds the tables of the visible and the chosen sheets, and reads their records.
func (r *Registry) Tables(book Book, q Question) Recognition {
	var found Recognition
	var drafts []*draft
	for i := range book.Sheets {
		sheet := &book.Sheets[i]
		switch {
		case sheet.State != Visible && !slices.Contains(q.Chosen, sheet.Name):
			found.add(SeverityWarning, "sheetHidden", sheet.Name, "The sheet is hidden and was not read.")
		case sheet.Refusal != nil:
			found.add(SeverityError, sheet.Refusal.Code, sheet.Name, sheet.Refusal.Message)
		default:
			tables := r.drafts(sheet, q)
			if len(tables) == 0 {
				found.add(SeverityWarning, "sheetNotRead", sheet.Name, "The sheet has no table that is known.")
			}
			drafts = append(drafts, tables...)
		}
	}
	agree(drafts, book.DateSystem, q)
	for _, d := range drafts {
		d.finish(&found)
		found.Tables = append(found.Tables, d.Table)
	}
	return found
}

func (f *Recognition) add(severity, code, cell, message string) {
	f.Findings = append(f.Findings, Finding{Severity: severity, Code: code, Cell: cell, Message: message})
}

// draft is a table whose cells are not read yet.
type draft struct {
	Table

	kind *RecordKind
	rows []Row // below the heading, without examples and instructions
}

// drafts returns the tables of a sheet. Each ends where the next one begins.
func (r *Registry) drafts(sheet *Sheet, q Question) []*draft {
	var headings []*heading
	for i := range sheet.Rows {
		if found := r.headingIn(sheet, i, q); found != nil {
			headings = append(headings, found)
		}
	}
	var all []*draft
	for i, h := range headings {
		end := len(sheet.Rows)
		if i+1 < len(headings) {
			end = headings[i+1].index
		}
		d := &draft{kind: h.kind, Table: Table{Sheet: sheet.Name, Heading: sheet.Rows[h.index].Number, Kind: h.kind.Name, Matrix: h.matrix}}
		for _, cell := range sheet.Rows[h.index].Cells {
			column := TableColumn{Column: int(cell.Column), Heading: cell.Value, Field: h.fields[int(cell.Column)]}
			_, column.Currency = NormalHeading(cell.Value)
			d.Columns = append(d.Columns, column)
		}
		rows := sheet.Rows[h.index+1 : end]
		for end < len(sheet.Rows) && len(rows) > 0 && isTitle(rows[len(rows)-1]) {
			d.skip(rows[len(rows)-1].Number, TitleRow)
			rows = rows[:len(rows)-1]
		}
		d.choose(rows, q)
		all = append(all, d)
	}
	return all
}

// isTitle reports whether a row above a heading is its title.
func isTitle(row Row) bool { return len(row.Cells) == 1 && row.Cells[0].Kind == Text }

func (d *draft) skip(row int, reason string) { d.Skipped = append(d.Skipped, Skipped{row, reason}) }

// choose takes the rows that are neither examples nor instructions.
func (d *draft) choose(rows []Row, q Question) {
	above := true
	for _, row := range rows {
		switch {
		case isExample(row):
			d.skip(row.Number, ExampleRow)
		case above && d.instructs(row, q):
			d.skip(row.Number, InstructionRow)
		default:
			above = false
			d.rows = append(d.rows, row)
		}
	}
}

func isExample(row Row) bool {
	const mark = "example:"
	text := row.Cells[0].Value
	return len(text) >= len(mark) && strings.EqualFold(text[:len(mark)], mark)
}

// instructs reports whether a row describes the columns: at least half of its filled cells of numbers and dates are words.
func (d *draft) instructs(row Row, q Question) bool {
	filled, words := 0, 0
	for _, column := range d.Columns {
		as := d.typeOf(column)
		cell := row.at(column.Column)
		if cell == nil || as != Quantity && as != Price && as != Fraction && as != Day {
			continue
		}
		if cell.Kind != Text {
			return false
		}
		filled++
		if read := ReadColumn([]Cell{*cell}, Context{Type: as, Today: q.Today}); len(read.Errors) > 0 && hasWord(cell.Value) {
			words++
		}
	}
	return filled > 0 && 2*words >= filled
}

// hasWord reports whether a text contains several words or a long one, unlike a mistyped number or date.
func hasWord(text string) bool {
	const long = 5
	letters, words := 0, 0
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, unicode.IsLetter) {
			words++
			letters = max(letters, len(word))
		}
	}
	return words > 1 || letters >= long
}

// typeOf returns the type of the values of a column.
func (d *draft) typeOf(column TableColumn) Type {
	if field := d.kind.field(column.Field); field != nil {
		return field.Type
	}
	if d.Matrix {
		return Quantity
	}
	return Name
}

// agree reads all columns. Those without evidence take the format of the other columns of their table, and else of the file.
func agree(drafts []*draft, dateSystem string, q Question) {
	context := func(d *draft, column TableColumn, others []Format) Context {
		c := Context{Type: d.typeOf(column), Fractional: q.Fractional, Hints: q.Hints, Others: others, Today: q.Today, DateSystem: dateSystem, Stated: q.Numbers}
		if c.Type == Day {
			c.Stated = q.Dates
		}
		return c
	}
	decided := map[*draft][]Format{}
	var all []Format
	for _, d := range drafts {
		for i := range d.Columns {
			column := &d.Columns[i]
			column.Read = ReadColumn(d.cells(*column), context(d, *column, nil))
			if column.Read.By == byColumn && column.Read.Format != "" {
				decided[d] = append(decided[d], column.Read.Format)
				all = append(all, column.Read.Format)
			}
		}
	}
	for _, d := range drafts {
		for i := range d.Columns {
			for _, others := range [][]Format{decided[d], all} {
				if column := &d.Columns[i]; column.Read.Status == Assumed || column.Read.Status == Ask {
					column.Read = ReadColumn(d.cells(*column), context(d, *column, others))
				}
			}
		}
	}
}

// cells returns the cells of a column by row. An empty cell is a text without characters.
func (d *draft) cells(column TableColumn) []Cell {
	cells := make([]Cell, len(d.rows))
	for i := range d.rows {
		if cell := d.rows[i].at(column.Column); cell != nil {
			cells[i] = *cell
		}
	}
	return cells
}

// finish divides the rows into records, totals and pools.
func (d *draft) finish(found *Recognition) {
	sums := newSums(d)
	for i := range d.rows {
		switch reason := sums.reason(i, found); {
		case reason != "":
			d.skip(d.rows[i].Number, reason)
		case d.Matrix:
			d.cross(i, found)
		default:
			d.Records = append(d.Records, d.record(i))
		}
	}
	slices.SortStableFunc(d.Skipped, func(a, b Skipped) int { return a.Row - b.Row })
}

// record returns the record of a row.
func (d *draft) record(index int) Record {
	row := d.rows[index]
	record := Record{Kind: d.Kind, Row: row.Number, Values: map[string]string{}}
	for _, column := range d.Columns {
		if column.Field == "" {
			continue
		}
		if value := column.Read.Values[index]; value != nil {
			record.Values[column.Field] = *value
			continue
		}
		code := column.Read.code(index, d.typeOf(column))
		if cell := row.at(column.Column); cell != nil && code != "" {
			record.Faults = append(record.Faults, RecordFault{column.Field, code, Address(d.Sheet, row.Number, column.Column), cell.Value})
		}
	}
	record.join()
	return record
}

// code returns the reason why a cell has no value; empty if it is empty.
func (c *Column) code(index int, as Type) string {
	if at := slices.IndexFunc(c.Errors, func(e Issue) bool { return e.Index == index }); at >= 0 {
		return c.Errors[at].Code
	}
	switch {
	case !slices.Contains(c.Ambiguous, index):
		return ""
	case as == Day:
		return "ambiguousDate"
	}
	return "ambiguousNumber"
}

// join makes the full name of first and last name, or of the institution. Names are never split.
func (r *Record) join() {
	if r.Kind != "members" || r.Values["fullName"] != "" {
		return
	}
	name := strings.TrimSpace(r.Values["firstName"] + " " + r.Values["lastName"])
	if name = first(name, r.Values["institution"]); name != "" {
		r.Values["fullName"] = name
	}
}
