package sheet

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of a file.
const (
	// MaxRows is the number of rows that a table may have below its heading by default.
	MaxRows = 10_000
	// MaxColumns is the maximum number of columns.
	MaxColumns = 100
	// MaxCell is the maximum size of a cell in bytes.
	MaxCell = 10_000
	// MaxText is the maximum size of all cells together in bytes.
	MaxText = 16 << 20
	// MaxCells is the maximum number of filled cells, unless more rows than usual are permitted: then it is cellsPerRow for each of them.
	MaxCells    = 1 << 20
	cellsPerRow = 20
	// otherRows is the number of rows that a sheet may have beside those of a table, such as titles and totals.
	otherRows = 200
)

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

func tooLarge(message string) *Error { return refuse(0, "tooLarge", message) }

func cellTooLarge(line int) *Error {
	return refuse(line, "tooLarge", fmt.Sprintf("A cell has at most %d bytes.", MaxCell))
}

func tooManyColumns(line int) *Error {
	return refuse(line, "tooLarge", fmt.Sprintf("A table has at most %d columns.", MaxColumns))
}

// maxCells returns the maximum number of filled cells of a file with a maximum number of rows.
func maxCells(rows int) int { return max(MaxCells, cellsPerRow*rows) }

func tooManyCells(rows int) *Error {
	return tooLarge("A file has at most " + strconv.Itoa(maxCells(rows)) + " filled cells.")
}

func tooMuchText() *Error { return tooLarge("The file contains too much text.") }

// Book is the content of a file.
type Book struct {
	// Encoding and Delimiter are those of a text file.
	Encoding  string `json:"encoding,omitempty"`
	Delimiter string `json:"delimiter,omitempty"`
	// DateSystem is 1900 or 1904 for a workbook.
	DateSystem string    `json:"dateSystem,omitempty"`
	Sheets     []Sheet   `json:"sheets"`
	Findings   []Finding `json:"findings,omitempty"`
}

// The states of a sheet.
const (
	Visible = "visible"
	Hidden  = "hidden"
)

// Sheet is a sheet of a workbook, or a text file.
type Sheet struct {
	// Name is empty for a text file.
	Name string `json:"name"`
	// State is visible, hidden or veryHidden.
	State string `json:"state"`
	// Rows are the rows with a filled cell, in the order of the file.
	Rows []Row `json:"rows"`
	// Refusal is the limit of rows or columns that the sheet exceeds. Its rows are then missing.
	Refusal *Error `json:"refusal,omitempty"`
}

// Row is a row of the file.
type Row struct {
	// Number is the number of the row in its sheet, or the line of a text file on which it starts, from 1.
	Number int `json:"n"`
	// Cells are the filled cells, by column.
	Cells []Cell `json:"c"`
}

// Kind is the type of a cell.
type Kind uint8

// The types of cells.
const (
	Text Kind = iota
	Number
	Date
	Boolean
	Fault // such as #REF!
)

// Cell is a filled cell.
type Cell struct {
	// Column is the index of the column, from 0.
	Column int16 `json:"c"`
	Kind   Kind  `json:"k,omitempty"`
	// Percent marks a number with a percent format.
	Percent bool `json:"p,omitempty"`
	// Value is the text, the decimal number, the date (YYYY-MM-DD), true or false, or the error.
	Value string `json:"v"`
	// Detail is the time of a date (hh:mm:ss), or a number as its format of zeros shows it.
	Detail string `json:"d,omitempty"`
}

// Tidy returns the cell as a file would be read: a text in normal form, a number in its shortest form.
func (c Cell) Tidy() Cell {
	if c.Kind != Number {
		c.Value = tidy(c.Value)
	} else if number, ok := stored(c.Value); ok {
		c.Value = number
	}
	return c
}

// at returns the cell of the column, or nil.
func (r *Row) at(column int) *Cell {
	for i := range r.Cells {
		if int(r.Cells[i].Column) == column {
			return &r.Cells[i]
		}
	}
	return nil
}

// The severities of a finding.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// Finding is a fact about a file that its reader should know.
type Finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	// Cell is an address such as Sheet!C4, a range of rows such as Sheet!3:5, the name of a sheet, or empty for the whole file.
	Cell    string `json:"cell"`
	Message string `json:"message"`
	// Stated and Computed are the quantities of a total that differs.
	Stated   string `json:"stated,omitempty"`
	Computed string `json:"computed,omitempty"`

	// of is the cell of a workbook that was not read.
	of place
}

// Pointer returns the pointer to the place of the finding: a cell, a range of rows or a sheet, or the file.
func (f Finding) Pointer() string {
	if f.Cell == "" {
		return "/file"
	}
	return "/cells/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(f.Cell)
}

// place is a cell by its sheet, the number of its row, and the index of its column.
type place struct {
	sheet       string
	row, column int
}

// Letters returns the letters of a column, from A.
func Letters(column int) string {
	const letters = 26
	name := ""
	for column++; column > 0; column = (column - 1) / letters {
		name = string(rune('A'+(column-1)%letters)) + name
	}
	return name
}

// Address returns the address of a cell. The name of the sheet may be empty.
func Address(sheet string, row, column int) string {
	return in(sheet) + Letters(column) + strconv.Itoa(row)
}

// Rows returns the address of a range of rows.
func Rows(sheet string, first, last int) string {
	return fmt.Sprintf("%s%d:%d", in(sheet), first, last)
}

func in(sheet string) string {
	if sheet == "" {
		return ""
	}
	return sheet + "!"
}
