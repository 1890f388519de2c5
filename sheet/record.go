package sheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
)

// finish divides the rows into records, totals and pools, and names what is not read.
func (d *draft) finish(found *Recognition) {
	d.propose()
	for _, column := range d.Columns {
		if column.Field != "" {
			d.Fields = append(d.Fields, column.Field)
		}
	}
	d.Fields = append(d.Fields, d.additional()...)
	d.ignore(found)
	sums := newSums(d)
	d.Records = make([]Record, 0, len(d.rows))
	for i := range d.rows {
		switch reason := sums.reason(i, found); {
		case reason != "":
			d.skip(d.rows[i].Number, reason)
		case d.Matrix:
			d.cross(i, found)
		default:
			d.Records = append(d.Records, d.record(i, found))
		}
	}
	for i := range d.Columns {
		d.Columns[i].Read.Values, d.Columns[i].Read.Codes = nil, nil // they are in the records
	}
	slices.SortStableFunc(d.Skipped, func(a, b Skipped) int { return a.Row - b.Row })
}

// additional returns the fields that no column has, but records do: the class and the quantity of a matrix, a class for all records, and a name
// of several parts.
func (d *draft) additional() []string {
	switch {
	case d.Matrix:
		return []string{"security", "shares"}
	case slices.Contains(d.Assumed, "security"):
		return []string{"security"}
	case d.Kind == "members" && !slices.Contains(d.Fields, "fullName"):
		return []string{"fullName"}
	}
	return nil
}

// propose notes the fields that a person must confirm: a missing class, for which the class named as the sheet or the only class is proposed, a
// missing date of issue, and pools.
func (d *draft) propose() {
	if d.Matrix || d.kind.field("security") == nil || d.column("security") != nil || d.class() == "" {
		return
	}
	if slices.Contains(d.kind.Required, "security") || d.Kind == "shareholdings" {
		d.Assumed = append(d.Assumed, "security")
	}
}

// class returns the class that is proposed for a table without a column of classes; empty if there is none.
func (d *draft) class() string {
	name, _ := NormalHeading(d.Sheet)
	for _, class := range d.question.Classes {
		if normal, _ := NormalHeading(class); normal == name {
			return class
		}
	}
	if len(d.question.Classes) == 1 {
		return d.question.Classes[0]
	}
	return ""
}

// column returns the column of a field, or nil.
func (d *draft) column(field string) *TableColumn {
	if at := slices.IndexFunc(d.Columns, func(c TableColumn) bool { return c.Field == field }); at >= 0 {
		return &d.Columns[at]
	}
	return nil
}

// ignore names the filled columns that are not read.
func (d *draft) ignore(found *Recognition) {
	for _, column := range d.Columns {
		if column.Field != "" || column.class || d.Matrix && isTotal(column.normal, nil) || column.Filled == 0 && column.second == "" {
			continue
		}
		at := Address(d.Sheet, d.Heading, column.Column)
		name := "The column " + strconv.Quote(column.Heading)
		if column.Heading == "" {
			name = "A column without a heading"
		}
		first := d.column(column.second)
		switch {
		case column.unclear:
			found.add(SeverityError, "columnByValues", at,
				name+" contains neither classes of the company nor kinds of persons. Rename it to Security or remove it.")
		case column.second == "" || first == nil:
			found.add(SeverityWarning, "columnIgnored", at, name+" has no known meaning. "+counted(column.Filled)+" not read.")
		case first.normal == column.normal:
			found.add(SeverityError, "duplicateColumn", at, name+" must not be repeated.")
		default:
			found.add(SeverityWarning, "columnIgnored", at,
				name+" has the same meaning as "+strconv.Quote(first.Heading)+". "+counted(column.Filled)+" not read.")
		}
	}
}

func counted(cells int) string {
	if cells == 1 {
		return "1 cell was"
	}
	return strconv.Itoa(cells) + " cells were"
}

// record returns the record of a row.
func (d *draft) record(index int, found *Recognition) Record {
	row := &d.rows[index]
	record := Record{Row: row.Number, Values: make([]string, len(d.Fields))}
	at := -1
	for i := range d.Columns {
		column := &d.Columns[i]
		if column.Field == "" {
			continue
		}
		at++
		var code string
		if value := column.Read.Values[index]; value == nil {
			code = column.Read.code(index, d.typeOf(*column))
		} else {
			record.Values[at], code = d.valued(*column, index, *value)
		}
		switch {
		case code == "":
		case code == "cellError" && !slices.Contains(d.kind.Required, column.Field):
			fault := d.fault(column.Field, code, index, *column)
			found.add(SeverityWarning, code, fault.Cell, fault.Message+" The cell counts as empty.")
		default:
			record.Faults = append(record.Faults, d.fault(column.Field, code, index, *column))
		}
		if warning := column.Read.warning(index); warning != "" {
			found.add(SeverityWarning, warning, Address(d.Sheet, row.Number, column.Column), d.message(warning, index, *column))
		}
	}
	d.complete(&record)
	return record
}

// valued returns the value of a cell with its currency, or the code of a fault.
func (d *draft) valued(column TableColumn, index int, value string) (text, code string) {
	as := d.typeOf(column)
	switch as {
	case Price:
		return d.priced(column, index, value)
	case Quantity, Fraction:
		if column.Read.Codes[index] != "" {
			return "", "amountOfMoney"
		}
	case Day:
		if date, err := exact.ParseDate(value); err == nil && date > d.question.Today && !d.question.Today.IsZero() && !mayLieAhead(column.Field) {
			return "", "dateInFuture"
		}
	case Truth, Identifier, Name:
	}
	return value, ""
}

// mayLieAhead reports whether a date may be in the future.
func mayLieAhead(field string) bool {
	return field == "expirationDate" || field == "maturityDate" || field == "expiresOn"
}

// fault returns the fault of a cell.
func (d *draft) fault(field, code string, index int, column TableColumn) RecordFault {
	text := ""
	if cell := d.rows[index].at(column.Column); cell != nil {
		text = shortened(cell.Value)
	}
	return RecordFault{field, code, Address(d.Sheet, d.rows[index].Number, column.Column), text, d.message(code, index, column)}
}

// code returns the reason why a cell has no value; empty if it is empty.
func (c *Column) code(index int, as Type) string {
	if code := issueAt(c.Errors, index); code != "" {
		return code
	}
	if _, ambiguous := slices.BinarySearch(c.Ambiguous, index); !ambiguous {
		return ""
	}
	if as == Day {
		return "ambiguousDate"
	}
	return "ambiguousNumber"
}

func (c *Column) warning(index int) string { return issueAt(c.Warnings, index) }

// issueAt returns the code of the issue with an index in a sorted list, or an empty text.
func issueAt(issues []Issue, index int) string {
	at, found := slices.BinarySearchFunc(issues, index, func(e Issue, index int) int { return cmp.Compare(e.Index, index) })
	if !found {
		return ""
	}
	return issues[at].Code
}

// complete adds the values without a column: the class of all records, and the full name of first and last name or of the institution. Names
// are never split.
func (d *draft) complete(record *Record) {
	last := len(d.Fields) - 1
	switch {
	case d.Matrix || last < 0:
	case slices.Contains(d.Assumed, "security"):
		record.Values[last] = d.class()
	case d.Kind == "members":
		at := slices.Index(d.Fields, "fullName")
		if at < 0 || record.Values[at] != "" {
			return
		}
		name := strings.TrimSpace(d.Value(record, "firstName") + " " + d.Value(record, "lastName"))
		record.Values[at] = first(name, d.Value(record, "institution"))
	}
}

// concerning adds the findings about cells of the file. An error in a cell of a record is its fault. Errors outside the columns and rows that are
// read are warnings, and findings in sheets that are not read are omitted, because the sheet is named.
func (f *Recognition) concerning(findings []Finding, drafts []*draft) {
	for _, finding := range findings {
		of := finding.of
		if of == (place{}) {
			f.Findings = append(f.Findings, finding)
			continue
		}
		read, told, within := false, false, false
		for _, d := range drafts {
			if d.Sheet == of.sheet {
				read, within = true, within || d.reads(of)
				told = told || finding.Severity == SeverityError && d.blame(finding)
			}
		}
		if !within {
			finding.Severity = SeverityWarning
		}
		if read && !told {
			f.Findings = append(f.Findings, finding)
		}
	}
}

// blame adds an error about a cell to its record, and reports whether there is one.
func (d *draft) blame(finding Finding) bool {
	if d.Matrix || !d.reads(finding.of) {
		return false
	}
	at, found := slices.BinarySearchFunc(d.Records, finding.of.row, func(r Record, row int) int { return cmp.Compare(r.Row, row) })
	column := slices.IndexFunc(d.Columns, func(c TableColumn) bool { return c.Column == finding.of.column })
	if found {
		fault := RecordFault{Field: d.Columns[column].Field, Code: finding.Code, Cell: finding.Cell, Message: finding.Message}
		d.Records[at].Faults = append(d.Records[at].Faults, fault)
	}
	return found
}

// reads reports whether a cell is one of a record.
func (d *draft) reads(at place) bool {
	if at.row <= d.Heading || d.last > 0 && at.row > d.last || slices.ContainsFunc(
		d.Skipped, func(s Skipped) bool { return s.Row == at.row },
	) {
		return false
	}
	return slices.ContainsFunc(d.Columns, func(c TableColumn) bool { return c.Column == at.column && (c.Field != "" || c.class) })
}

// personTypes are the values of a column Type that are no classes: kinds and relationships of persons.
func personTypes() []string {
	return []string{
		"individual", "person", "natural person", "human", "institution", "entity", "company", "organization", "organisation",
		"corporation", "fund", "trust",
		"legal entity", "founder", "employee", "executive", "board member", "advisor", "consultant", "investor", "contractor", "officer",
		"director",
		"former employee", "ex employee", "angel", "vc", "other",
	}
}

// resolveType decides by its values whether a column Type contains classes. It never creates a class.
func (d *draft) resolveType() {
	column := d.column("security")
	if column == nil || column.normal != "type" {
		return
	}
	persons, classes := true, true
	for _, cell := range d.cells(*column) {
		if cell.Value == "" {
			continue
		}
		normal, _ := NormalHeading(cell.Value)
		persons = persons && slices.Contains(personTypes(), normal)
		classes = classes && isClass(normal, d.question.Classes)
	}
	switch {
	case classes:
	case persons:
		column.Field = ""
	default:
		column.Field, column.unclear = "", true
	}
}
