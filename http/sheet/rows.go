package sheet

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// rowReader collects the rows of a sheet from its tokens.
type rowReader struct {
	*book

	rows []Row
	// line is the current row number, column the index of the current cell, kind its type.
	line, column int
	kind         string
	cells        []string
	text         strings.Builder
}

// token processes the next token of the sheet.
func (r *rowReader) token(t xml.Token, within []string) error {
	switch t := t.(type) {
	case xml.StartElement:
		return r.start(t)
	case xml.CharData:
		if value := len(within) > 0 && within[len(within)-1] == "v"; value || texts(within, "is") != nil {
			r.text.Write(t)
		}
		if r.text.Len() > MaxCell {
			return refuse(r.line, "tooLarge", "A cell has at most "+strconv.Itoa(MaxCell)+" bytes.")
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "c":
			return r.cell()
		case "row":
			return r.row()
		}
	}
	return nil
}

// start begins a row or a cell. It may state its position. Otherwise it follows the previous one.
func (r *rowReader) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "row":
		r.line, r.column, r.cells = r.line+1, -1, nil
		if stated, err := strconv.Atoi(attribute(t, "r")); err == nil && stated >= r.line {
			r.line = stated
		}
		if r.line > linesToRow*r.most {
			return errEnough
		}
	case "c":
		r.column++
		r.kind = attribute(t, "t")
		r.text.Reset()
		if place := attribute(t, "r"); place != "" {
			stated := columnOf(place)
			if stated < r.column {
				return errPart
			}
			r.column = stated
		}
		if r.column >= MaxColumns {
			return refuse(r.line, "tooLarge", "There may be "+strconv.Itoa(MaxColumns)+" columns at most.")
		}
	}
	return nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// columnOf returns the zero-based column of a position such as BC12, or -1. It stops counting above the limit.
func columnOf(place string) int {
	column := 0
	for _, c := range []byte(place) {
		if c < 'A' || c > 'Z' || column > MaxColumns {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	return column - 1
}

// cell adds the value of the current cell.
func (r *rowReader) cell() error {
	value := r.text.String()
	switch r.kind {
	case "s":
		at, err := strconv.Atoi(strings.TrimSpace(value))
		if value != "" && (err != nil || at < 0 || at >= len(r.shared)) {
			return errPart
		}
		if value != "" {
			value = r.shared[at]
		}
	case "str", "inlineStr":
		value = unescape(value)
	case "d":
		value = strings.TrimSuffix(value, "T00:00:00")
	}
	if value == "" || r.column < 0 {
		return nil
	}
	if r.total += len(value); r.total > MaxText {
		return tooLarge("The file contains too much text.")
	}
	for len(r.cells) <= r.column {
		r.cells = append(r.cells, "")
	}
	r.cells[r.column] = value
	return nil
}

// row adds the current row, unless it is blank.
func (r *rowReader) row() error {
	if row := (Row{r.line, r.cells}); !row.blank() {
		r.rows = append(r.rows, row)
	}
	if len(r.rows) > r.most+1 { // its heading, and one too many
		return errEnough
	}
	return nil
}
