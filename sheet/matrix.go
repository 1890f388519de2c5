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
	found := &heading{kind: r.Kind(kind), fields: map[int]string{}, matrix: true}
	classes := 0
	for column := range MaxColumns {
		name, filled := names[column]
		switch {
		case !filled:
		case isClass(name, q.Classes):
			classes++
		case r.quantities[name]:
			return nil
		default:
			if field := r.known[kind][name]; field == "holder" || field == "email" || field == "relationship" {
				found.fields[column] = field
			}
		}
	}
	if classes == 0 || !slices.Contains(fieldsIn(found.fields), "holder") {
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
	base := d.record(index)
	sum, total := exact.Decimal{}, TableColumn{Column: -1}
	for _, column := range d.Columns {
		normal, _ := NormalHeading(column.Heading)
		if isTotal(normal, nil) {
			total = column
		}
		cell := d.rows[index].at(column.Column)
		if cell == nil || !column.class() {
			continue
		}
		record := Record{Kind: d.Kind, Row: base.Row, Values: map[string]string{}, Faults: base.Faults}
		for _, field := range []string{"holder", "email", "relationship"} {
			if value, ok := base.Values[field]; ok {
				record.Values[field] = value
			}
		}
		quantity := "shares"
		switch normal {
		case "options", "warrants":
			record.Kind, quantity = normal, "quantity"
		default:
			record.Values["security"] = column.Heading
		}
		if value := column.Read.Values[index]; value != nil {
			number := decimalOf(value)
			sum = sum.Add(number)
			if number.IsZero() {
				continue
			}
			record.Values[quantity] = *value
		} else if code := column.Read.code(index, Quantity); code != "" {
			record.Faults = append(slices.Clone(record.Faults), RecordFault{quantity, code, Address(d.Sheet, base.Row, column.Column), cell.Value})
		} else {
			continue
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

// class reports whether a column of a matrix is a class, and neither a field of the holder nor a total nor a part of the whole.
func (c TableColumn) class() bool {
	normal, _ := NormalHeading(c.Heading)
	return c.Field == "" && !isTotal(normal, nil) && !strings.Contains(normal, "percent")
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
		Severity: SeverityWarning, Code: code, Cell: cell, Message: "The total " + stated.String() + " differs from the sum " + computed.String() + " of the rows.",
		Stated: stated.String(), Computed: computed.String(),
	})
}
