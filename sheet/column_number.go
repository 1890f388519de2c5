package sheet

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
)

// readings are the meanings of the text of a number.
type readings struct {
	index int
	// point and comma are the numbers by decimal separator; empty if the text has no such reading.
	point, comma string
	percent      bool // the text has a percent sign, or its cell a percent format
	typed        bool // the cell has the type of a number
}

// only returns the format of which the text is evidence, or an empty one.
func (r readings) only() Format {
	switch {
	case r.comma == "":
		return Point
	case r.point == "":
		return Comma
	}
	return ""
}

func (r readings) ambiguous() bool { return r.point != r.comma && r.point != "" && r.comma != "" }

// in returns the number in a format. An empty format is that of a number with one meaning.
func (r readings) in(f Format) string {
	if f == Comma {
		return r.comma
	}
	return r.point
}

// readNumbers reads the cells of a column of numbers.
func (c *Column) readNumbers(cells []Cell, in Context) {
	read := c.readingsOf(cells, in)
	var evidence []Format
	ambiguous := false
	for _, r := range read {
		if only := r.only(); only != "" && !slices.Contains(evidence, only) {
			evidence = append(evidence, only)
		}
		ambiguous = ambiguous || r.ambiguous()
	}
	switch {
	case in.Stated == Point || in.Stated == Comma:
		c.Format, c.By = in.Stated, byPerson
	case len(evidence) > 1:
		c.Status = Mixed
	case len(evidence) == 1:
		c.Format = evidence[0]
	case ambiguous:
		c.chooseNumber(in)
	}
	numbers := c.chosen(read)
	if in.Type == Fraction {
		numbers = c.fractions(numbers)
	}
	for _, n := range numbers {
		c.place(n, in)
	}
	slices.Sort(c.Ambiguous)
}

// chooseNumber chooses the format of a column without evidence.
func (c *Column) chooseNumber(in Context) {
	if format := agreed(in.Others, Point, Comma); format != "" {
		c.Format, c.By = format, byFile
		return
	}
	hints := []Format{map[string]Format{";": Comma, ",": Point}[in.Hints.Delimiter], formatOf(in.Hints.Language)}
	if format := agreed(hints, Point, Comma); format != "" {
		c.Status, c.Format, c.By = Assumed, format, byHint
		return
	}
	c.Status, c.By = Ask, ""
}

// formatOf returns the usual format of numbers in a language, or an empty one.
func formatOf(language string) Format {
	name, region, _ := strings.Cut(strings.ToLower(language), "-")
	switch {
	case region == "ch" || region == "li":
		return ""
	case slices.Contains([]string{"en", "he", "ja", "ko", "th", "zh"}, name):
		return Point
	case slices.Contains([]string{
		"bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "id", "is", "it", "lt", "lv", "nb", "nl", "nn", "no", "pl",
		"pt", "ro", "ru",
		"sk", "sl", "sr", "sv", "tr", "uk", "vi",
	}, name):
		return Comma
	}
	return ""
}

// readingsOf returns the readings of all filled cells.
func (c *Column) readingsOf(cells []Cell, in Context) []readings {
	all := make([]readings, 0, len(cells))
	whole := in.Type == Quantity && !in.Fractional
	for i, cell := range cells {
		switch cell.Kind {
		case Fault:
		case Number:
			all = append(all, readings{index: i, point: cell.Value, comma: cell.Value, percent: cell.Percent, typed: true})
		case Text:
			mark := bare(cell.Value)
			if c.Codes[i] = mark.currency; mark.currency != "" && !slices.Contains(c.Currencies, mark.currency) {
				c.Currencies = append(c.Currencies, mark.currency)
			}
			if mark.text == "" {
				continue
			}
			r := readings{index: i, point: mark.read('.', ','), comma: mark.read(',', '.'), percent: mark.percent}
			if whole && r.ambiguous() && isWhole(r.point) != isWhole(r.comma) {
				if isWhole(r.point) {
					r.comma = ""
				} else {
					r.point = ""
				}
			}
			if r.point == "" && r.comma == "" || mark.percent && in.Type != Fraction {
				c.fail(i, "invalidDecimal")
				continue
			}
			all = append(all, r)
		case Date, Boolean:
			c.fail(i, "invalidDecimal")
		}
	}
	slices.Sort(c.Currencies)
	return all
}

func isWhole(number string) bool { return !strings.Contains(number, ".") }

// value is the number of a cell.
type value struct {
	index  int
	number string
	plain  bool // without a percent sign or format
	typed  bool // as the cell stores it
}

// chosen returns the numbers in the format of the column.
func (c *Column) chosen(read []readings) []value {
	all := make([]value, 0, len(read))
	for _, r := range read {
		number := r.in(c.Format)
		switch {
		case c.Format == "" && c.Status == Mixed && r.point != r.comma:
			c.fail(r.index, "mixedFormats")
			if r.ambiguous() {
				c.Ambiguous = append(c.Ambiguous, r.index)
			}
			continue
		case c.Format == "" && r.ambiguous():
			c.Ambiguous = append(c.Ambiguous, r.index)
			continue
		case number == "":
			c.fail(r.index, "otherFormat")
			continue
		}
		all = append(all, value{r.index, number, !r.percent, r.typed})
	}
	return all
}

// place sets a number, within the places of its type.
func (c *Column) place(n value, in Context) {
	number, err := exact.ParseDecimal(n.number)
	if err != nil && in.Type != Quantity {
		if exactly, ok := new(big.Rat).SetString(n.number); ok {
			if number = exact.RoundHalfUp(exactly, exact.Places); number.Fits() {
				err = nil
				c.warn(n.index, "rounded")
			}
		}
	}
	switch {
	case err != nil:
		c.fail(n.index, "invalidDecimal")
	case in.Type == Quantity && !in.Fractional && !number.IsWhole():
		c.fail(n.index, "notWhole")
	case in.Type == Fraction && (number.Sign() < 0 || number.Cmp(exact.NewDecimal(1)) > 0):
		c.fail(n.index, "range")
	default:
		c.set(n.index, number.String())
	}
}

// fractions divides percentages by 100. Plain numbers are percentages if any of them is above 1. Beside such a number, one between 0 and 1 is asked,
// and so is 1 if the plain numbers are only 1 and 0.
func (c *Column) fractions(numbers []value) []value {
	percentages, between, ones := false, false, false
	for _, n := range numbers {
		if !n.plain {
			continue
		}
		switch n.size() {
		case above:
			percentages = true
		case within:
			between = true
		case one:
			ones = true
		}
	}
	var known []value
	for _, n := range numbers {
		switch size := n.size(); {
		case n.plain && percentages && size == within:
			c.fail(n.index, "mixedPercent")
			c.ask(n.index)
			continue
		case n.plain && ones && !percentages && !between && size == one:
			c.ask(n.index)
			continue
		case n.plain && percentages || !n.plain && !n.typed:
			f, _ := figuresOf(n.number)
			f.exponent -= 2
			n.number = f.String()
		}
		known = append(known, n)
	}
	return known
}

// ask makes the column one that must be asked about the cell.
func (c *Column) ask(index int) {
	if c.Status != Mixed {
		c.Status, c.By = Ask, ""
	}
	c.Ambiguous = append(c.Ambiguous, index)
}

// The sizes of a number that may be a fraction or a percentage.
const (
	zero = iota
	within
	one
	above
)

func (n value) size() int {
	f, _ := figuresOf(n.number)
	switch {
	case f.negative || f.digits == "":
		return zero
	case f.exponent <= 0:
		return within
	case f.digits == "1" && f.exponent == 1:
		return one
	}
	return above
}
