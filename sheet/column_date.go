package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"equity/captable/exact"
)

// earliest is the first year of a date.
const earliest = 1900

// triple is a date of three numbers, whose order is not known.
type triple struct {
	index  int
	parts  [3]string
	dotted bool
}

// readDates reads the cells of a column of dates.
func (c *Column) readDates(cells []Cell, in Context) {
	var triples []triple
	for i, cell := range cells {
		switch cell.Kind {
		case Fault:
		case Date:
			c.day(i, cell.Value)
		case Number:
			if len(cell.Value) == len(compact) && isDigits(cell.Value) {
				c.day(i, iso(cell.Value))
			} else {
				c.serial(i, cell.Value, in.DateSystem)
			}
		case Text:
			if found, ok := c.written(i, cell.Value, in); ok {
				triples = append(triples, found)
			}
		case Boolean:
			c.fail(i, "invalidDate")
		}
	}
	if len(triples) > 0 {
		c.order(triples, in)
	}
}

// day sets a date in the permitted range.
func (c *Column) day(index int, text string) {
	date, err := exact.ParseDate(text)
	switch {
	case err != nil:
		c.fail(index, "invalidDate")
	case date.Time().Year() < earliest:
		c.fail(index, "dateOutOfRange")
	default:
		c.set(index, text)
	}
}

// serial sets the date of a number of days, as programs for spreadsheets store it.
func (c *Column) serial(index int, number, dateSystem string) {
	const first, last = 20_000, 80_000
	date, _, ok := serialDate(number, dateSystem)
	if days, err := strconv.Atoi(strings.Split(number, ".")[0]); err != nil || days < first || days > last || !ok {
		c.fail(index, "invalidDate")
		return
	}
	c.warn(index, "serialDate")
	c.day(index, date)
}

// written sets the date of a text that decides itself, and else returns its three numbers.
func (c *Column) written(index int, text string, in Context) (triple, bool) {
	switch {
	case isNone(text):
		return triple{}, false
	case isISO(text):
		c.day(index, text)
		return triple{}, false
	}
	text = withoutTime(text)
	parts := strings.FieldsFunc(fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-/.,‑–", r) })
	switch {
	case len(parts) == 1 && isDigits(text) && len(text) == len(compact):
		c.day(index, iso(text))
	case len(parts) == 1 && isDigits(text):
		c.serial(index, text, system)
	case len(parts) >= 3 && slices.ContainsFunc(parts, func(p string) bool { return !isDigits(p) }):
		if date, ok := worded(parts, in.Today); ok {
			c.day(index, date)
		} else {
			c.fail(index, "invalidDate")
		}
	case len(parts) != 3 || strings.ContainsAny(text, ","):
		c.fail(index, "invalidDate")
	case len(parts[0]) == 4:
		c.day(index, dateText(parts[0], parts[1], parts[2]))
	default:
		return triple{index, [3]string{parts[0], parts[1], parts[2]}, strings.Count(text, ".") >= 2}, true
	}
	return triple{}, false
}

// isISO reports whether a text has the form 2024-01-15.
func isISO(text string) bool {
	return len(text) == len("2024-01-15") && text[4] == '-' && text[7] == '-' && isDigits(text[:4]) && isDigits(text[5:7]) && isDigits(text[8:])
}

// compact is the form of a date without separators.
const compact = "20240115"

// iso adds the separators to a date without them.
func iso(text string) string { return text[:4] + "-" + text[4:6] + "-" + text[6:] }

// withoutTime removes a time from the end of a date.
func withoutTime(text string) string {
	date, rest, found := strings.Cut(text, ":")
	if !found || strings.Trim(rest, "0123456789:.,+ ZzAaPpMm") != "" {
		return text
	}
	at := strings.LastIndexAny(date, "Tt ")
	if at < 0 || !isDigits(date[at+1:]) {
		return text
	}
	return strings.TrimRight(date[:at], ", ")
}

func dateText(year, month, day string) string {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

// worded returns the date of words such as 1 marz 2024, jan 15 2024 or 15 de enero de 2024.
func worded(words []string, today exact.Date) (string, bool) {
	month, first := 0, 0
	var numbers []string
	for _, word := range words {
		number := word
		if digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz"); digits != "" && slices.Contains(
			[]string{"st", "nd", "rd", "th", "er", "e"}, word[len(digits):],
		) {
			number = digits
		}
		switch {
		case isDigits(number):
			numbers = append(numbers, number)
		case word == "of" || word == "de" || word == "del" || word == "den":
		case month == 0 && monthOf(word) > 0:
			month, first = monthOf(word), len(numbers)
		default:
			return "", false
		}
	}
	if month == 0 || len(numbers) != 2 {
		return "", false
	}
	day, year := numbers[0], numbers[1]
	if len(day) == 4 && first > 0 {
		day, year = year, day
	}
	if len(day) > 2 {
		return "", false
	}
	year, ok := fullYear(year, today)
	return dateText(year, strconv.Itoa(month), day), ok
}

// fullYear returns a year with its century. A year of two digits lies between 79 years before and 20 years after the present one.
func fullYear(year string, today exact.Date) (string, bool) {
	const digits, ahead, century = 2, 20, 100
	switch len(year) {
	case 4:
		return year, true
	case digits:
		n, _ := strconv.Atoi(year)
		limit := today.Time().Year() + ahead
		return strconv.Itoa(limit - (limit-n)%century), true
	}
	return "", false
}

// in returns the date of the three numbers in an order, or false if there is none.
func (t triple) in(order Format, today exact.Date) (string, bool) {
	day, month, year := t.parts[0], t.parts[1], t.parts[2]
	if order == MDY {
		day, month = month, day
	}
	if order == YMD {
		day, year = year, day
	}
	if len(day) > 2 || len(month) > 2 {
		return "", false
	}
	year, ok := fullYear(year, today)
	if !ok {
		return "", false
	}
	date := dateText(year, month, day)
	_, err := exact.ParseDate(date)
	return date, err == nil
}

// order decides the order of day, month and year, and sets the dates.
func (c *Column) order(triples []triple, in Context) {
	if slices.Contains([]Format{DMY, MDY, YMD}, in.Stated) {
		c.Format, c.By = in.Stated, byPerson
		for _, t := range triples {
			if date, ok := t.in(in.Stated, in.Today); ok {
				c.day(t.index, date)
			} else {
				c.fail(t.index, "otherFormat")
			}
		}
		return
	}
	triples = slices.DeleteFunc(triples, func(t triple) bool {
		impossible := len(possible([]triple{t}, in.Today)) == 0
		if impossible {
			c.fail(t.index, "invalidDate")
		}
		return impossible
	})
	remaining := possible(triples, in.Today)
	if len(remaining) == 0 {
		c.Status = Mixed
		for _, t := range triples {
			c.fail(t.index, "mixedDates")
		}
		return
	}
	if len(remaining) == 1 {
		c.Format = remaining[0]
	} else if !sameDates(triples, remaining, in.Today) {
		c.chooseOrder(triples, remaining, in)
	}
	for _, t := range triples {
		if c.Format == "" && !sameDates([]triple{t}, remaining, in.Today) {
			c.Ambiguous = append(c.Ambiguous, t.index)
			continue
		}
		order := remaining[0]
		if c.Format != "" {
			order = c.Format
		}
		date, _ := t.in(order, in.Today)
		c.day(t.index, date)
	}
}

// possible returns the orders that read all triples.
func possible(triples []triple, today exact.Date) []Format {
	var found []Format
	for _, order := range []Format{DMY, MDY, YMD} {
		if !slices.ContainsFunc(triples, func(t triple) bool { _, ok := t.in(order, today); return !ok }) {
			found = append(found, order)
		}
	}
	return found
}

// sameDates reports whether the orders give equal dates.
func sameDates(triples []triple, orders []Format, today exact.Date) bool {
	for _, t := range triples {
		date, _ := t.in(orders[0], today)
		for _, order := range orders[1:] {
			if other, _ := t.in(order, today); other != date {
				return false
			}
		}
	}
	return true
}

// chooseOrder chooses one of the orders that remain.
func (c *Column) chooseOrder(triples []triple, remaining []Format, in Context) {
	if order := agreed(in.Others, DMY, MDY, YMD); slices.Contains(remaining, order) {
		c.Format, c.By = order, byFile
		return
	}
	var hints []Format
	if !slices.ContainsFunc(triples, func(t triple) bool { return !t.dotted }) {
		hints = append(hints, DMY)
	}
	switch in.Hints.Country {
	case "":
	case "US":
		hints = append(hints, MDY)
	default:
		hints = append(hints, DMY)
	}
	if order := agreed(hints, DMY, MDY); slices.Contains(remaining, order) {
		c.Status, c.Format, c.By = Assumed, order, byHint
		return
	}
	c.Status, c.By = Ask, ""
}
