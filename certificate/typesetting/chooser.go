package typesetting

import (
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"

	"equity/certificate/typeface"
)

// chooser picks the font of each character of a run.
type chooser struct {
	fonts  *typeface.Case
	hand   typeface.Style
	script language.Script
	last   *font.Face
}

var _ shaping.FontmapScript = (*chooser)(nil)

// SetScript sets the script of the following characters.
func (c *chooser) SetScript(script language.Script) {
	c.script, c.last = script, nil
}

// ResolveFace returns the font of a character. A mark stays in the font of its letter if that font has it, because
// both must be shaped together.
func (c *chooser) ResolveFace(r rune) *font.Face {
	if c.last != nil && unicode.Is(unicode.M, r) {
		if _, has := c.last.NominalGlyph(r); has {
			return c.last
		}
	}
	c.last, _ = c.fonts.Face(c.hand, c.script, r)
	return c.last
}
