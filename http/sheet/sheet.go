package sheet

import (
	"fmt"
	"strings"
	"unicode"
)

// Bounds of a table: what a person fills in stays far below them.
const (
	// MaxRows is the number of rows that a table may have below its heading by default.
	MaxRows = 10_000
	// MaxColumns is how many columns it may have.
	MaxColumns = 100
	// MaxCell is how many bytes a cell may have.
	MaxCell = 10_000
	// MaxText is how many bytes all cells may have together.
	MaxText = 16 << 20
)

// Table is a heading and the rows below it that are not empty.
type Table struct {
	// Heading has the columns' names as they were written, without what surrounds them.
	Heading []string
	Rows    []Row
}

// Row is a line of the file. Cells has one for each column of the heading.
type Row struct {
	// Line is where the row begins in the file, from 1.
	Line  int
	Cells []string
}

// Error says why a file is no table, and on which line.
type Error struct {
	// Line is 0 where the whole file is to blame.
	Line int
	// Code is stable: notText, unreadable, empty, tooLarge, missingCells or tooManyCells.
	Code    string
	Message string
}

// Error gives the message.
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
		return Table{}, refuse(0, "empty", "There is nothing in the file.")
	}
	return table, nil
}

// linesOf reads the file for what it is.
func linesOf(content []byte, most int) ([]Row, error) {
	if strings.HasPrefix(string(content[:min(len(content), len(zipMagic))]), zipMagic) {
		return readWorkbook(content, most)
	}
	return readCSV(content, most)
}

// add enters a row. Cells that are missing at its end are empty; some that are too many
// must be.
func (t *Table) add(row Row, most int) error {
	if len(t.Rows) == most {
		return refuse(row.Line, "tooLarge", fmt.Sprintf("There may be %d rows at most.", most))
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

// tidy takes away what surrounds the texts, and the apostrophe that keeps a text from
// being taken for a formula.
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
