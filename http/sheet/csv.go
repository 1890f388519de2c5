package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// readCSV reads comma separated values (RFC 4180) in UTF-8, with or without a byte order
// mark, or those with semicolons or tabs that programs write in other countries.
func readCSV(content []byte, most int) ([]Row, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		return nil, refuse(0, "notText", "The file is no text in UTF-8: save it as CSV UTF-8.")
	}
	comma := separator(content)
	if err := scanCSV(content, comma); err != nil {
		return nil, err
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comma, reader.FieldsPerRecord = rune(comma), -1
	var rows []Row
	total := 0
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
			return nil, tooLarge("There is too much text in the file.")
		}
		if row := (Row{line, cells}); !row.blank() {
			rows = append(rows, row)
		}
	}
}

// blank reports whether there is nothing at all in the row, as below a table that once
// was longer.
func (r *Row) blank() bool {
	copied := Row{Cells: append([]string(nil), r.Cells...)}
	copied.tidy()
	return copied.empty()
}

// scanCSV refuses cells and records beyond the bounds before any of them is parsed. A file whose quotes are not in
// order may be counted wrongly; the parser stops at the first quote that is out of order, so it reads no more of a
// record than was counted.
func scanCSV(content []byte, comma byte) error {
	line, begun, columns, cell, quoted := 1, 1, 1, 0, false
	for _, c := range content {
		cell++
		switch {
		case c == '"':
			quoted = !quoted
			cell -= btoi(!quoted) // of two quotes one stays
		case quoted:
		case c == comma:
			columns, cell = columns+1, 0
		case c == '\n':
			columns, cell, begun = 1, 0, line+1
		}
		line += btoi(c == '\n')
		if columns > MaxColumns {
			return refuse(begun, "tooLarge", fmt.Sprintf("There may be %d columns at most.", MaxColumns))
		}
		if cell > MaxCell+3 { // quotes and the end of the line are counted too
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

// separator is what stands most often between the cells of the first line that has any.
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
