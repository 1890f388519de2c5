package sheet

import (
	"slices"

	"equity/captable/exact"
)

// Type is the type of the values of a column.
type Type string

// The types of columns.
const (
	Quantity Type = "quantity"
	Price    Type = "price"
	Fraction Type = "fraction"
	Day      Type = "date"
	Truth    Type = "boolean"
	// Identifier is a text that may look like a number, such as a certificate number.
	Identifier Type = "identifier"
	Name       Type = "text"
)

// Format is the way in which a column writes numbers or dates.
type Format string

// The formats of numbers, by decimal separator, and of dates, by the order of day, month and year. The empty Format means that none is needed.
const (
	Point Format = "point"
	Comma Format = "comma"
	DMY   Format = "dmy"
	MDY   Format = "mdy"
	YMD   Format = "ymd"
)

// Status is the state of the format of a column.
type Status string

// The states. An assumed or asked format must be confirmed by a person.
const (
	Decided Status = "decided"
	Assumed Status = "assumed"
	Ask     Status = "ask"
	Mixed   Status = "mixed"
)

// The sources of a format.
const (
	byColumn = "column"
	byFile   = "file"
	byHint   = "hint"
	byPerson = "person"
)

// Hints suggest a format if no cell decides.
type Hints struct {
	Delimiter string `json:"delimiter"`
	// Language is that of the organization, such as en or de-AT.
	Language string `json:"language"`
	// Country is an ISO 3166 code of two letters.
	Country string `json:"country"`
}

// Context is what is known beside the cells of a column.
type Context struct {
	Type Type
	// Fractional permits quantities that are not whole.
	Fractional bool
	Hints      Hints
	// Others are the formats that other columns have decided.
	Others []Format
	// Stated is the format that a person has chosen.
	Stated Format
	// Today is the present day, for years of two digits.
	Today exact.Date
	// DateSystem is that of the workbook, 1900 if empty.
	DateSystem string
}

// Issue is the code of a finding about the value of an index.
type Issue struct {
	Index int    `json:"index"`
	Code  string `json:"code"`
}

// Column is the result of reading the cells of a column.
type Column struct {
	Status Status
	Format Format
	// By is column, file, hint or person; empty if the format is asked.
	By string
	// Values are the canonical texts by index. A value is nil if its cell is empty or could not be read.
	Values []*string
	// Ambiguous are the indexes of the cells that a format decides.
	Ambiguous []int
	Errors    []Issue
	Warnings  []Issue
	// Currencies are the sorted codes in the cells. $ is dollar.
	Currencies []string
	// Codes are the currencies by index.
	Codes []string
}

// fail notes an error about a value.
func (c *Column) fail(index int, code string) { c.Errors = append(c.Errors, Issue{index, code}) }

func (c *Column) warn(index int, code string) { c.Warnings = append(c.Warnings, Issue{index, code}) }

func (c *Column) set(index int, value string) { c.Values[index] = &value }

// ReadColumn decides the format of a column, and reads its cells with it. Empty cells have no value.
func ReadColumn(cells []Cell, in Context) Column {
	c := Column{Status: Decided, By: byColumn, Values: make([]*string, len(cells)), Codes: make([]string, len(cells))}
	for i := range cells {
		if cells[i].Kind == Fault {
			c.fail(i, "cellError")
		}
	}
	switch in.Type {
	case Day:
		c.readDates(cells, in)
	case Quantity, Price, Fraction:
		c.readNumbers(cells, in)
	case Truth:
		c.readTruths(cells)
	case Identifier, Name:
		c.readTexts(cells, in.Type)
	}
	slices.SortStableFunc(c.Errors, func(a, b Issue) int { return a.Index - b.Index })
	return c
}

// readTruths reads the cells of a column of booleans.
func (c *Column) readTruths(cells []Cell) {
	for i, cell := range cells {
		switch fold(cell.Value) {
		case "":
		case "yes", "y", "true", "1", "x", "ja", "oui":
			c.set(i, "true")
		case "no", "n", "false", "0", "nein", "non", "nei":
			c.set(i, "false")
		default:
			if cell.Kind != Fault {
				c.fail(i, "invalidBoolean")
			}
		}
	}
}

// readTexts reads the cells of a column of texts. Numbers of identifiers are shown as their format shows them.
func (c *Column) readTexts(cells []Cell, as Type) {
	for i, cell := range cells {
		switch {
		case cell.Value == "" || cell.Kind == Fault:
		case cell.Kind == Number && as == Identifier:
			if f, ok := figuresOf(cell.Value); ok && len(f.digits) >= significant && f.exponent > significant {
				c.warn(i, "identifierRounded")
			}
			c.set(i, first(cell.Detail, cell.Value))
		default:
			c.set(i, cell.Value)
		}
	}
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// agreed returns the format that all of the named ones are, among the permitted; empty if they differ or there is none.
func agreed(formats []Format, permitted ...Format) Format {
	var found Format
	for _, format := range formats {
		switch {
		case !slices.Contains(permitted, format):
		case found == "" || found == format:
			found = format
		default:
			return ""
		}
	}
	return found
}
