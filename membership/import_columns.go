package membership

import (
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// Columns returns the columns of a kind's template in order.
func Columns(kind string) []string {
	switch kind {
	case Members:
		return []string{
			"fullName", "email", "kind", "title", "relationship", "phone", "startDate",
			"street1", "street2", "city", "province", "postalCode", "country", "externalId",
		}
	case Options:
		return []string{
			"holder", "plan", "pool", "type", "quantity", "issueDate", "exercisePrice", "expirationDate", "vestingSchedule", "vestingStart",
			"earlyExercise", "marketValue", "boardApprovalDate", "block", "externalId",
		}
	default:
		return []string{
			"holder", "security", "shares", "issueDate", "certificate", "pricePerShare", "issuanceType", "vestingSchedule", "vestingStart",
			"boardApprovalDate", "rule144Date", "block", "externalId",
		}
	}
}

// ArgumentOf returns the field with the meaning of a column in the body of the operation that records a row. A field of an object has the
// name of the object and a slash before its name.
func ArgumentOf(column string) string {
	switch {
	case column == "holder":
		return "entity"
	case isAddress(column):
		return "address/" + column
	default:
		return column
	}
}

// Row is a row with its cell values by column, without empty cells.
type Row struct {
	// Line is the first line of the row in the file.
	Line  int
	Cells map[string]string
}

// Line is a row of a table, with its cells in the order of the heading.
type Line struct {
	Line  int
	Cells []string
}

// ReadRows assigns the cells of a table to the columns of the kind.
func ReadRows(kind string, heading []string, lines []Line) ([]Row, error) {
	columns, err := columnsIn(kind, heading)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, fault.InvalidField("/file", "empty", "The file needs at least one row below the heading.")
	}
	rows := make([]Row, len(lines))
	for i, line := range lines {
		rows[i] = Row{line.Line, map[string]string{}}
		for at, cell := range line.Cells {
			if cell != "" && columns[at] != "" {
				rows[i].Cells[columns[at]] = dated(columns[at], cell)
			}
		}
	}
	return rows, nil
}

// columnsIn maps the names in the heading to columns. It ignores case and spaces. An empty name maps to
// an empty column.
func columnsIn(kind string, heading []string) ([]string, error) {
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "", "*", "").Replace(name))
	}
	known := map[string]string{}
	for _, column := range Columns(kind) {
		known[plain(column)] = column
	}
	var faults fault.Fields
	columns, seen := make([]string, len(heading)), map[string]bool{}
	for i, name := range heading {
		column, ok := known[plain(name)]
		pointer := "/heading/" + strconv.Itoa(i)
		switch {
		case name == "":
		case !ok:
			faults.Add(pointer, "unknownColumn", "There is no such column; they are "+strings.Join(Columns(kind), ", ")+".")
		case seen[column]:
			faults.Add(pointer, "duplicateColumn", "The column "+column+" must not be repeated.")
		}
		columns[i], seen[column] = column, true
	}
	for _, required := range requiredColumns(kind) {
		if !seen[required] {
			faults.Add("/heading", "missingColumn", "The column "+required+" is required.")
		}
	}
	return columns, faults.Err()
}

func requiredColumns(kind string) []string {
	switch kind {
	case Members:
		return []string{"fullName"}
	case Options:
		return []string{"holder", "plan", "type", "quantity", "issueDate"}
	default:
		return []string{"holder", "security", "shares", "issueDate"}
	}
}

// dated converts a day number of a workbook to an ISO 8601 date.
func dated(column, cell string) string {
	const digits = 5
	isDate := strings.HasSuffix(column, "Date") || column == "vestingStart"
	days, err := strconv.ParseUint(cell, 10, 16)
	if !isDate || err != nil || len(cell) != digits {
		return cell
	}
	return (captable.Date(days) + workbookEpoch()).String()
}

// workbookEpoch is day 0 of dates in workbooks.
func workbookEpoch() captable.Date { return exact.MustDate("1899-12-30") }
