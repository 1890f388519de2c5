package sheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
)

// dollar is the name of the sign $, which many currencies have.
const dollar = "dollar"

// noCurrency is the code of transactions without a currency.
const noCurrency = "XX" + "X"

// signs maps the signs of currencies to their codes. The longest are tried first.
func signs() [][2]string {
	return [][2]string{
		{"US$", "USD"},
		{"CA$", "CAD"},
		{"AU$", "AUD"},
		{"NZ$", "NZD"},
		{"HK$", "HKD"},
		{"C$", "CAD"},
		{"A$", "AUD"},
		{"S$", "SGD"},
		{"R$", "BRL"},
		{"$", dollar},
		{"€", "EUR"},
		{"£", "GBP"},
		{"¥", "yen"},
		{"₹", "INR"},
		{"₩", "KRW"},
		{"₪", "ILS"},
		{"₺", "TRY"},
		{"₽", "RUB"},
		{"zł", "PLN"},
		{"Kč", "CZK"},
		{"kr.", "krone"},
		{"kr", "krone"},
		{"Fr.", "CHF"},
	}
}

// mark is the text of a number without its marks, and the marks.
type mark struct {
	text     string
	currency string
	percent  bool
	negative bool
}

// bare removes currency, percent sign, parentheses and the trailing minus of a number. The text is empty for a word or dash that means none.
func bare(text string) mark {
	var m mark
	switch {
	case isNone(text):
		return m
	case strings.Trim(text, "0123456789.,") == "":
		return mark{text: text}
	}
	for {
		before := text
		text = strings.TrimSpace(text)
		if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") && !m.negative {
			text, m.negative = inner[:len(inner)-1], true
		}
		if rest, ok := cutSign(text); ok && !m.negative {
			text, m.negative = rest, true
		}
		if rest, ok := strings.CutSuffix(text, "%"); ok && !m.percent {
			text, m.percent = rest, true
		}
		if m.currency == "" {
			text, m.currency = cutCurrency(text)
		}
		if text == before {
			break
		}
	}
	m.text = strings.TrimPrefix(text, "+")
	if m.text == "" {
		m.text = "?" // marks alone are no number
	}
	return m
}

// isNone reports whether a text is a word or dash that means none, or empty.
func isNone(text string) bool {
	switch text {
	case "", "-", "–", "—":
		return true
	}
	return strings.EqualFold(text, "n/a") || strings.EqualFold(text, "none")
}

// cutSign removes a minus at the start or the end.
func cutSign(text string) (string, bool) {
	for _, minus := range []string{"-", "\u2212", "–"} {
		if rest, ok := strings.CutPrefix(text, minus); ok {
			return rest, true
		}
		if rest, ok := strings.CutSuffix(text, minus); ok {
			return rest, true
		}
	}
	return text, false
}

// cutCurrency removes the sign or the code of a currency at the start or the end.
func cutCurrency(text string) (rest, code string) {
	for _, sign := range signs() {
		if rest, ok := strings.CutPrefix(text, sign[0]); ok && numeral(rest, false) {
			return rest, sign[1]
		}
		if rest, ok := strings.CutSuffix(text, sign[0]); ok && numeral(rest, true) {
			return rest, sign[1]
		}
	}
	const length = 3
	if len(text) > length {
		if code, ok := currencyCode(text[:length]); ok && numeral(text[length:], false) {
			return text[length:], code
		}
		if code, ok := currencyCode(text[len(text)-length:]); ok && numeral(text[:len(text)-length], true) {
			return text[:len(text)-length], code
		}
	}
	return text, ""
}

// numeral reports whether a text is not a letter on the side of its currency.
func numeral(text string, end bool) bool {
	c, _ := utf8.DecodeRuneInString(text)
	if end {
		c, _ = utf8.DecodeLastRuneInString(text)
	}
	return !unicode.IsLetter(c)
}

// currencyCode returns the code of a currency in capital letters.
func currencyCode(text string) (string, bool) {
	for _, c := range []byte(text) {
		if c < 'A' || c > 'Z' {
			return "", false
		}
	}
	unit, err := currency.ParseISO(text)
	return text, err == nil && unit.String() == text && text != noCurrency
}

// read returns the number of the text with a decimal separator and a separator of groups; empty if it has no such reading. Spaces and apostrophes
// separate groups too.
func (m mark) read(decimal, group byte) string {
	text, exponent := m.text, ""
	if text == "" || (text[0] < '0' || text[0] > '9') && text[0] != decimal {
		return ""
	}
	if at := strings.IndexAny(text, "eE"); at > 0 {
		exponent = text[at:]
		text = strings.TrimSuffix(text, exponent)
		if n, ok := figuresOf("1" + exponent); !ok || n.exponent > 40 || n.exponent < -40 {
			return ""
		}
	}
	whole, behind, _ := strings.Cut(text, string(decimal))
	if strings.HasSuffix(text, string(decimal)) || !isDigits(behind) || whole+behind == "" {
		return ""
	}
	digits, ok := ungroup(whole, group)
	if !ok {
		return ""
	}
	f, ok := figuresOf(digits + "." + behind + exponent)
	if !ok {
		return ""
	}
	f.negative = m.negative && f.digits != ""
	return f.String()
}

// ungroup removes the separators of groups of three digits, or of Indian groups behind commas.
func ungroup(whole string, group byte) (string, bool) {
	if isDigits(whole) {
		return whole, true
	}
	for _, separator := range []string{string(group), " ", "'", "’"} {
		groups := strings.Split(whole, separator)
		digits := strings.Join(groups, "")
		if len(groups) == 1 || !isDigits(digits) || groups[0] == "" || groups[0][0] == '0' {
			continue
		}
		if inGroups(groups, 3) || separator == "," && inGroups(groups, 2) {
			return digits, true
		}
	}
	return "", false
}

// inGroups reports whether the groups have a size, the last one three digits and the first one at least one.
func inGroups(groups []string, size int) bool {
	last := len(groups) - 1
	for _, group := range groups[1:last] {
		if len(group) != size {
			return false
		}
	}
	return len(groups[last]) == 3 && len(groups[0]) >= 1 && len(groups[0]) <= size
}
