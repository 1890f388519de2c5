package sheet

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// NormalHeading returns the normal form of a heading, and the code of a currency in parentheses. Words in camel case and snake case are
// split, accents folded, and words without meaning dropped.
func NormalHeading(text string) (normal, currency string) {
	bare, currency := withoutParentheses(text)
	if strings.TrimSpace(bare) == "" {
		bare = text
	}
	var words []string
	for _, word := range strings.FieldsFunc(marked(bare), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		switch word = fold(word); word {
		case "of", "the", "de", "des", "du", "til":
		case "no", "nr":
			words = append(words, "number")
		case "qty":
			words = append(words, "quantity")
		default:
			words = append(words, word)
		}
	}
	return strings.Join(words, " "), currency
}

// withoutParentheses removes the parts in parentheses, and returns the code of a currency in them.
func withoutParentheses(text string) (bare, currency string) {
	for {
		open := strings.IndexAny(text, "([")
		end := -1
		if open >= 0 {
			end = strings.IndexAny(text[open:], ")]")
		}
		if end < 0 {
			return bare + text, currency
		}
		if code, ok := currencyCode(strings.TrimSpace(text[open+1 : open+end])); ok && currency == "" {
			currency = code
		}
		bare, text = bare+text[:open]+" ", text[open+end+1:]
	}
}

// marked splits words in camel case, and writes signs as words.
func marked(text string) string {
	var out strings.Builder
	last := ' '
	for _, c := range text {
		switch {
		case c == '#':
			out.WriteString(" number ")
		case c == '%':
			out.WriteString(" percent ")
		case unicode.IsUpper(c) && unicode.IsLower(last):
			out.WriteRune(' ')
			out.WriteRune(c)
		case c == '\'' || c == '’':
		default:
			out.WriteRune(c)
		}
		last = c
	}
	return out.String()
}

// heading is a row that names the columns of a table.
type heading struct {
	index  int            // of the row in its sheet
	names  map[int]string // the normal headings by column
	kind   *RecordKind
	fields map[int]string // by column
	// second are the fields of columns that an earlier column has already.
	second map[int]string
	known  int
	// assumed are the fields whose meaning is not certain.
	assumed []string
	matrix  bool
	classes map[int]bool // the columns of a matrix that are classes
}

// headingOf returns the heading that a row with the names is, or nil.
func (r *Registry) headingOf(sheet *Sheet, names map[int]string, q Question) *heading {
	if !r.recognizes(names) {
		return nil
	}
	var best *heading
	for i := range r.kinds {
		candidate := &r.kinds[i]
		if q.Kind != "" && candidate.Name != q.Kind {
			continue
		}
		found := r.match(candidate, names)
		if found == nil || q.Kind == "" && (found.known < 2 || candidate.Name == "members" && r.quantified(names)) {
			continue
		}
		if best == nil || suggests(sheet, candidate) && !suggests(sheet, best.kind) ||
			suggests(sheet, candidate) == suggests(sheet, best.kind) && found.known > best.known {
			best = found
		}
	}
	if best == nil || best.kind.Name == "members" && q.Kind == "" {
		if matrix := r.matrixOf(names, q); matrix != nil {
			best = matrix
		}
	}
	if best != nil {
		best.names = names
	}
	return best
}

// follows reports whether a row with the names, below the first heading of a sheet, is one too, and not a record with a word that is also a heading:
// it has at least two known headings and no more unknown ones, or it repeats the first heading.
func (h *heading) follows(first *heading, names map[int]string) bool {
	return h.known >= 2 && 2*h.known >= len(names) || maps.Equal(names, first.names)
}

// recognizes reports whether one of the headings is known.
func (r *Registry) recognizes(names map[int]string) bool {
	for _, name := range names {
		if r.headings[name] {
			return true
		}
	}
	return false
}

// suggests reports whether the name of a sheet is that of a kind.
func suggests(sheet *Sheet, kind *RecordKind) bool {
	name, _ := NormalHeading(sheet.Name)
	return slices.ContainsFunc(kind.Sheets, func(known string) bool {
		return name == known || strings.HasSuffix(name, " "+known) || strings.HasPrefix(name, known+" ")
	})
}

// quantified reports whether one of the headings is that of a quantity.
func (r *Registry) quantified(names map[int]string) bool {
	for _, name := range names {
		if r.quantities[name] {
			return true
		}
	}
	return false
}

// headingTexts returns the normal headings of a row by column; none if a cell is a value. A name that is not unique gets that of the row above.
func headingTexts(sheet *Sheet, index int) map[int]string {
	row := sheet.Rows[index]
	if slices.ContainsFunc(row.Cells, isValue) {
		return nil
	}
	names, count := map[int]string{}, map[string]int{}
	for _, cell := range row.Cells {
		normal, _ := NormalHeading(cell.Value)
		names[int(cell.Column)] = normal
		count[normal]++
	}
	if index == 0 || sheet.Rows[index-1].Number != row.Number-1 || slices.ContainsFunc(
		sheet.Rows[index-1].Cells, func(c Cell) bool { return c.Kind != Text },
	) {
		return names
	}
	above, group := sheet.Rows[index-1].Cells, ""
	for column := range MaxColumns {
		for _, cell := range above {
			if int(cell.Column) == column {
				group, _ = NormalHeading(cell.Value)
			}
		}
		if name, found := names[column]; found && count[name] > 1 && group != "" {
			names[column] = group + " " + name
		}
	}
	return names
}

// isValue reports whether a cell cannot be a heading: a number, a date or an address.
func isValue(cell Cell) bool {
	if cell.Kind != Text || strings.Contains(cell.Value, "@") {
		return true
	}
	return strings.ContainsAny(cell.Value, "0123456789") && strings.Trim(cell.Value, "0123456789.,'-/: $€£+()%") == ""
}

// match returns the fields of a kind in the headings, or nil if a required one is missing. A field takes its first column.
func (r *Registry) match(kind *RecordKind, names map[int]string) *heading {
	found := &heading{kind: kind, fields: map[int]string{}, second: map[int]string{}}
	taken := map[string]bool{}
	for column := range MaxColumns {
		name, filled := names[column]
		field, known := r.known[kind.Name][name]
		if !filled || !known {
			continue
		}
		found.known++
		if taken[field] {
			found.second[column] = field
			continue
		}
		found.fields[column], taken[field] = field, true
	}
	if kind.field("shares") != nil && !taken["shares"] && taken["outstanding"] { // the issued shares are then those that are outstanding
		for column, field := range found.fields {
			if field == "outstanding" {
				found.fields[column], taken["shares"] = "shares", true
				found.assumed = append(found.assumed, "shares")
			}
		}
	}
	for _, field := range kind.Required {
		if named := field == "fullName" && (taken["institution"] || taken["firstName"] && taken["lastName"]); !taken[field] && !named {
			return nil
		}
	}
	return found
}
