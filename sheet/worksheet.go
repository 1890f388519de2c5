package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// limitError is the limit that one sheet exceeds. The other sheets can still be read.
type limitError struct{ refusal *Error }

// Error returns the message.
func (e *limitError) Error() string { return e.refusal.Error() }

// worksheet collects the rows of a sheet from its tokens.
type worksheet struct {
	*archive

	sheet    *Sheet
	findings []Finding
	// line is the current row number, column the index of the current cell.
	line, column int
	row          []Cell
	kind         string
	look         look
	formula      bool
	valued       bool
	text         strings.Builder
	hidden       hiddenRows
	merges       []merge
}

// merge is a merged range of several rows.
type merge struct{ column, first, last int }

// hiddenRows are the last hidden rows that follow each other.
type hiddenRows struct {
	first, last int
	filled      bool
}

// hide notes that the current row is hidden.
func (w *worksheet) hide() {
	if w.hidden.last+1 != w.line {
		w.nameHidden()
		w.hidden.first = w.line
	}
	w.hidden.last = w.line
}

// nameHidden adds a finding about the last hidden rows if any of them is filled.
func (w *worksheet) nameHidden() {
	if w.hidden.filled {
		w.findings = append(w.findings, Finding{
			Severity: SeverityWarning, Code: "hiddenRows", Cell: Rows(w.sheet.Name, w.hidden.first, w.hidden.last),
			Message: "Hidden rows were read.",
			of:      place{w.sheet.Name, w.hidden.first, 0},
		})
	}
	w.hidden = hiddenRows{}
}

// token processes the next token of the sheet.
func (w *worksheet) token(t xml.Token, within []string) error {
	switch t := t.(type) {
	case xml.StartElement:
		return w.start(t)
	case xml.CharData:
		if value := len(within) > 0 && within[len(within)-1] == "v"; value || ofCell(within, "is") {
			w.text.Write(t)
		}
		if w.text.Len() > MaxCell {
			return cellTooLarge(w.line)
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "c":
			return w.cell()
		case "row":
			return w.end()
		}
	}
	return nil
}

// start begins a row or a cell, which may state its position and otherwise follows the previous one, or a part of it.
func (w *worksheet) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "row":
		w.line, w.column, w.row = w.line+1, -1, nil
		if stated, err := strconv.Atoi(attribute(t, "r")); err == nil && stated >= w.line {
			w.line = stated
		}
		if isTrue(attribute(t, "hidden")) {
			w.hide()
		}
	case "c":
		w.kind, w.formula, w.valued, w.look = attribute(t, "t"), false, false, look{}
		w.text.Reset()
		if style, err := strconv.Atoi(attribute(t, "s")); err == nil && style >= 0 && style < len(w.looks) {
			w.look = w.looks[style]
		}
		w.column++
		if place := attribute(t, "r"); place != "" {
			stated := columnOf(place)
			if stated < w.column {
				return errPart
			}
			w.column = stated
		}
	case "f":
		w.formula = true
	case "v":
		w.valued = true
	case "mergeCell":
		return w.merged(attribute(t, "ref"))
	}
	return nil
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

// cell adds the current cell.
func (w *worksheet) cell() error {
	cell, err := w.typed()
	if err != nil {
		return err
	}
	if cell.Value == "" || w.column < 0 {
		return nil
	}
	if w.column >= MaxColumns {
		return &limitError{tooManyColumns(w.line)}
	}
	if w.total += len(cell.Value); w.total > MaxText {
		return tooMuchText()
	}
	if w.cells++; w.cells > maxCells(w.most) {
		return tooManyCells(w.most)
	}
	cell.Column = int16(w.column)
	w.row = append(w.row, cell)
	return nil
}

// typed returns the value of the current cell. It is empty for an empty cell, and after a finding.
func (w *worksheet) typed() (Cell, error) {
	text := w.text.String()
	if w.formula && text == "" && (!w.valued || w.kind != "str") {
		w.find(SeverityError, "noCachedValue", "has a formula without result. Open and save the workbook.")
		return Cell{}, nil
	}
	switch w.kind {
	case "s":
		at, err := strconv.Atoi(strings.TrimSpace(text))
		if text != "" && (err != nil || at < 0 || at >= len(w.shared)) {
			return Cell{}, errPart
		}
		if text != "" {
			return Cell{Value: w.shared[at]}, nil
		}
		return Cell{}, nil
	case "str", "inlineStr":
		return Cell{Value: tidy(unescape(text))}, nil
	case "b":
		if text == "" {
			return Cell{}, nil
		}
		return Cell{Kind: Boolean, Value: strconv.FormatBool(isTrue(strings.ToLower(strings.TrimSpace(text))))}, nil
	case "e":
		return Cell{Kind: Fault, Value: strings.TrimSpace(text)}, nil
	case "d":
		return w.day(isoDate(strings.TrimSpace(text))), nil
	}
	return w.number(strings.TrimSpace(text)), nil
}

// number returns the value of a cell with a number.
func (w *worksheet) number(text string) Cell {
	if text == "" {
		return Cell{}
	}
	number, ok := stored(text)
	switch {
	case !ok:
		w.find(SeverityError, "invalidNumber", "does not contain a number that a workbook can have. Enter it again.")
		return Cell{}
	case w.look.date:
		return w.day(serialDate(number, w.system))
	}
	return Cell{Kind: Number, Value: number, Percent: w.look.percent, Detail: w.look.pad(number)}
}

// day returns the value of a cell with a date.
func (w *worksheet) day(date, clock string, ok bool) Cell {
	if !ok {
		w.find(SeverityError, "invalidDate", "contains a date that does not exist. Enter it again.")
		return Cell{}
	}
	return Cell{Kind: Date, Value: date, Detail: clock}
}

// find adds a finding about the current cell.
func (w *worksheet) find(severity, code, message string) {
	const most = 10_000
	if len(w.findings) < most {
		at := place{w.sheet.Name, w.line, max(0, w.column)}
		message = Address("", at.row, at.column) + " " + message
		w.findings = append(
			w.findings, Finding{Severity: severity, Code: code, Cell: Address(at.sheet, at.row, at.column), Message: message, of: at},
		)
	}
}

// end adds the current row, unless it is blank.
func (w *worksheet) end() error {
	if len(w.row) == 0 {
		return nil
	}
	w.hidden.filled = w.hidden.filled || w.hidden.last == w.line
	if w.sheet.Rows = append(w.sheet.Rows, Row{w.line, w.row}); len(w.sheet.Rows) > w.most+otherRows {
		return &limitError{tooManyRows(w.line, w.most)}
	}
	w.row = nil
	return nil
}

func tooManyRows(line, most int) *Error {
	return refuse(line, "tooLarge", fmt.Sprintf("A table has at most %d rows.", most))
}

// merged notes a merged range of several rows, such as A2:B4.
func (w *worksheet) merged(ref string) error {
	from, to, _ := strings.Cut(ref, ":")
	first, errFirst := strconv.Atoi(strings.TrimLeft(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	last, errLast := strconv.Atoi(strings.TrimLeft(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	column := columnOf(from)
	if stated := errors.Join(errFirst, errLast) == nil; stated && first < last && column >= 0 && column < MaxColumns {
		w.merges = append(w.merges, merge{column, first, last})
	}
	if len(w.merges) > mostMerges {
		return &limitError{tooLarge(fmt.Sprintf("A sheet has at most %d merged ranges.", mostMerges))}
	}
	return nil
}

// finish fills merged ranges and names hidden rows.
func (w *worksheet) finish() error {
	w.nameHidden()
	for _, m := range w.merges {
		if err := w.fill(m); err != nil {
			return err
		}
	}
	return nil
}

// index returns the index of the first row from a number on.
func (w *worksheet) index(number int) int {
	at, _ := slices.BinarySearchFunc(w.sheet.Rows, number, func(r Row, n int) int { return r.Number - n })
	return at
}

// fill copies the value of a merged range into its other filled rows.
func (w *worksheet) fill(m merge) error {
	at := w.index(m.first)
	if at == len(w.sheet.Rows) || w.sheet.Rows[at].Number != m.first {
		return nil
	}
	value := w.sheet.Rows[at].at(m.column)
	if value == nil {
		return nil
	}
	copied, done := *value, false
	for at++; at < len(w.sheet.Rows) && w.sheet.Rows[at].Number <= m.last; at++ {
		row := &w.sheet.Rows[at]
		if w.cells++; w.cells > maxCells(w.most) {
			return tooManyCells(w.most)
		}
		place, found := slices.BinarySearchFunc(row.Cells, m.column, func(c Cell, column int) int { return int(c.Column) - column })
		if found {
			row.Cells[place] = copied
		} else {
			row.Cells = slices.Insert(row.Cells, place, copied)
		}
		done = true
	}
	if done {
		w.findings = append(w.findings, Finding{
			Severity: SeverityWarning, Code: "mergedFilled", Cell: Address(w.sheet.Name, m.first, m.column),
			of:      place{w.sheet.Name, m.first, m.column},
			Message: "The value of the merged cells counts for each of their rows.",
		})
	}
	return nil
}
