package sheet

import (
	"fmt"
	"strings"
	"unicode"
)

// Limits of a table.
const (
	// MaxRows is the number of rows that a table may have below its heading by default.
	MaxRows = 10_000
	// MaxColumns is the maximum number of columns.
	MaxColumns = 100
	// MaxCell is the maximum size of a cell in bytes.
	MaxCell = 10_000
	// MaxText is the maximum size of all cells together in bytes.
	MaxText = 16 << 20
)

// Table is a heading and the nonempty rows below it.
type Table struct {
	// Heading contains the names of the columns without surrounding white space.
	Heading []string
	Rows    []Row
}

// Row is a row of the file. Cells has one entry per column of the heading.
type Row struct {
	// Line is the first line of the row in the file, from 1.
	Line  int
	Cells []string
}

// Error is the reason why a file was refused, with its line.
type Error struct {
	// Line is 0 if the error concerns the whole file.
	Line int
	// Code is stable: notText, unreadable, empty, tooLarge, missingCells or tooManyCells.
	Code    string
	Message string
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

func refuse(line int, code, message string) *Error { return &Error{line, code, message} }

// Read returns the table that the file holds, which has at most [MaxRows] rows. The error is an [*Error].
func Read(content []byte) (Table, error) { return ReadWithin(content, MaxRows) }

// ReadWithin is [Read] with another limit of rows.
func ReadWithin(content []byte, most int) (Table, error) {
	lines, err := linesOf(content, most)
	if err != nil {
		return Table{}, err
	}
	var table Table
	for _, line := range lines {
		line.tidy()
		switch {
		case line.empty():
		case table.Heading == nil:
			table.Heading = line.Cells
		default:
			if err := table.add(line, most); err != nil {
				return Table{}, err
			}
		}
	}
	if table.Heading == nil {
		return Table{}, refuse(0, "empty", "The file is empty.")
	}
	return table, nil
}

// linesOf reads the file for what it is.
func linesOf(content []byte, most int) ([]Row, error) {
	if isWorkbook(content) {
		return readWorkbook(content, most)
	}
	return readCSV(content, most)
}

// add enters a row. Cells that are missing at its end are empty; some that are too many
// must be.
func (t *Table) add(row Row, most int) error {
	if len(t.Rows) == most {
		return refuse(row.Line, "tooLarge", fmt.Sprintf("A table has at most %d rows.", most))
	}
	columns := len(t.Heading)
	if len(row.Cells) > columns {
		extra := Row{Cells: row.Cells[columns:]}
		if !extra.empty() {
			return refuse(row.Line, "tooManyCells", "The row has more cells than the heading.")
		}
		row.Cells = row.Cells[:columns]
	}
	for len(row.Cells) < columns {
		row.Cells = append(row.Cells, "")
	}
	t.Rows = append(t.Rows, row)
	return nil
}

// tidy removes surrounding white space, and the apostrophe that marks a text as not a formula.
func (r *Row) tidy() {
	for i, cell := range r.Cells {
		cell = strings.TrimFunc(cell, func(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' })
		if rest, marked := strings.CutPrefix(cell, "'"); marked && rest != "" && strings.ContainsAny(rest[:1], "=+-@") {
			cell = rest
		}
		r.Cells[i] = cell
	}
}

func (r *Row) empty() bool {
	for _, cell := range r.Cells {
		if cell != "" {
			return false
		}
	}
	return true
}
