// Package truetype casts outlines into small TrueType fonts for one document, which contain only the glyphs of
// that document.
//
// The PDF writer supports no other vectors than text: no curves, shaped scripts, kerning or fallback fonts. Cast
// as glyphs, all of these become text: a shaped Arabic ligature, a guilloche frame, a seal. The pages stay sharp
// at any size. A glyph is registered under its characters, so the text can be searched and copied.
package truetype

import (
	"slices"
	"strconv"

	"equity/certificate/outline"
)

const (
	// Fine is a grid for ornaments: an outline may reach 1.1 ems from its origin, with a precision of 1/14400 em.
	Fine = 14400
	// Coarse is a grid for text: outlines reach 8 ems, advances 16.
	Coarse = 2000

	privateStart = 0xE000
	privateEnd   = 0xF8FF
	maxGlyphs    = 60000
)

// Sort is one piece of type: an outline, its advance, and its characters.
type Sort struct {
	// Chars are the characters. A single shaped form (a ligature, a letter with its marks) has several.
	Chars string
	// Key identifies an outline: two sorts with equal keys have equal outlines and advances.
	Key string
	// Advance is in thousandths of an em.
	Advance int
	// Outline is in ems.
	Outline outline.Outline
}

// Cast collects sorts in fonts. One character can have only one glyph in a font, so a character with several forms
// (roman and italic, initial and final) is in several fonts. Only one goroutine may use it. The assignment to
// fonts depends only on the order of Place.
type Cast struct {
	unitsPerEm int
	fonts      []*face
	private    rune // the number of assigned private characters
	aliases    map[aliasKey]rune
}

// NewCast returns an empty cast with coordinates rounded to the given part of an em: Fine, Coarse or anything
// between.
func NewCast(unitsPerEm int) *Cast {
	return &Cast{unitsPerEm: unitsPerEm, aliases: map[aliasKey]rune{}}
}

type aliasKey struct {
	char rune
	key  string
}

// face is a font under construction.
type face struct {
	glyphs []glyph
	byChar map[rune]int // index in glyphs
}

type glyph struct {
	char    rune
	key     string
	advance int
	outline outline.Outline
}

// Piece is text to be set in one of the fonts of a cast.
type Piece struct {
	Font int
	Text string
}

// Place adds a sort to the first font where its characters are free or have the same sort already, and returns the
// pieces that draw it. It returns one piece, except when the first character occurs again in the sort (as in the
// Devanagari "kka"). It cannot be both the drawing and an empty glyph, so the rest is a second piece without ink
// or width.
func (c *Cast) Place(s Sort) []Piece {
	chars := c.drawable(s)
	for i, char := range chars[1:] {
		if char == chars[0] {
			head, rest := slices.Clip(chars[:i+1]), chars[i+1:]
			return []Piece{c.file(head, s), c.file(rest, Sort{Key: continuation})}
		}
	}
	return []Piece{c.file(chars, s)}
}

// Draw adds an outline without characters, under a private character.
func (c *Cast) Draw(o outline.Outline) Piece {
	s := Sort{Key: "drawing" + strconv.Itoa(int(c.private)), Outline: o}
	return c.file(c.drawable(s), s)
}

func (c *Cast) file(chars []rune, s Sort) Piece {
	for i, f := range c.fonts {
		if f.accepts(chars, s.Key) {
			f.add(chars, s)
			return Piece{i, string(chars)}
		}
	}
	f := &face{byChar: map[rune]int{}}
	c.fonts = append(c.fonts, f)
	f.add(chars, s)
	return Piece{len(c.fonts) - 1, string(chars)}
}

// Len returns the number of fonts.
func (c *Cast) Len() int { return len(c.fonts) }

// Font returns the bytes of a font. They share no memory with the cast.
func (c *Cast) Font(i int) []byte { return c.fonts[i].compile(c.unitsPerEm) }

// drawable replaces characters that a PDF string of 16-bit codes cannot contain (beyond the basic plane, controls,
// or an empty text) by private characters. The same character has the same substitute for the same key.
func (c *Cast) drawable(s Sort) []rune {
	chars := []rune(s.Chars)
	if len(chars) == 0 {
		chars = []rune{0}
	}
	for i, char := range chars {
		if char >= ' ' && char < 0xD800 || char > privateEnd && char < 0xFFFE {
			continue
		}
		key := aliasKey{char, s.Key}
		alias, ok := c.aliases[key]
		if !ok {
			alias = privateStart + c.private%(privateEnd-privateStart+1)
			// Only every second character is used: the PDF writer's time grows with the square of the length of a
			// run.
			c.private += 2
			c.aliases[key] = alias
		}
		chars[i] = alias
	}
	return chars
}

// continuation is the key of the empty glyphs after a sort's first.
const continuation = "+"

// accepts reports whether each character is free or has the required glyph: the first that of the key, the others
// an empty one.
func (f *face) accepts(chars []rune, key string) bool {
	if len(f.glyphs)+len(chars) > maxGlyphs {
		return false
	}
	for i, char := range chars {
		at, taken := f.byChar[char]
		if taken && f.glyphs[at].key != keyAt(i, key) {
			return false
		}
	}
	return true
}

func (f *face) add(chars []rune, s Sort) {
	for i, char := range chars {
		if _, ok := f.byChar[char]; ok {
			continue
		}
		g := glyph{char: char, key: keyAt(i, s.Key)}
		if i == 0 {
			g.advance, g.outline = s.Advance, s.Outline
		}
		f.byChar[char] = len(f.glyphs)
		f.glyphs = append(f.glyphs, g)
	}
}

func keyAt(i int, key string) string {
	if i == 0 {
		return key
	}
	return continuation
}
