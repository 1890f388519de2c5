package sheet

import (
	"slices"
	"strings"

	"equity/captable/exact"
)

// sums are the quantities of the rows above a total.
type sums struct {
	*draft

	// columns are those with quantities: one, or the classes of a matrix.
	columns []*sum
	classes []string
}

// sum is the sum of a column.
type sum struct {
	TableColumn
	since, all, pools exact.Decimal // since the last total; of all rows; of pools
}

func newSums(d *draft) *sums {
	s := &sums{draft: d}
	for _, column := range d.Columns {
		if column.class || column.Field != "" && column.Field == d.kind.Quantity {
			s.columns = append(s.columns, &sum{TableColumn: column})
		}
		if column.Field == "security" || column.Field == "plan" {
			for _, value := range column.Read.Values {
				if value != nil && !slices.Contains(s.classes, *value) && len(s.classes) < MaxColumns {
					s.classes = append(s.classes, *value)
				}
			}
		}
	}
	return s
}

// reason returns why a row is no record, or an empty text. It adds the quantities of the row to the sums.
func (s *sums) reason(index int, found *Recognition) string {
	row := s.rows[index]
	label, place := labelOf(row)
	normal, _ := NormalHeading(label)
	switch {
	case len(s.columns) > 0 && isPool(normal):
		pool := exact.Decimal{}
		for _, c := range s.columns {
			number := decimalOf(c.Read.Values[index])
			pool, c.pools = pool.Add(number), c.pools.Add(number)
		}
		s.Pools = append(s.Pools, Pool{row.Number, label, pool.String()})
		return PoolRow
	case label != "" && isTotal(normal, s.classes), label == "" && s.numbersAlone(row):
		return s.total(index, place, label != "", found)
	}
	for _, c := range s.columns {
		number := decimalOf(c.Read.Values[index])
		c.since, c.all = c.since.Add(number), c.all.Add(number)
	}
	return ""
}

// labelOf returns the first text of a row that is no number, and its column.
func labelOf(row Row) (string, int) {
	for _, cell := range row.Cells {
		if cell.Kind != Text {
			continue
		}
		if !strings.ContainsAny(cell.Value, "0123456789") && !isNone(cell.Value) {
			return cell.Value, int(cell.Column)
		}
		if m := bare(cell.Value); m.text != "" && m.read('.', ',') == "" && m.read(',', '.') == "" {
			return cell.Value, int(cell.Column)
		}
	}
	return "", -1
}

// numbersAlone reports whether all filled cells of a row are numbers.
func (s *sums) numbersAlone(row Row) bool {
	return len(s.columns) > 0 && !slices.ContainsFunc(row.Cells, func(c Cell) bool { return c.Kind != Number && c.Kind != Text })
}

// total decides whether a row with the form of a total is one.
func (s *sums) total(index, place int, labelled bool, found *Recognition) string {
	equal := true
	for _, c := range s.columns {
		if value := c.Read.Values[index]; value != nil {
			number := decimalOf(value)
			equal = equal && (number.Equal(c.since) || number.Equal(c.all) || number.Equal(c.all.Add(c.pools)))
		}
	}
	if !equal && s.identified(index, place) {
		if labelled {
			found.add(
				SeverityWarning, "looksLikeTotal", Address(s.Sheet, s.rows[index].Number, place),
				"The row looks like a total, and was read as a record.",
			)
		}
		return ""
	}
	for _, c := range s.columns {
		value := c.Read.Values[index]
		if number := decimalOf(value); value != nil && !number.Equal(c.since) && !number.Equal(c.all) && !number.Equal(c.all.Add(c.pools)) {
			found.differs("totalMismatch", Address(s.Sheet, s.rows[index].Number, c.Column), number, c.since)
		}
		c.since = exact.Decimal{}
	}
	return TotalRow
}

// identified reports whether a row has an e-mail address, a certificate or a date beside its label.
func (s *sums) identified(index, label int) bool {
	return slices.ContainsFunc(s.Columns, func(c TableColumn) bool {
		as := c.Field == "email" || c.Field == "certificate" || s.typeOf(c) == Day
		return as && c.Column != label && s.rows[index].at(c.Column) != nil
	})
}

// IsTotal reports whether the name of a holder is the label of a total.
func IsTotal(name string) bool {
	normal, _ := NormalHeading(name)
	return isTotal(normal, nil)
}

// isTotal reports whether a normal label is that of a total: alone, or followed by words for shares or by a class.
func isTotal(label string, classes []string) bool {
	for _, word := range []string{
		"total", "totals", "subtotal", "sub total", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme", "insgesamt",
		"totalt", "sum totalt", "summa",
		"somme", "total general", "sous total", "totaal", "subtotaal", "totale", "i alt", "suma",
	} {
		rest, found := strings.CutPrefix(label, word)
		if !found {
			continue
		}
		if rest == "" {
			return true
		}
		named, spaced := strings.CutPrefix(rest, " ")
		if spaced && (!slices.ContainsFunc(strings.Fields(named), isNoUnit) || slices.ContainsFunc(classes, func(class string) bool {
			normal, _ := NormalHeading(class)
			return normal == named
		})) {
			return true
		}
	}
	return false
}

func isUnit(word string) bool {
	return slices.Contains([]string{
		"shares", "share", "stock", "units", "options", "warrants", "grants", "securities", "issued", "outstanding", "granted",
		"authorized", "diluted", "fully", "holders",
		"shareholders", "stockholders", "aktien", "anteile", "aksjer", "aktier", "aktsier", "actions", "aandelen", "acciones", "azioni",
		"number", "all", "common", "preferred",
		"amount", "principal", "capital",
	}, word)
}

func isNoUnit(word string) bool { return !isUnit(word) }

// isPool reports whether a normal label is that of shares reserved for grants, which have no holder.
func isPool(label string) bool {
	words := strings.Fields(label)
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "unallocated", "unissued", "ungranted":
		return true
	case "esop", "vsop", "pool":
		return len(words) == 1 || slices.Contains([]string{"pool", "plan", "reserve", "available", "unallocated", "options"}, words[1])
	case "available":
		return len(words) > 1 && words[1] == "for"
	}
	for _, name := range []string{
		"option pool", "options pool", "stock option pool", "share option pool", "employee option pool", "equity pool",
		"equity incentive pool", "incentive pool",
		"options available", "shares available", "reserved for", "shares reserved",
	} {
		if label == name || strings.HasPrefix(label, name+" ") {
			return true
		}
	}
	return false
}
