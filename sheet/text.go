package sheet

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tidy returns a text in normal form C. Each run of white space becomes one space, zero-width characters are removed, and so is the apostrophe that
// marks a text as not a formula.
func tidy(text string) string {
	if plain(text) {
		return unmark(text)
	}
	var out strings.Builder
	space := false
	for _, c := range norm.NFC.String(text) {
		switch {
		case zeroWidth(c):
		case unicode.IsSpace(c):
			space = out.Len() > 0
		default:
			if space {
				out.WriteByte(' ')
				space = false
			}
			out.WriteRune(c)
		}
	}
	return unmark(out.String())
}

// plain reports whether the text has only ASCII characters and single spaces within.
func plain(text string) bool {
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c >= 0x80 || c < ' ' && unicode.IsSpace(rune(c)) || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' ' || text == ""
}

func zeroWidth(c rune) bool { return c >= '\u200b' && c <= '\u200d' || c == '\u2060' || c == '\ufeff' }

func unmark(text string) string {
	if rest, marked := strings.CutPrefix(text, "'"); marked && rest != "" && strings.ContainsAny(rest[:1], "=+-@") {
		return rest
	}
	return text
}
