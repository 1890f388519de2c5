package sheet

import (
	"slices"
	"strings"
	"unicode"
)

// Tables finds the tables of the sheets, and reads their records. Each sheet without a table is named in a finding.
func (r *Registry) Tables(book Book, q Question) Recognition {
	found := Recognition{Tables: []Table{}, Findings: []Finding{}}
	if q.Sheet != "" && !slices.ContainsFunc(book.Sheets, func(s Sheet) bool { return s.Name == q.Sheet }) {
		found.add(SeverityError, "unknownSheet", q.Sheet, "There is no sheet with this name.")
	}
	var drafts []*draft
	for _, sheet := range r.survey(book, q) {
		switch {
		case sheet.unread != "":
			found.add(sheet.severity, sheet.unread, sheet.Name, sheet.message)
		default:
			drafts = append(drafts, r.drafts(sheet, q)...)
		}
		for _, other := range sheet.others {
			found.add(SeverityWarning, "tableNotRead", Address(sheet.Name, sheet.Rows[other.index].Number, 0),
				"The table contains "+other.kind.Name+", and was not read.")
		}
	}
	agree(drafts, book.DateSystem, q)
	for _, d := range drafts {
		d.finish(&found)
	}
	found.concerning(book.Findings, drafts)
	for _, d := range drafts {
		found.Tables = append(found.Tables, d.Table)
	}
	return found
}

// surveyed is a sheet with its headings.
type surveyed struct {
	*Sheet

	headings []*heading
	// others are the headings of tables of other kinds.
	others []*heading
	// unread is the code of the reason why the sheet is not read, with its severity and a message.
	unread, severity, message string
}

// survey finds the headings of all sheets. If a table is recognized as one of the wanted kind, those that are recognized as another kind are not
// read. Otherwise each heading with the required fields is taken.
func (r *Registry) survey(book Book, q Question) []surveyed {
	sheets := make([]surveyed, len(book.Sheets))
	free := map[*heading]*heading{} // the headings without the wanted kind
	recognized := false
	for i := range book.Sheets {
		s := &sheets[i]
		*s = surveyed{Sheet: &book.Sheets[i], severity: SeverityWarning}
		switch {
		case q.Sheet != "" && s.Name != q.Sheet:
			s.unread, s.message = "sheetNotRead", "Another sheet was chosen."
			continue
		case s.State != Visible && s.Name != q.Sheet:
			s.unread, s.message = "sheetHidden", "The sheet is hidden and was not read."
			continue
		case s.Refusal != nil:
			s.unread, s.severity, s.message = s.Refusal.Code, SeverityError, s.Refusal.Error()
			continue
		}
		for at := range s.Rows {
			names := headingTexts(s.Sheet, at)
			found := r.headingOf(s.Sheet, names, q)
			if found == nil || len(s.headings) > 0 && !found.follows(s.headings[0], names) {
				continue
			}
			found.index = at
			s.headings = append(s.headings, found)
			if q.Kind != "" {
				all := q
				all.Kind = ""
				free[found] = r.headingOf(s.Sheet, names, all)
				recognized = recognized || free[found] != nil && free[found].kind == found.kind
			}
		}
	}
	for i := range sheets {
		s := &sheets[i]
		s.headings = slices.DeleteFunc(s.headings, func(h *heading) bool {
			other := free[h]
			if !recognized || other == nil || other.kind == h.kind {
				return false
			}
			other.index = h.index
			s.others = append(s.others, other)
			return true
		})
		if s.unread == "" && len(s.headings) == 0 {
			s.unread, s.message, s.others = "sheetNotRead", notRead(q.Kind, s.others), nil
		}
	}
	return sheets
}

// notRead returns the reason why a sheet was not read.
func notRead(kind string, others []*heading) string {
	switch {
	case len(others) > 0:
		return "The sheet contains " + others[0].kind.Name + ", and was not read."
	case kind != "":
		return "The sheet has no table of " + kind + ", and was not read."
	}
	return "The sheet has no table that is known."
}

// draft is a table whose cells are not read yet.
type draft struct {
	Table

	kind *RecordKind
	rows []Row // below the heading, without examples and instructions
	// last is the number of the row before the next table, or 0.
	last     int
	question Question
}

// drafts returns the tables of a sheet. Each ends where the next one begins.
func (r *Registry) drafts(sheet surveyed, q Question) []*draft {
	ends := make([]int, 0, len(sheet.headings)+len(sheet.others))
	for _, h := range slices.Concat(sheet.headings, sheet.others) {
		ends = append(ends, h.index)
	}
	slices.Sort(ends)
	var all []*draft
	for _, h := range sheet.headings {
		at, _ := slices.BinarySearch(ends, h.index)
		end := len(sheet.Rows)
		if at+1 < len(ends) {
			end = ends[at+1]
		}
		d := &draft{kind: h.kind, question: q, Table: Table{
			Sheet: sheet.Name, Heading: sheet.Rows[h.index].Number, Kind: h.kind.Name, Matrix: h.matrix, Assumed: h.assumed,
		}}
		for _, cell := range sheet.Rows[h.index].Cells {
			at := int(cell.Column)
			column := TableColumn{Column: at, Heading: cell.Value, Field: h.fields[at], second: h.second[at], class: h.classes[at]}
			column.normal, column.Currency = NormalHeading(cell.Value)
			d.Columns = append(d.Columns, column)
		}
		if at == 0 {
			for _, row := range sheet.Rows[:h.index] {
				d.Above = append(d.Above, row.Number)
			}
		}
		rows := sheet.Rows[h.index+1 : end]
		if end < len(sheet.Rows) {
			d.last = sheet.Rows[end].Number - 1
		}
		for end < len(sheet.Rows) && len(rows) > 0 && isTitle(rows[len(rows)-1]) {
			d.skip(rows[len(rows)-1].Number, TitleRow)
			rows = rows[:len(rows)-1]
		}
		d.choose(rows, q)
		d.fill(rows)
		d.resolveType()
		all = append(all, d)
	}
	return all
}

// fill counts the filled cells of the columns. Those without a heading are added.
func (d *draft) fill(rows []Row) {
	var filled [MaxColumns]int
	for _, row := range rows {
		for _, cell := range row.Cells {
			filled[cell.Column]++
		}
	}
	for i := range d.Columns {
		d.Columns[i].Filled = filled[d.Columns[i].Column]
		filled[d.Columns[i].Column] = 0
	}
	for column, count := range filled {
		if count > 0 {
			d.Columns = append(d.Columns, TableColumn{Column: column, Filled: count})
		}
	}
}

// isTitle reports whether a row above a heading is its title.
func isTitle(row Row) bool { return len(row.Cells) == 1 && row.Cells[0].Kind == Text }

func (d *draft) skip(row int, reason string) { d.Skipped = append(d.Skipped, Skipped{row, reason}) }

// choose takes the rows that are neither examples nor instructions.
func (d *draft) choose(rows []Row, q Question) {
	above := true
	d.rows = make([]Row, 0, len(rows))
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
		c := Context{
			Type: d.typeOf(column), Fractional: q.Fractional, Hints: q.Hints, Others: others, Today: q.Today, DateSystem: dateSystem,
			Stated: q.Numbers,
		}
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
			if column.Field == "" && !d.Matrix {
				continue
			}
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
