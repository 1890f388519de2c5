package hooks

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// trim removes the white space and line ends of JavaScript at both ends of the text.
func trim(text string) string { return strings.TrimFunc(text, isSpace) }

// isSpace reports whether JavaScript removes the character when it trims a text. Unlike Go, it keeps U+0085 and removes U+FEFF.
func isSpace(r rune) bool { return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r) }

// units returns the length of the text in JavaScript.
func units(text string) int { return len(utf16.Encode([]rune(text))) }
