package certificate

import (
	"math"

	"github.com/johnfercher/go-tree/node"
	"github.com/johnfercher/maroto/v2/pkg/consts/align"
	"github.com/johnfercher/maroto/v2/pkg/consts/linestyle"
	"github.com/johnfercher/maroto/v2/pkg/consts/orientation"
	"github.com/johnfercher/maroto/v2/pkg/core"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"
	"github.com/johnfercher/maroto/v2/pkg/props"

	"equity/certificate/engraving"
	"equity/certificate/truetype"
	"equity/certificate/typesetting"
)

// imprint is a text in one font at a position on the page, in points from its upper left corner, with y to the
// baseline.
type imprint struct {
	font, text string
	x, y, size float64
	ink        engraving.Ink
	link       string
}

// rule is a thin horizontal line to the right of a position, in points.
type rule struct{ x, y, width float64 }

// sheet is one page, as a maroto component that fills it.
type sheet struct {
	letters  *truetype.Cast // the casts of the document's text
	imprints []imprint
	rules    []rule
}

var _ core.Component = (*sheet)(nil)

// Render prints the page.
func (s *sheet) Render(provider core.Provider, cell *entity.Cell) {
	const wide = 1e6 // wide enough that maroto does not break the text
	for _, i := range s.imprints {
		place := &entity.Cell{
			X: cell.X + i.x/millimetre, Y: cell.Y + (i.y-i.size)/millimetre,
			Width: wide, Height: wide,
		}
		style := &props.Text{
			Family: i.font, Size: i.size, Align: align.Left,
			Color: &props.Color{Red: i.ink.Red, Green: i.ink.Green, Blue: i.ink.Blue},
		}
		if i.link != "" {
			style.Hyperlink = &i.link
		}
		provider.AddText(i.text, place, style)
	}
	const thickness, whole = 0.6, 100 // points, percent
	ink := engraving.Black()
	for _, r := range s.rules {
		place := &entity.Cell{X: cell.X + r.x/millimetre, Y: cell.Y + r.y/millimetre, Width: r.width / millimetre}
		provider.AddLine(place, &props.Line{
			Color: &props.Color{Red: ink.Red, Green: ink.Green, Blue: ink.Blue}, Orientation: orientation.Horizontal,
			Style: linestyle.Solid, Thickness: thickness / millimetre, SizePercent: whole,
		})
	}
}

// GetHeight returns the height of the page, in maroto's millimetres.
func (s *sheet) GetHeight(core.Provider, *entity.Cell) float64 { return pageHeight / millimetre }

// SetConfig has no effect: a sheet is laid out before maroto uses it.
func (s *sheet) SetConfig(*entity.Config) {}

// GetStructure returns the component's node in maroto's tree.
func (s *sheet) GetStructure() *node.Node[core.Structure] {
	return node.New(core.Structure{Type: "sheet", Value: len(s.imprints)})
}

// stamp prints an ornament around a position.
func (s *sheet) stamp(p plate, x, y float64) {
	for _, layer := range p {
		s.imprints = append(s.imprints, imprint{
			font: layer.font, text: layer.text, x: x, y: y, size: plateSize, ink: layer.ink,
		})
	}
}

// line prints a set line from x on. Adjacent sorts in the same font become one text.
func (s *sheet) line(l typesetting.Line, x, y, size float64, ink engraving.Ink) {
	const tolerance = 0.004 // of an em: the allowed displacement of the next letter
	current := -1
	pen := 0.0
	for _, sort := range l.Sorts {
		for i, piece := range s.letters.Place(sort.Sort) {
			font := fontName(lettersName, piece.Font)
			if i > 0 || current < 0 || math.Abs(sort.X-pen) > tolerance || s.imprints[current].font != font {
				at := pen
				if i == 0 {
					at = sort.X
				}
				s.imprints = append(s.imprints, imprint{font: font, x: x + at*size, y: y, size: size, ink: ink})
				current = len(s.imprints) - 1
				pen = at
			}
			s.imprints[current].text += piece.Text
			if i == 0 {
				pen += float64(sort.Advance) / 1000
			}
		}
	}
}

// centred prints a block around x, the first baseline at y, and returns the last
// baseline.
func (s *sheet) centred(b typesetting.Block, x, y float64, ink engraving.Ink) float64 {
	for i, line := range b.Lines {
		s.line(line, x-line.Width*b.Size/2, y+float64(i)*b.Leading, b.Size, ink)
	}
	return y + b.Depth()
}
