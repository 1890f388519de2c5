package typesetting

import (
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	unicodebidi "golang.org/x/text/unicode/bidi"
)

// The characters that isolate the direction of a text, so that a name keeps its own direction inside a sentence.
const (
	firstStrongIsolate = '\u2068'
	popIsolate         = '\u2069'
)

// Isolate returns a text with isolation marks, so that its direction and that of the surrounding sentence are
// independent.
func Isolate(text string) string {
	return string(firstStrongIsolate) + text + string(popIsolate)
}

// clean returns the characters to set: white space as single blanks, without controls, and without the marks that
// force a direction (which can make a name read as another).
func clean(text string) []rune {
	runes := make([]rune, 0, len(text))
	blank := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) && r != '\u00A0' && r != '\u202F':
			blank = len(runes) > 0
			continue
		case unicode.IsControl(r), r >= '\u202A' && r <= '\u202E':
			continue
		case r >= '\U0001F3FB' && r <= '\U0001F3FF':
			continue // the skin tones of pictographs, because a text is printed in one ink
		}
		if blank {
			runes = append(runes, ' ')
			blank = false
		}
		runes = append(runes, r)
	}
	return runes
}

// direction returns the direction of a paragraph, which is that of its first letter.
func direction(runes []rune) di.Direction {
	for _, r := range runes {
		properties, _ := unicodebidi.LookupRune(r)
		switch properties.Class() { //nolint:exhaustive // only letters determine the direction
		case unicodebidi.L:
			return di.DirectionLTR
		case unicodebidi.R, unicodebidi.AL:
			return di.DirectionRTL
		}
	}
	return di.DirectionLTR
}

// resolve returns the embedding level of every rune by the Unicode Bidirectional Algorithm: even levels are left
// to right, odd ones right to left.
func (c *Compositor) resolve(runes []rune, paragraph di.Direction) []bidi.Level {
	fallback := bidi.LeftToRight
	if paragraph == di.DirectionRTL {
		fallback = bidi.RightToLeft
	}
	levels := make([]bidi.Level, len(runes))
	runs := c.bidi.Segment(runes, fallback)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for j := run.Start; j < run.End && j < len(levels); j++ {
			levels[j] = run.Level
		}
		if run.Level == 2 && paragraph == di.DirectionLTR {
			// The library reports a number inside right-to-left text (level 2) and the following left-to-right
			// text (level 0) as one run.
			for j := run.Start + numberEnd(runes[run.Start:run.End]); j < run.End; j++ {
				levels[j] = 0
			}
		}
	}
	return levels
}

// numberEnd returns the end of the number at the start of a text.
func numberEnd(runes []rune) int {
	end := 0
	for i, r := range runes {
		properties, _ := unicodebidi.LookupRune(r)
		switch properties.Class() { //nolint:exhaustive // all other classes end a number
		case unicodebidi.EN, unicodebidi.AN, unicodebidi.ET, unicodebidi.NSM, unicodebidi.BN:
			end = i + 1
		case unicodebidi.ES, unicodebidi.CS:
		default:
			return end
		}
	}
	return end
}
