package sheet

import (
	"strconv"
	"strings"
)

// The range of numbers that a cell can hold: that of the doubles of IEEE 754.
const (
	significant = 15
	maxExponent = 310
	minExponent = -330
)

// figures are the digits of a number: ±0.DIGITS × 10^exponent. The digits have neither leading nor trailing zeros; 0 has none.
type figures struct {
	negative bool
	digits   string
	exponent int
}

// figuresOf parses a number such as -1.5E-7. ok is false for other texts and for numbers beyond the range.
func figuresOf(text string) (f figures, ok bool) {
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	f.negative = negative
	exponent := 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		n, err := strconv.Atoi(rest[at+1:])
		if err != nil || n > 2*maxExponent || n < 2*minExponent {
			return f, false
		}
		rest, exponent = rest[:at], n
	}
	whole, behind, _ := strings.Cut(rest, ".")
	if whole+behind == "" || !isDigits(whole+behind) {
		return f, false
	}
	digits := whole + behind
	f.exponent = len(whole) + exponent
	trimmed := strings.TrimLeft(digits, "0")
	f.exponent -= len(digits) - len(trimmed)
	f.digits = strings.TrimRight(trimmed, "0")
	if f.digits == "" {
		return figures{}, true
	}
	return f, f.exponent <= maxExponent && f.exponent >= minExponent
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// String returns the shortest decimal form, without an exponent.
func (f figures) String() string {
	if f.digits == "" {
		return "0"
	}
	sign := ""
	if f.negative {
		sign = "-"
	}
	switch n := len(f.digits); {
	case f.exponent <= 0:
		return sign + "0." + strings.Repeat("0", -f.exponent) + f.digits
	case f.exponent >= n:
		return sign + f.digits + strings.Repeat("0", f.exponent-n)
	default:
		return sign + f.digits[:f.exponent] + "." + f.digits[f.exponent:]
	}
}

// round returns the number rounded half up to a number of significant digits.
func (f figures) round(digits int) figures {
	if len(f.digits) <= digits {
		return f
	}
	up := f.digits[digits] >= '5'
	kept := []byte(f.digits[:digits])
	for i := len(kept) - 1; up && i >= 0; i-- {
		if up = kept[i] == '9'; up {
			kept[i] = '0'
		} else {
			kept[i]++
		}
	}
	if up {
		kept, f.exponent = append([]byte{'1'}, kept...), f.exponent+1
	}
	f.digits = strings.TrimRight(string(kept), "0")
	return f
}

// stored returns the number that a program for spreadsheets shows for the text of a workbook. With more than 15 significant digits that is the exact
// value of the nearest double, rounded half up to 15 digits.
func stored(text string) (string, bool) {
	f, ok := figuresOf(text)
	if !ok || len(f.digits) <= significant {
		return f.String(), ok
	}
	double, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", false
	}
	const fast, all = 17, 766 // places behind the first digit; a double has at most 767 digits
	f, ok = figuresOf(strconv.FormatFloat(double, 'e', fast, 64))
	if len(f.digits) == significant+1 { // these 18 digits may hide on which side of the half the value lies
		f, ok = figuresOf(strconv.FormatFloat(double, 'e', all, 64))
	}
	return f.round(significant).String(), ok
}
