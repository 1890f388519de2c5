package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// mostLines bounds the lines of a file for each of its rows. Cells may have line breaks, and rows may be empty.
const mostLines = 50

// readCSV reads comma separated values (RFC 4180) in UTF-8, with or without a byte order
// mark, or those with semicolons or tabs that programs write in other countries.
func readCSV(content []byte, most int) ([]Row, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		return nil, refuse(0, "notText", "The file is not UTF-8 text. Save it as CSV UTF-8.")
	}
	comma := separator(content)
	if err := scanCSV(content, comma); err != nil {
		return nil, err
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comma, reader.FieldsPerRecord = rune(comma), -1
	var rows []Row
	total := 0
	if lines := bytes.Count(content, []byte("\n")); lines > mostLines*(most+1) {
		return nil, refuse(0, "tooLarge", fmt.Sprintf("A table of %d rows has at most %d lines, including empty ones.", most, mostLines*(most+1)))
	}
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, unreadable(err)
		}
		line, _ := reader.FieldPos(0)
		if len(rows) > most+1 { // its heading, and one too many
			return rows, nil
		}
		for _, cell := range cells {
			if total += len(cell); len(cell) > MaxCell {
				return nil, refuse(line, "tooLarge", fmt.Sprintf("A cell has at most %d bytes.", MaxCell))
			}
		}
		if total > MaxText {
			return nil, tooLarge("The file contains too much text.")
		}
		if row := (Row{line, cells}); !row.blank() {
			rows = append(rows, row)
		}
	}
}

// blank reports whether the row has no cell with text, such as the rest of a longer table.
func (r *Row) blank() bool {
	copied := Row{Cells: append([]string(nil), r.Cells...)}
	copied.tidy()
	return copied.empty()
}

// scanCSV refuses cells and records above the limits before they are parsed. Misplaced quotes may distort the
// count, but the parser stops at the first one and therefore reads no more than was counted.
func scanCSV(content []byte, comma byte) error {
	line, begun, columns, cell, quoted := 1, 1, 1, 0, false
	for _, c := range content {
		cell++
		switch {
		case c == '"':
			quoted = !quoted
			cell -= btoi(!quoted) // one of two quotes remains
		case quoted:
		case c == comma:
			columns, cell = columns+1, 0
		case c == '\n':
			columns, cell, begun = 1, 0, line+1
		}
		line += btoi(c == '\n')
		if columns > MaxColumns {
			return refuse(begun, "tooLarge", fmt.Sprintf("A table has at most %d columns.", MaxColumns))
		}
		if cell > MaxCell+3 { // quotes and the line end are counted too
			return refuse(begun, "tooLarge", fmt.Sprintf("A cell has at most %d bytes.", MaxCell))
		}
	}
	return nil
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func unreadable(err error) error {
	line, message := 0, "The file cannot be read as CSV."
	if broken, ok := errors.AsType[*csv.ParseError](err); ok {
		line = broken.StartLine
		switch {
		case errors.Is(broken.Err, csv.ErrQuote):
			message = `A quoted cell does not end as it should: a quote inside it is written twice.`
		case errors.Is(broken.Err, csv.ErrBareQuote):
			message = `There is a quote in a cell that does not begin with one.`
		}
	}
	return refuse(line, "unreadable", message)
}

// separator returns the most frequent separator in the first line that has one.
func separator(content []byte) byte {
	counts, quoted := map[byte]int{}, false
	for _, c := range content {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',' || c == ';' || c == '\t':
			counts[c]++
		}
		if c == '\n' && !quoted && len(counts) > 0 {
			break
		}
	}
	best := byte(',')
	for _, candidate := range []byte{';', '\t'} {
		if counts[candidate] > counts[best] {
			best = candidate
		}
	}
	return best
}
