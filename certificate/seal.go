package certificate

import (
	"slices"
	"strings"
	"unicode"

	"equity/certificate/engraving"
	"equity/certificate/outline"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

const (
	sealArc      = 4.35 // maximum angle of the organization's name, in radians
	sealFootArc  = 1.25 // and of the text under it
	sealSmallest = 4.2
	initialSize  = 17.0
)

// seal prints the seal with the organization's name around it, its jurisdiction under it and its initial inside.
func (j *job) seal(s *sheet, x, y float64) {
	s.stamp(j.plates.seal, x, y)
	words := j.around(j.Organization, sealArc, false)
	if words == nil {
		words = j.around("Corporate Seal", sealArc, false)
	}
	below := j.around(j.Jurisdiction, sealFootArc, true)
	if below == nil {
		below = j.around("Seal", sealFootArc, true)
	}
	relief := outline.Join(words, below, j.initial())
	j.draw(s, engraving.Impress(relief), x, y)
}

// around bends a text around the seal, in capitals. It returns an empty outline if the text is too long to be
// legible.
func (j *job) around(text string, arc float64, bottom bool) outline.Outline {
	style := typesetting.Style{Hand: typeface.Bold, Tracking: 0.08}
	line := j.Shape(strings.ToUpper(text), style).Line()
	const radius = engraving.SealTextRadius
	if line.Width == 0 {
		return nil
	}
	size := min(engraving.SealTextSize, arc*radius/line.Width)
	if size < sealSmallest {
		return nil
	}
	var bent outline.Outline
	for _, sort := range line.Sorts {
		half := float64(sort.Advance) / 2000 * size
		distance := sort.X*size + half - line.Width*size/2
		place := engraving.AroundCircle(radius, distance, half)
		if bottom {
			// Capitals are 0.7 em high. They run from the outside in, on the same band.
			place = engraving.UnderCircle(radius+0.7*size, distance, half)
		}
		bent = append(bent, sort.Outline.Transform(outline.Scale(size, size).Then(place))...)
	}
	return bent
}

// initial returns the organization's first letter with its marks, centred in the seal.
func (j *job) initial() outline.Outline {
	name := []rune(strings.ToUpper(j.Organization))
	start := slices.IndexFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if start < 0 {
		return nil
	}
	end := start + 1
	for end < len(name) && unicode.Is(unicode.M, name[end]) {
		end++
	}
	letter := flat(j.Shape(string(name[start:end]), bold()).Line())
	x0, y0, x1, y1, ok := letter.Bounds()
	if !ok {
		return nil
	}
	scale := initialSize / max(y1-y0, x1-x0, 0.01)
	return letter.Transform(outline.Move(-(x0+x1)/2, -(y0+y1)/2).Then(outline.Scale(scale, scale)))
}

// flat returns the letters of a line as one shape, in ems.
func flat(line typesetting.Line) outline.Outline {
	var letters outline.Outline
	for _, sort := range line.Sorts {
		letters = append(letters, sort.Outline.Transform(outline.Move(sort.X, 0))...)
	}
	return letters
}

// draw prints an ornament of this document only.
func (j *job) draw(s *sheet, ornament engraving.Ornament, x, y float64) {
	s.stamp(castPlate(j.drawings, drawingsName, ornament), x, y)
}
