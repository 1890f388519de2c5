// Package engraving draws the ornaments of a certificate: the frame, the underprint, cartouches, the seal, the
// marks across the page and the QR code. All of it is line work computed from a few numbers, in the manner of the
// geometric lathe that stock certificates have been engraved with since the 1820s. Lengths are in points, from the
// ornament's centre.
package engraving

import (
	"math"

	"equity/certificate/outline"
)

// Ink is a colour, as red, green and blue from 0 to 255.
type Ink struct{ Red, Green, Blue int }

// Layer is a shape printed in one ink.
type Layer struct {
	Ink   Ink
	Shape outline.Outline
}

// Ornament is a drawing as layers, the lowest first.
type Ornament []Layer

// At returns the ornament moved by x and y.
func (o Ornament) At(x, y float64) Ornament {
	moved := make(Ornament, len(o))
	for i, layer := range o {
		moved[i] = Layer{layer.Ink, layer.Shape.Transform(outline.Move(x, y))}
	}
	return moved
}

// The standard inks are functions, because package variables would be mutable.

// Deep returns the dark green of frame and title.
func Deep() Ink { return Ink{18, 66, 56} }

// Pale returns the green of the underprint, light enough for text over it.
func Pale() Ink { return Ink{205, 222, 213} }

// Faint returns the green of the finest background.
func Faint() Ink { return Ink{222, 234, 228} }

// Paper returns white, for lines left out of a dark background.
func Paper() Ink { return Ink{255, 255, 255} }

// Black returns the ink of the text, slightly softened.
func Black() Ink { return Ink{24, 26, 25} }

// Crimson returns the ink of marks across the page.
func Crimson() Ink { return Ink{204, 84, 84} }

const turn = 2 * math.Pi

// samples is the number of control points per period of a wave, on each side.
const samples = 12

// weave returns parallel strands of a sine wave along the x axis, each slightly behind the previous one, like an
// engraved border. The amplitude rises and falls with every period, which results in a scalloped edge. The strands
// are ordered by period, so that neighbours stay together.
func weave(length, amplitude, swell float64, periods, strands int, width float64) outline.Outline {
	var lines outline.Outline
	for i := range periods {
		for k := range strands {
			phase := turn * float64(k) / float64(strands)
			lines = append(lines, outline.Ribbon(func(t float64) (x, y float64) {
				reach := amplitude + swell*math.Cos(turn*t)
				return length * (t/float64(periods) - 0.5), reach * math.Sin(turn*t+phase)
			}, float64(i), float64(i+1), samples, width)...)
		}
	}
	return lines
}

// rosette is a set of waves around a circle, each rotated slightly against the previous one.
type rosette struct {
	radius, amplitude float64 // of the wave's middle and of the wave
	lobes, strands    int
	width             float64
	stretch           float64 // in x; 0 means 1
}

func (r rosette) lines() outline.Outline {
	stretch := r.stretch
	if stretch == 0 {
		stretch = 1
	}
	var lines outline.Outline
	for i := range r.lobes {
		for k := range r.strands {
			phase := turn * float64(k) / float64(r.strands)
			lines = append(lines, outline.Ribbon(func(t float64) (x, y float64) {
				sin, cos := math.Sincos(turn * t / float64(r.lobes))
				radius := r.radius + r.amplitude*math.Sin(turn*t+phase)
				return stretch * radius * cos, radius * sin
			}, float64(i), float64(i+1), samples, r.width)...)
		}
	}
	return lines
}

// bead returns a small disc with the minimum number of points that look round.
func bead(x, y, radius float64) outline.Outline {
	const corners = 6
	contour := make(outline.Contour, corners)
	for i := range contour {
		sin, cos := math.Sincos(turn * float64(i) / corners)
		contour[i] = outline.Point{X: x + 1.12*radius*cos, Y: y + 1.12*radius*sin}
	}
	return outline.Outline{contour}
}

// beads returns a row of beads along the x axis.
func beads(length, spacing, radius float64) outline.Outline {
	count := int(math.Round(length / spacing))
	var row outline.Outline
	for i := range count {
		row = append(row, bead(length*((float64(i)+0.5)/float64(count)-0.5), 0, radius)...)
	}
	return row
}
