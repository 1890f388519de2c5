package sheet

import "strings"

// look is the meaning of a number format.
type look struct {
	date, percent bool
	// zeros is the number of digits that a format of only zeros fills.
	zeros int
}

// builtIn returns the meaning of a built-in format (ECMA-376 part 1, 18.8.30).
func builtIn(id int) look {
	switch {
	case id >= 14 && id <= 22, id >= 27 && id <= 36, id >= 50 && id <= 58:
		return look{date: true}
	case id == 9 || id == 10:
		return look{percent: true}
	}
	return look{}
}

// lookOf returns the meaning of a custom format. Its first section decides, without quoted text, escaped characters and brackets.
func lookOf(code string) look {
	var bare strings.Builder
	quoted, bracket, literal := false, false, false
section:
	for _, c := range code {
		switch {
		case literal:
			literal = false
		case quoted:
			quoted = c != '"'
		case bracket:
			bracket = c != ']'
		case c == '"':
			quoted = true
		case c == '[':
			bracket = true
		case c == '\\' || c == '_' || c == '*':
			literal = true
		case c == ';':
			break section
		default:
			bare.WriteRune(c)
		}
	}
	text := strings.ToLower(bare.String())
	if strings.EqualFold(text, "general") {
		return look{}
	}
	found := look{
		date:    strings.ContainsAny(text, "yd") || strings.Contains(text, "mmm"),
		percent: strings.Contains(text, "%"),
	}
	if len(text) > 1 && strings.Trim(text, "0") == "" {
		found.zeros = len(text)
	}
	return found
}

// pad returns a whole number as a format of zeros shows it.
func (l look) pad(number string) string {
	if l.zeros == 0 || !isDigits(number) {
		return ""
	}
	return strings.Repeat("0", max(0, l.zeros-len(number))) + number
}
