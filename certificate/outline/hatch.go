package outline

import (
	"cmp"
	"math"
	"slices"
)

// flatPieces is the number of straight lines that approximate a quadratic curve.
const flatPieces = 5

// Hatch returns the outline filled with parallel lines instead of solid ink: lines of the given width, a pitch
// apart from centre to centre, rising by the given angle in radians. A large hatched word leaves the text under it
// legible.
func (o Outline) Hatch(pitch, width, angle float64) Outline {
	turned := o.Transform(Rotate(-angle)).flattened()
	_, y0, _, y1, ok := turned.Bounds()
	if !ok {
		return nil
	}
	var lines Outline
	for i := math.Ceil(y0 / pitch); i*pitch <= y1; i++ {
		for _, span := range turned.spans(i * pitch) {
			lines = append(lines, Rectangle(span[0], i*pitch-width/2, span[1], i*pitch+width/2)...)
		}
	}
	return lines.Transform(Rotate(angle))
}

// spans returns the intervals of the horizontal line at y inside the outline, from left to right. The outline must
// be flat.
func (o Outline) spans(y float64) [][2]float64 {
	type crossing struct {
		x    float64
		turn int
	}
	var crossings []crossing
	for _, contour := range o {
		for i, p := range contour {
			q := contour[(i+1)%len(contour)]
			if (p.Y <= y) == (q.Y <= y) {
				continue
			}
			turn := 1
			if q.Y < p.Y {
				turn = -1
			}
			crossings = append(crossings, crossing{p.X + (y-p.Y)*(q.X-p.X)/(q.Y-p.Y), turn})
		}
	}
	slices.SortFunc(crossings, func(a, b crossing) int { return cmp.Compare(a.x, b.x) })
	var spans [][2]float64
	winding := 0
	for i, c := range crossings {
		if winding != 0 && c.x > crossings[i-1].x {
			spans = append(spans, [2]float64{crossings[i-1].x, c.x})
		}
		winding += c.turn
	}
	return spans
}

// flattened returns the outline with its curves as short straight lines.
func (o Outline) flattened() Outline {
	flat := make(Outline, 0, len(o))
	for _, contour := range o {
		flat = append(flat, contour.flattened())
	}
	return flat
}

func (c Contour) flattened() Contour {
	explicit := c.explicit()
	var flat Contour
	for i, p := range explicit {
		if p.On {
			flat = append(flat, p)
			continue
		}
		from := explicit[(i+len(explicit)-1)%len(explicit)]
		to := explicit[(i+1)%len(explicit)]
		for k := 1; k < flatPieces; k++ {
			t := float64(k) / flatPieces
			u := 1 - t
			flat = append(flat, Point{
				u*u*from.X + 2*u*t*p.X + t*t*to.X,
				u*u*from.Y + 2*u*t*p.Y + t*t*to.Y, true,
			})
		}
	}
	return flat
}

// explicit adds the implicit points between two control points.
func (c Contour) explicit() Contour {
	full := make(Contour, 0, 2*len(c))
	for i, p := range c {
		full = append(full, p)
		if next := c[(i+1)%len(c)]; !p.On && !next.On {
			full = append(full, Point{(p.X + next.X) / 2, (p.Y + next.Y) / 2, true})
		}
	}
	return full
}
