package typeface

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"

	"equity/http/certificate/outline"
)

// Case is a compositor's case of type: the fonts taken from a library so far,
// kept while the case is. It is for one goroutine at a time.
type Case struct {
	library *Library
	faces   map[string]*font.Face
	names   map[*font.Face]string
	own     map[language.Script]string // the font that is a script's own
}

// NewCase returns an empty case that takes its fonts from a library.
func NewCase(library *Library) *Case {
	return &Case{library, map[string]*font.Face{}, map[*font.Face]string{}, ownFonts()}
}

// Face returns the font to set a character in, when it stands in a run of the
// given script: one of the style for Latin, Greek, Cyrillic and what they share
// with everyone; else the script's own. When no font has the character the
// style's is returned and ok is false.
func (c *Case) Face(style Style, script language.Script, char rune) (face *font.Face, ok bool) {
	for _, name := range c.candidates(style, script) {
		face := c.face(name)
		if _, has := face.NominalGlyph(char); has {
			return face, true
		}
	}
	return c.face(style.file()), false
}

// Has tells whether the style's own font has the character, without help from
// another.
func (c *Case) Has(style Style, char rune) bool {
	_, has := c.face(style.file()).NominalGlyph(char)
	return has
}

// Name tells fonts apart, the same way in every process.
func (c *Case) Name(face *font.Face) string { return c.names[face] }

func (c *Case) face(name string) *font.Face {
	face, ok := c.faces[name]
	if !ok {
		face = font.NewFace(c.library.load(name))
		c.faces[name] = face
		c.names[face] = name
	}
	return face
}

// Outline returns the shape of a glyph in ems, empty for a blank. The two kinds of
// fonts turn their contours opposite ways; here all turn counter-clockwise around
// ink and clockwise around holes.
func Outline(face *font.Face, glyph font.GID) outline.Outline {
	data, ok := face.GlyphDataOutline(glyph)
	if !ok {
		return nil
	}
	var pen outline.Pen
	scale := 1 / float64(face.Upem())
	for _, segment := range data.Segments {
		var at [3]outline.Point
		for i, p := range segment.ArgsSlice() {
			at[i] = outline.Point{X: float64(p.X) * scale, Y: float64(p.Y) * scale}
		}
		switch segment.Op {
		case opentype.SegmentOpMoveTo:
			pen.MoveTo(at[0].X, at[0].Y)
		case opentype.SegmentOpLineTo:
			pen.LineTo(at[0].X, at[0].Y)
		case opentype.SegmentOpQuadTo:
			pen.QuadTo(at[0].X, at[0].Y, at[1].X, at[1].Y)
		case opentype.SegmentOpCubeTo:
			pen.CubeTo(at[0].X, at[0].Y, at[1].X, at[1].Y, at[2].X, at[2].Y)
		}
	}
	return pen.Outline().Outward()
}
