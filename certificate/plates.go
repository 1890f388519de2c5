package certificate

import (
	"strconv"

	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"

	"equity/certificate/engraving"
	"equity/certificate/outline"
	"equity/certificate/truetype"
)

// The page is A4 landscape. Lengths are in points.
const (
	pageWidth  = 841.89
	pageHeight = 595.28
	millimetre = 72 / 25.4

	// plateSize is the font size of ornaments: with the fine grid of the casts, one unit is 1/36 of a point, and a
	// page fits the reach of a glyph.
	plateSize = 400

	// The most common font engine fails on a glyph with much detail over a width of some 3000 pixels. Parts with
	// these limits can be drawn at 1200 dots per inch.
	partPoints = 500
	partReach  = 90.0

	cartoucheWidth, cartoucheHeight = 146.0, 40.0
	dividerWidth                    = 300.0
)

// stamp is one ink of an ornament, as text in one of the fonts.
type stamp struct {
	font, text string
	ink        engraving.Ink
}

// plate is an ornament ready for printing.
type plate []stamp

// plates are the shared ornaments of all certificates, cast once.
type plates struct {
	fonts []*entity.CustomFont

	frame, plainFrame, underprint, cartouche, divider, seal plate
}

func castPlates() plates {
	cast := truetype.NewCast(truetype.Fine)
	made := plates{
		frame:      castPlate(cast, "plate", engraving.Frame(pageWidth, pageHeight)),
		plainFrame: castPlate(cast, "plate", engraving.PlainFrame(pageWidth, pageHeight)),
		underprint: castPlate(cast, "plate", engraving.Underprint()),
		cartouche:  castPlate(cast, "plate", engraving.Cartouche(cartoucheWidth, cartoucheHeight)),
		divider:    castPlate(cast, "plate", engraving.Divider(dividerWidth)),
		seal:       castPlate(cast, "plate", engraving.Seal()),
	}
	made.fonts = fontsOf(cast, "plate")
	return made
}

// castPlate casts the layers of an ornament, each as a separate character.
func castPlate(cast *truetype.Cast, name string, ornament engraving.Ornament) plate {
	var p plate
	for _, layer := range ornament {
		for _, part := range layer.Shape.Split(partPoints, partReach) {
			piece := cast.Draw(part.Transform(outline.Scale(1.0/plateSize, 1.0/plateSize)))
			p = append(p, stamp{fontName(name, piece.Font), piece.Text, layer.Ink})
		}
	}
	return p
}

// fontsOf returns the fonts of a cast, named by fontName.
func fontsOf(cast *truetype.Cast, name string) []*entity.CustomFont {
	fonts := make([]*entity.CustomFont, cast.Len())
	for i := range fonts {
		fonts[i] = &entity.CustomFont{Family: fontName(name, i), Style: fontstyle.Normal, Bytes: cast.Font(i)}
	}
	return fonts
}

func fontName(name string, index int) string {
	return name + strconv.Itoa(index)
}
