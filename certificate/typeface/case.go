package typeface

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"

	"equity/certificate/outline"
)

// Case holds the fonts taken from a library, like a compositor's case of type. Only one goroutine may use it at a
// time.
type Case struct {
	library *Library
	faces   map[string]*font.Face
	names   map[*font.Face]string
	own     map[language.Script]string // the font of a script
}

// NewCase returns an empty case for a library.
func NewCase(library *Library) *Case {
	return &Case{library, map[string]*font.Face{}, map[*font.Face]string{}, ownFonts()}
}

// Face returns the font for a character in a run of the given script: the style's font for Latin, Greek, Cyrillic
// and common characters, otherwise the script's own font. If no font has the character, it returns the style's
// font and ok is false.
func (c *Case) Face(style Style, script language.Script, char rune) (face *font.Face, ok bool) {
	for _, name := range c.candidates(style, script) {
		face := c.face(name)
		if _, has := face.NominalGlyph(char); has {
			return face, true
		}
	}
	return c.face(style.file()), false
}

// Has reports whether the style's own font has the character.
func (c *Case) Has(style Style, char rune) bool {
	_, has := c.face(style.file()).NominalGlyph(char)
	return has
}

// Name returns the name of a font, which is the same in every process.
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

// Outline returns the shape of a glyph in ems, empty for a blank. The two font formats use opposite contour
// directions. The result is always counter-clockwise around ink and clockwise around holes.
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
