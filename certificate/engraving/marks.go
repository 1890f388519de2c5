package engraving

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/boombuler/barcode/qr"

	"equity/certificate/outline"
)

// Mark returns a word across the page, from the shape of its letters around the origin. It is hatched, so that the
// text under it remains legible, and outlined.
func Mark(letters outline.Outline) Ornament {
	const pitch, line, edge = 2.6, 0.45, 0.7
	return Ornament{{Crimson(), outline.Join(letters.Hatch(pitch, line, -0.35), letters.Stroke(edge))}}
}

// QR returns the QR code of a text as a square of the given side, without its quiet zone. It fails if the text is
// too long for a code.
func QR(text string, side float64) (Ornament, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("qr code of %d bytes: %w", len(text), err)
	}
	modules := code.Bounds().Dx()
	unit := side / float64(modules)
	const overlap = 0.01 // closes the hairlines viewers show between neighbours
	var dark outline.Outline
	for row := range modules {
		top := side/2 - float64(row)*unit
		for i := 0; i < modules; i++ {
			j := i
			for j < modules && isDark(code, j, row) {
				j++
			}
			if j > i {
				dark = append(dark, outline.Rectangle(
					float64(i)*unit-side/2-overlap, top-unit-overlap,
					float64(j)*unit-side/2+overlap, top+overlap)...)
				i = j
			}
		}
	}
	return Ornament{{Black(), dark}}, nil
}

// isDark reports whether a module of a code is black.
func isDark(code image.Image, column, row int) bool {
	return color.GrayModel.Convert(code.At(column, row)) == color.Gray{}
}

// AroundCircle returns the transform that places a letter on a circle: its middle at the given distance along the
// circumference from the top, clockwise.
func AroundCircle(radius, distance, middle float64) outline.Transform {
	return outline.Move(-middle, radius).Then(outline.Rotate(-distance / radius))
}

// UnderCircle is AroundCircle for text along the bottom, read from left to right: distances count
// counter-clockwise from the lowest point.
func UnderCircle(radius, distance, middle float64) outline.Transform {
	return outline.Move(-middle, -radius).Then(outline.Rotate(distance / radius))
}

// Slope returns the angle of marks across a page of the given size.
func Slope(width, height float64) float64 { return math.Atan2(height, width) * 0.72 }
