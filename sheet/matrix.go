package sheet

import (
	"slices"
	"strings"

	"equity/captable/exact"
)

// matrixOf returns the heading of a matrix: a holder, no quantity, and columns named as classes. It is nil for other rows.
func (r *Registry) matrixOf(names map[int]string, q Question) *heading {
	const kind = "shareholdings"
	if q.Kind != "" && q.Kind != kind {
		return nil
	}
	found := &heading{kind: r.Kind(kind), fields: map[int]string{}, classes: map[int]bool{}, matrix: true}
	for column := range MaxColumns {
		name, filled := names[column]
		switch {
		case !filled:
		case isClass(name, q.Classes):
			found.classes[column] = true
		case r.quantities[name]:
			return nil
		default:
			if field := r.known[kind][name]; field == "holder" || field == "email" || field == "relationship" {
				found.fields[column] = field
			}
		}
	}
	if len(found.classes) == 0 || !slices.Contains(fieldsIn(found.fields), "holder") {
		return nil
	}
	return found
}

func fieldsIn(fields map[int]string) []string {
	var all []string
	for _, field := range fields {
		all = append(all, field)
	}
	return all
}

// isClass reports whether a normal heading is the name of a class.
func isClass(name string, known []string) bool {
	if slices.ContainsFunc(known, func(class string) bool { normal, _ := NormalHeading(class); return normal == name }) {
		return true
	}
	first, _, more := strings.Cut(name, " ")
	return slices.Contains([]string{"common", "common stock", "preferred", "preferred stock", "seed", "options", "warrants"}, name) ||
		more && (first == "series" || first == "class")
}

// cross adds a record for each filled cell of a row of a matrix, and checks its total.
func (d *draft) cross(index int, found *Recognition) {
	base := d.record(index, found)
	row := &d.rows[index]
	sum, total := exact.Decimal{}, TableColumn{Column: -1}
	for _, column := range d.Columns {
		if isTotal(column.normal, nil) {
			total = column
		}
		cell := row.at(column.Column)
		if cell == nil || !column.class {
			continue
		}
		record := Record{
			Row: base.Row, Cell: Address("", base.Row, column.Column), Values: slices.Clone(base.Values), Faults: slices.Clone(base.Faults),
		}
		if column.normal == "options" || column.normal == "warrants" {
			record.Kind = column.normal
		}
		security, shares := len(record.Values)-2, len(record.Values)-1 // the last fields
		record.Values[security] = className(column, d.question.Classes)
		number, ok := d.quantity(index, column, &record)
		if !ok || number.IsZero() && len(record.Faults) == len(base.Faults) {
			continue
		}
		sum = sum.Add(number)
		if len(record.Faults) == len(base.Faults) {
			record.Values[shares] = number.String()
		}
		d.Records = append(d.Records, record)
	}
	if total.Column < 0 || total.Read.Values[index] == nil {
		return
	}
	if stated := decimalOf(total.Read.Values[index]); !stated.Equal(sum) {
		found.differs("rowTotalMismatch", Address(d.Sheet, base.Row, total.Column), stated, sum)
	}
}

// quantity returns the number of shares of a class in a row, or adds a fault to the record. ok is false for a cell without a number.
func (d *draft) quantity(index int, column TableColumn, record *Record) (number exact.Decimal, ok bool) {
	if value := column.Read.Values[index]; value != nil {
		return decimalOf(value), true
	}
	code := column.Read.code(index, Quantity)
	if code == "" {
		return exact.Decimal{}, false
	}
	record.Faults = append(record.Faults, d.fault("shares", code, index, column))
	return exact.Decimal{}, true
}

// className returns the name of the class of a column of a matrix, as the organization writes it.
func className(column TableColumn, known []string) string {
	for _, class := range known {
		if normal, _ := NormalHeading(class); normal == column.normal {
			return class
		}
	}
	return column.Heading
}

// decimalOf returns the number of a canonical value; 0 if it is absent.
func decimalOf(value *string) exact.Decimal {
	if value == nil {
		return exact.Decimal{}
	}
	number, err := exact.ParseDecimal(*value)
	if err != nil {
		return exact.Decimal{}
	}
	return number
}

// differs adds the finding that a stated total is not the computed one.
func (f *Recognition) differs(code, cell string, stated, computed exact.Decimal) {
	f.Findings = append(f.Findings, Finding{
		Severity: SeverityWarning, Code: code, Cell: cell,
		Message: "The total " + stated.String() + " differs from the sum " + computed.String() + " of the rows.",
		Stated:  stated.String(), Computed: computed.String(),
	})
}
