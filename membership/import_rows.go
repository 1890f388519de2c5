package membership

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"equity/fault"
	"equity/organization"
	"equity/sheet"
)

// rowAs decodes a row into its command. Cells with invalid values become faults, and the remaining
// cells are still checked.
func rowAs[R organization.Command](row Row) organization.IntakeRow {
	fields := map[string]any{}
	for column, cell := range row.Cells {
		fields[column] = valueOf(column, cell)
	}
	faults := slices.Concat(row.Faults, row.misleading())
	for _, problem := range faults {
		delete(fields, strings.TrimPrefix(problem.Pointer, "/"))
	}
	command, refusal := patchedRow[R](fields)
	if refusal == nil && len(faults) > 0 {
		refusal, _ = errors.AsType[*fault.Error](faults.Err())
	} else if refusal != nil {
		refusal.Fields = fault.Fields(refusal.Fields).WithIndependent(faults)
		for _, problem := range refusal.Fields {
			delete(fields, strings.TrimPrefix(problem.Pointer, "/"))
		}
		command, _ = patchedRow[R](fields)
	}
	return organization.IntakeRow{Place: row.Place, Command: command, Refusal: refusal}
}

// valueOf returns the value of a cell in the body of its command: a price in another currency than that of the organization has its currency.
func valueOf(column, cell string) any {
	if column != "pricePerShare" && column != "exercisePrice" && column != "marketValue" {
		return cell
	}
	amount, currency := sheet.SplitPrice(cell)
	if currency == "" {
		return cell
	}
	return map[string]string{"amount": amount, "currency": currency}
}

// misleading returns a fault for each cell with a character that is invisible or changes the writing direction. The
// contract refuses such characters in bodies.
func (r *Row) misleading() fault.Fields {
	var faults fault.Fields
	for _, column := range slices.Sorted(maps.Keys(r.Cells)) {
		switch cell := r.Cells[column]; {
		case strings.ContainsFunc(cell, func(c rune) bool { return unicode.Is(unicode.Bidi_Control, c) }):
			faults.Add("/"+column, "bidirectionalControl", "The text contains a character that controls the writing direction. Remove it.")
		case strings.ContainsFunc(cell, unicode.IsControl):
			faults.Add("/"+column, "controlCharacter", "The text contains a control character. Remove it.")
		}
	}
	return faults
}
