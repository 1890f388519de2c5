package certificate

import (
	"equity/certificate/engraving"
	"equity/certificate/outline"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

// Measures of the marks across a page: the maximum width, and the height of the letters.
const (
	markWidth   = 600.0
	markHeight  = 130.0
	markSpacing = 30.0
)

// cross prints the marks across every page: the kind of the certificate and its final status.
func (j *job) cross() error {
	var words []string
	switch j.Kind {
	case Original:
	case Copy:
		words = append(words, "COPY")
	case Specimen:
		words = append(words, "SPECIMEN", "VOID")
	}
	if j.Ended != "" {
		words = append(words, j.Ended)
	}
	if len(words) == 0 {
		return nil
	}
	mark := castPlate(j.drawings, drawingsName, engraving.Mark(j.mark(words)))
	for _, s := range j.sheets {
		s.stamp(mark, centre, pageHeight/2)
	}
	return nil
}

// mark returns the letters of the words as lines around the origin, rising to the right.
func (j *job) mark(words []string) outline.Outline {
	var stacked outline.Outline
	baseline := 0.0
	for _, word := range words {
		letters := flat(j.Shape(word, typesetting.Style{Hand: typeface.Bold, Tracking: 0.05}).Line())
		x0, y0, x1, y1, ok := letters.Bounds()
		if !ok {
			continue
		}
		scale := min(markWidth/(x1-x0), markHeight/max(1, 0.7*float64(len(words)))/(y1-y0))
		stacked = append(stacked, letters.
			Transform(outline.Move(-(x0+x1)/2, -y1)).Transform(outline.Scale(scale, scale)).
			Transform(outline.Move(0, baseline))...)
		baseline -= (y1-y0)*scale + markSpacing
	}
	_, y0, _, y1, ok := stacked.Bounds()
	if !ok {
		return nil
	}
	return stacked.Transform(outline.Move(0, -(y0+y1)/2)).
		Transform(outline.Rotate(engraving.Slope(pageWidth, pageHeight)))
}
