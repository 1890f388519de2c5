package sheet

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// months lists the names of each month in English, German, French, Norwegian, Swedish, Danish, Dutch, Spanish and Italian, without accents.
func months() [12]string {
	return [12]string{
		"january januar jaenner janner janvier januari enero gennaio",
		"february februar feber fevrier februari febrero febbraio",
		"march marz maerz mars marts maart mrt marzo",
		"april avril abril aprile",
		"may mai maj mei mayo maggio",
		"june juni juin junio giugno",
		"july juli juillet julio luglio",
		"august aout augusti augustus agosto",
		"september septembre septiembre setiembre settembre",
		"october oktober octobre octubre ottobre",
		"november novembre noviembre",
		"december dezember decembre desember diciembre dicembre", //nolint:misspell // the French name
	}
}

// monthOf returns the month of a folded name or of its beginning with at least three letters, or 0 if it has none or several.
func monthOf(name string) int {
	const least = 3
	found := 0
	for i, names := range months() {
		for candidate := range strings.FieldsSeq(names) {
			if name == candidate {
				return i + 1
			}
			if len(name) >= least && strings.HasPrefix(candidate, name) {
				if found != 0 && found != i+1 {
					return 0
				}
				found = i + 1
			}
		}
	}
	return found
}

// fold returns a text in lower case without accents.
func fold(text string) string {
	var out strings.Builder
	for _, c := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case c == 'ß':
			out.WriteString("ss")
		case c == 'æ':
			out.WriteString("ae")
		case c == 'ø':
			out.WriteByte('o')
		case c == 'œ':
			out.WriteString("oe")
		case c == 'ł':
			out.WriteByte('l')
		case c == 'đ' || c == 'ð':
			out.WriteByte('d')
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}
