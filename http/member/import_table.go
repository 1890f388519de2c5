package member

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/http/sheet"
)

// columnsOf returns the columns of a kind's template in order.
func columnsOf(kind string) []string {
	switch kind {
	case kindMembers:
		return []string{
			"fullName", "email", "kind", "title", "relationship", "phone", "startDate",
			"street1", "street2", "city", "province", "postalCode", "country", "externalId",
		}
	case kindOptions:
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

// sentTable reports whether the upload is a spreadsheet and not a package.
func sentTable(c *api.Call) bool {
	endings := []string{".csv", ".tsv", ".xlsx"}
	return strings.HasPrefix(c.Header("Content-Type"), api.MediaCSV) ||
		len(c.Files) == 1 && slices.Contains(endings, strings.ToLower(path.Ext(c.Files[0].Name)))
}

// tableFile returns the single uploaded file.
func tableFile(c *api.Call) ([]byte, error) {
	var found *api.File
	for _, file := range c.Files {
		if file.Field != "" && file.Field != "file" {
			continue
		}
		if found != nil {
			return nil, api.WrongField("/file", "tooMany", "Send one file at a time.")
		}
		found = &file
	}
	if found == nil {
		return nil, fault.Refuse(fault.MissingFile, "The form has no file. Send at least one file.")
	}
	content, err := found.Bytes()
	if err != nil {
		return nil, fmt.Errorf("read the uploaded file: %w", err)
	}
	return content, nil
}

// filledRow is a row with its cell values by column, without empty cells.
type filledRow struct {
	line  int
	cells map[string]string
}

// readRows parses the file as rows of the kind.
func readRows(kind string, file []byte, most int) ([]filledRow, error) {
	table, err := sheet.ReadWithin(file, most)
	if broken, refused := errors.AsType[*sheet.Error](err); refused {
		pointer := "/file"
		if broken.Line > 0 {
			pointer = "/rows/" + strconv.Itoa(broken.Line)
		}
		return nil, api.WrongField(pointer, broken.Code, broken.Message)
	}
	columns, err := headed(kind, table.Heading)
	if err != nil {
		return nil, err
	}
	if len(table.Rows) == 0 {
		return nil, api.WrongField("/file", "empty", "The file needs at least one row below the heading.")
	}
	rows := make([]filledRow, len(table.Rows))
	for i, row := range table.Rows {
		rows[i] = filledRow{row.Line, map[string]string{}}
		for at, cell := range row.Cells {
			if cell != "" && columns[at] != "" {
				rows[i].cells[columns[at]] = dated(columns[at], cell)
			}
		}
	}
	return rows, nil
}

// headed maps the names in the heading to columns. It ignores case and spaces. An empty name maps to
// an empty column.
func headed(kind string, heading []string) ([]string, error) {
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "", "*", "").Replace(name))
	}
	known := map[string]string{}
	for _, column := range columnsOf(kind) {
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
			faults.Add(pointer, "unknownColumn", "There is no such column; they are "+strings.Join(columnsOf(kind), ", ")+".")
		case seen[column]:
			faults.Add(pointer, "duplicateColumn", "The column "+column+" must not be repeated.")
		}
		columns[i], seen[column] = column, true
	}
	for _, needed := range neededColumns(kind) {
		if !seen[needed] {
			faults.Add("/heading", "missingColumn", "The column "+needed+" is required.")
		}
	}
	return columns, api.WrongFields(faults)
}

func neededColumns(kind string) []string {
	switch kind {
	case kindMembers:
		return []string{"fullName"}
	case kindOptions:
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
