package outline

import "math"

// Curve gives the point of a line at t, which runs from 0 to 1.
type Curve func(t float64) (x, y float64)

// Ribbon returns a line of the given width along a curve, sampled at steps
// points. The samples become control points of a smooth spline, which costs one
// point per sample and side and has no corners. A closed ribbon (whose curve
// ends where it began) is two contours, an open one is one with square ends.
func Ribbon(curve Curve, steps int, width float64, closed bool) Outline {
	last := steps
	if closed {
		last = steps - 1
	}
	left, right := make(Contour, 0, last+1), make(Contour, 0, 2*last+2)
	for i := 0; i <= last; i++ {
		t := float64(i) / float64(steps)
		x, y := curve(t)
		nx, ny := normal(curve, t, 1/float64(steps))
		left = append(left, Point{x + nx*width/2, y + ny*width/2, false})
		right = append(right, Point{x - nx*width/2, y - ny*width/2, false})
	}
	if closed {
		return append(Outline{right}, Outline{left}.reversed()...)
	}
	for _, side := range []Contour{left, right} {
		side[0].On, side[last].On = true, true
	}
	return Outline{append(right, Outline{left}.reversed()[0]...)}
}

// normal returns the unit vector to the left of the curve at t, measured over a
// fraction of a step.
func normal(curve Curve, t, step float64) (x, y float64) {
	const fraction = 0.05
	x0, y0 := curve(t - step*fraction)
	x1, y1 := curve(t + step*fraction)
	length := math.Hypot(x1-x0, y1-y0)
	if length == 0 {
		return 0, 0
	}
	return -(y1 - y0) / length, (x1 - x0) / length
}

// Stroke returns the lines of the given width along every edge of the outline,
// curves included: the outline drawn with a pen instead of filled.
func (o Outline) Stroke(width float64) Outline {
	var strokes Outline
	for _, contour := range o.flattened() {
		for i, p := range contour {
			q := contour[(i+1)%len(contour)]
			length := math.Hypot(q.X-p.X, q.Y-p.Y)
			if length == 0 {
				continue
			}
			// Every piece reaches half a width past its ends, which joins corners.
			ux, uy := (q.X-p.X)/length*width/2, (q.Y-p.Y)/length*width/2
			strokes = append(strokes, Polygon(
				p.X-ux+uy, p.Y-uy-ux, q.X+ux+uy, q.Y+uy-ux,
				q.X+ux-uy, q.Y+uy+ux, p.X-ux-uy, p.Y-uy+ux)...)
		}
	}
	return strokes
}
