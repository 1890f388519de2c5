package certificate

import (
	"errors"
	"strings"
)

// errDecimal is the error of a malformed number of shares.
var errDecimal = errors.New("shares must be a decimal of at most 19 integer and 10 fractional digits")

const (
	maxInteger  = 19
	maxFraction = 10
)

// decimal is an exact nonnegative number as its digits.
type decimal struct {
	integer  string // without leading zeros, at least "0"
	fraction string // without trailing zeros, may be empty
}

func parseDecimal(s string) (decimal, error) {
	integer, fraction, point := strings.Cut(s, ".")
	if !isDigits(integer) || len(integer) > maxInteger {
		return decimal{}, errDecimal
	}
	if point && (!isDigits(fraction) || len(fraction) > maxFraction) {
		return decimal{}, errDecimal
	}
	integer = strings.TrimLeft(integer, "0")
	if integer == "" {
		integer = "0"
	}
	return decimal{integer, strings.TrimRight(fraction, "0")}, nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// InFigures formats a decimal for print, "1,250,000.5", with thousands separators and without superfluous zeros.
// It fails if s is not a decimal of at most 19 integer and 10 fractional digits.
func InFigures(s string) (string, error) {
	d, err := parseDecimal(s)
	if err != nil {
		return "", err
	}
	figures := grouped(d.integer)
	if d.fraction != "" {
		figures += "." + d.fraction
	}
	return figures, nil
}

// InWords formats a decimal in English words, "One Million Two Hundred Fifty Thousand". A fraction follows as a
// fraction of a power of ten, "and 5/10", exactly. It fails for the same inputs as InFigures.
func InWords(s string) (string, error) {
	d, err := parseDecimal(s)
	if err != nil {
		return "", err
	}
	words := integerWords(d.integer)
	if d.fraction != "" {
		numerator := strings.TrimLeft(d.fraction, "0")
		denominator := "1" + strings.Repeat("0", len(d.fraction))
		words += " and " + grouped(numerator) + "/" + grouped(denominator)
	}
	return words, nil
}

// isOne reports whether the decimal is exactly one, which takes the singular.
func (d decimal) isOne() bool { return d.integer == "1" && d.fraction == "" }

// grouped separates digits by commas, in groups of three from the right.
func grouped(digits string) string {
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// integerWords spells digits without leading zeros.
func integerWords(digits string) string {
	if digits == "0" {
		return "Zero"
	}
	scales := [...]string{"", "Thousand", "Million", "Billion", "Trillion", "Quadrillion", "Quintillion"}
	padded := strings.Repeat("0", (3-len(digits)%3)%3) + digits
	var words []string
	for i := 0; i < len(padded); i += 3 {
		group := hundreds(padded[i : i+3])
		if len(group) == 0 {
			continue
		}
		words = append(words, group...)
		if scale := scales[(len(padded)-i)/3-1]; scale != "" {
			words = append(words, scale)
		}
	}
	return strings.Join(words, " ")
}

// hundreds returns the words for three digits, which are empty for 000.
func hundreds(digits string) []string {
	ones := [...]string{
		"", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine",
		"Ten", "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen",
		"Seventeen", "Eighteen", "Nineteen",
	}
	tens := [...]string{
		"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety",
	}
	hundred, ten, one := digits[0]-'0', digits[1]-'0', digits[2]-'0'
	var words []string
	if hundred > 0 {
		words = append(words, ones[hundred], "Hundred")
	}
	switch {
	case ten < 2 && ten*10+one > 0:
		words = append(words, ones[ten*10+one])
	case ten >= 2 && one > 0:
		words = append(words, tens[ten]+"-"+ones[one])
	case ten >= 2:
		words = append(words, tens[ten])
	}
	return words
}
