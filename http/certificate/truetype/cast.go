// Package truetype casts outlines into small TrueType fonts, made for one
// document and holding nothing but what that document draws.
//
// It exists because the PDF writer draws text and nothing else that is vector:
// no curves, no shaped scripts, no kerning, no second font when a character is
// missing. Cast as glyphs, all of these become text: a shaped Arabic ligature,
// a guilloche frame, a seal. The pages stay sharp at any size, and because a
// glyph is filed under the characters it stands for, they can be searched and
// copied.
package truetype

import (
	"strconv"

	"equity/http/certificate/outline"
)

const (
	// Fine is a grid for ornaments: an outline may reach 1.1 ems from its origin,
	// to a precision of 1/14400 em.
	Fine = 14400
	// Coarse is a grid for text: outlines reach 8 ems, advances 16.
	Coarse = 2000

	privateStart = 0xE000
	privateEnd   = 0xF8FF
	maxGlyphs    = 60000
)

// Sort is one piece of type: an outline, how far it advances the pen, and the
// characters it is drawn for.
type Sort struct {
	// Chars are the characters; more than one when they were shaped into a
	// single form (a ligature, a letter with its marks).
	Chars string
	// Key tells outlines apart: two sorts with equal keys have equal outlines
	// and advances.
	Key string
	// Advance is in thousandths of an em.
	Advance int
	// Outline is drawn in ems.
	Outline outline.Outline
}

// Cast collects sorts in fonts. One character can have only one glyph in a font,
// so a character that is drawn in several ways (roman and italic, initial and
// final) lives in several fonts. It is for one
// goroutine; what is in which font depends only on the order of Place.
type Cast struct {
	unitsPerEm int
	fonts      []*face
	private    rune // how many private characters were handed out
	aliases    map[aliasKey]rune
}

// NewCast returns an empty cast whose coordinates are rounded to the given part
// of an em: Fine, Coarse or anything between.
func NewCast(unitsPerEm int) *Cast {
	return &Cast{unitsPerEm: unitsPerEm, aliases: map[aliasKey]rune{}}
}

type aliasKey struct {
	char rune
	key  string
}

// face is a font being filled.
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

// Place files a sort in the first font where its characters are free or hold the
// same already, and returns what to set, one after the other, to draw it. That is
// one piece, except when the first character occurs again further on (as in the
// Devanagari "kka"): it cannot be both the drawing and an empty place, so the
// rest is a second piece, which draws nothing and has no width.
func (c *Cast) Place(s Sort) []Piece {
	chars := c.drawable(s)
	for i, char := range chars[1:] {
		if char == chars[0] {
			head, rest := chars[:i+1], chars[i+1:]
			return []Piece{c.file(head, s), c.file(rest, Sort{Key: continuation})}
		}
	}
	return []Piece{c.file(chars, s)}
}

// Draw files an outline that stands for no character, under one of its own.
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

// Len returns how many fonts there are.
func (c *Cast) Len() int { return len(c.fonts) }

// Font returns the bytes of a font. They share nothing with the cast.
func (c *Cast) Font(i int) []byte { return c.fonts[i].compile(c.unitsPerEm) }

// drawable replaces what a PDF string of 16-bit codes cannot say (characters
// beyond the basic plane, controls, nothing at all) by private characters. The
// same character gets the same substitute for the same key.
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
			// Every other one: the PDF writer takes a time that grows with the square
			// of how many follow one another.
			c.private += 2
			c.aliases[key] = alias
		}
		chars[i] = alias
	}
	return chars
}

// continuation is the key of the empty glyphs that follow a sort's first.
const continuation = "+"

// accepts tells whether each character is free, or holds what it would be given:
// the first the glyph of that key, the others nothing.
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
