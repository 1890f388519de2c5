package sheet

import (
	"bytes"
	"fmt"
)

// mostLines bounds the lines of a file for each of its rows. Cells may have line breaks, and rows may be empty.
const mostLines = 50

// readText reads delimited text (RFC 4180).
func readText(content []byte, o Options) (Book, error) {
	text, encoding, findings := decode(content, o.Encoding)
	book := Book{Encoding: encoding, Findings: findings}
	if encoding == "" {
		return book, nil
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return Book{}, refuse(0, "notText", "The file is not text. "+saveAs)
	}
	r := records{text: text, line: 1}
	if named := r.separatorLine(); named == 0 {
		r.separator = separator(text)
	}
	book.Delimiter = string(r.separator)
	sheet, err := r.sheet(o.Rows)
	book.Sheets = []Sheet{sheet}
	return book, err
}

// sheet reads the remaining records.
func (r *records) sheet(most int) (Sheet, error) {
	sheet := Sheet{State: Visible}
	if lines := bytes.Count(r.text, []byte("\n")) + bytes.Count(r.text, []byte("\r")) - bytes.Count(r.text, []byte("\r\n")); lines > mostLines*(most+1) {
		return sheet, tooLarge(fmt.Sprintf("A table of %d rows has at most %d lines, including empty ones.", most, mostLines*(most+1)))
	}
	total, cells := 0, 0
	for r.next() {
		if r.fault != nil {
			return sheet, r.fault
		}
		row := Row{Number: r.begun, Cells: make([]Cell, 0, len(r.fields))}
		for column, field := range r.fields {
			value := tidy(string(field))
			if value == "" {
				continue
			}
			if total += len(value); total > MaxText {
				return sheet, tooMuchText()
			}
			row.Cells = append(row.Cells, Cell{Column: int16(column), Value: value})
		}
		if cells += len(row.Cells); cells > maxCells(most) {
			return sheet, tooManyCells(most)
		}
		if len(row.Cells) == 0 {
			continue
		}
		if sheet.Rows = append(sheet.Rows, row); len(sheet.Rows) > most+otherRows {
			return sheet, tooManyRows(row.Number, most)
		}
	}
	return sheet, r.fault
}

// records reads the records of a text one by one. Lines end with CRLF, LF or CR.
type records struct {
	text      []byte
	separator byte
	// lenient accepts misplaced quotes, to count fields.
	lenient bool
	// line is the number of the next line, and begun that on which the current record starts.
	line, begun int
	fields      [][]byte
	fault       error
}

// separatorLine consumes a first line such as sep=; and returns its separator, or 0.
func (r *records) separatorLine() byte {
	const mark = "sep="
	rest := bytes.TrimPrefix(r.text, []byte(`"`))
	if len(rest) <= len(mark) || !bytes.EqualFold(rest[:len(mark)], []byte(mark)) {
		return 0
	}
	named := rest[len(mark)]
	rest = bytes.TrimPrefix(rest[len(mark)+1:], []byte(`"`))
	end := lineEnd(rest)
	if named < ' ' && named != '\t' || named > '~' || named == '"' || end == 0 && len(rest) > 0 {
		return 0
	}
	r.text, r.line, r.separator = rest[end:], r.line+1, named
	return named
}

// lineEnd returns the length of the line end at the start of a text, or 0.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return len("\r\n")
	case len(text) > 0 && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// next reads the next record and reports whether there was one, or a fault. The fields are valid until the next call.
func (r *records) next() bool {
	if len(r.text) == 0 || r.fault != nil {
		return false
	}
	r.begun, r.fields = r.line, r.fields[:0]
	for {
		field, more := r.field()
		if r.fault != nil {
			return true
		}
		if len(field) > MaxCell {
			r.fault = cellTooLarge(r.begun)
			return true
		}
		if r.fields = append(r.fields, field); len(r.fields) > MaxColumns {
			if len(bytes.TrimSpace(field)) > 0 || len(r.fields) > 10*MaxColumns {
				r.fault = tooManyColumns(r.begun)
				return true
			}
		}
		if !more {
			return true
		}
	}
}

// field reads a field and its end, and reports whether the record has another one.
func (r *records) field() (field []byte, more bool) {
	if len(r.text) > 0 && r.text[0] == '"' {
		return r.quoted()
	}
	for i, c := range r.text {
		if c == r.separator || c == '\n' || c == '\r' {
			field, more = r.text[:i], c == r.separator
			r.leave(i)
			return field, more
		}
		if c == '"' && !r.lenient {
			r.fault = refuse(r.line, "unreadable", `There is a quote in a cell that does not begin with one.`)
			return nil, false
		}
		if i > MaxCell {
			r.fault = cellTooLarge(r.begun)
			return nil, false
		}
	}
	field, r.text = r.text, nil
	return field, false
}

// leave consumes a field of a length and the separator or line end behind it.
func (r *records) leave(length int) {
	rest := r.text[length:]
	if end := lineEnd(rest); end > 0 && rest[0] != r.separator {
		r.line++
		r.text = rest[end:]
		return
	}
	r.text = rest[min(1, len(rest)):]
}

// quoted reads a field within quotes. Two quotes within are one.
func (r *records) quoted() (field []byte, more bool) {
	opened := r.line
	var content []byte
	text := r.text[1:]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '"' {
			if i+1 < len(text) && text[i+1] == '"' {
				i++
			} else {
				return r.closed(content, text[i+1:], opened)
			}
		}
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			r.line++
		}
		if content = append(content, c); len(content) > MaxCell {
			r.fault = cellTooLarge(r.begun)
			return nil, false
		}
	}
	if r.lenient {
		r.text = nil
		return content, false
	}
	r.fault = unclosed(opened)
	return nil, false
}

// closed continues behind the closing quote of a field.
func (r *records) closed(content, rest []byte, opened int) (field []byte, more bool) {
	switch {
	case len(rest) == 0:
		r.text = nil
		return content, false
	case rest[0] == r.separator || lineEnd(rest) > 0:
		more = rest[0] == r.separator
		r.text = rest
		r.leave(0)
		return content, more
	case r.lenient:
		r.text = rest
		behind, more := r.field()
		return append(content, behind...), more
	}
	r.fault = unclosed(opened)
	return nil, false
}

func unclosed(line int) *Error {
	return refuse(line, "unreadable", `A quoted cell does not end as it should: a quote inside it is written twice.`)
}

// separator returns the candidate for which most of the first records have the same number of fields, at least two. Of several, it is the one with
// more fields, and then the first.
func separator(text []byte) byte {
	const sampled = 100
	best, records, fields := byte(','), 0, 0
	for _, candidate := range []byte("\t;,|") {
		counts := countFields(text, candidate, sampled)
		for n := 2; n < len(counts); n++ {
			if counts[n] > records || counts[n] == records && records > 0 && n > fields {
				best, records, fields = candidate, counts[n], n
			}
		}
	}
	return best
}

// countFields returns the number of filled records with each number of fields among the first ones.
func countFields(text []byte, separator byte, sampled int) []int {
	r := records{text: text, line: 1, separator: separator, lenient: true}
	counts := make([]int, MaxColumns+1)
	for seen := 0; seen < sampled && r.next() && r.fault == nil; {
		if len(r.fields) == 1 && len(bytes.TrimSpace(r.fields[0])) == 0 {
			continue
		}
		seen++
		counts[min(len(r.fields), MaxColumns)]++
	}
	return counts
}
