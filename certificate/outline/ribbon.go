package outline

import "math"

// Curve returns the point of a line at t, for any t.
type Curve func(t float64) (x, y float64)

// Ribbon returns a line of the given width along a curve from one t to another, with square ends. Its sides are
// smooth splines through steps control points each. Consecutive ribbons on a curve, with steps of equal length,
// join without a kink, because both end on the same spline.
func Ribbon(curve Curve, from, to float64, steps int, width float64) Outline {
	step := (to - from) / float64(steps)
	left, right := make(Contour, 0, steps+2), make(Contour, 0, 2*steps+4)
	for i := range steps + 2 {
		t := from + (float64(i)-0.5)*step
		x, y := curve(t)
		nx, ny := normal(curve, t, step)
		left = append(left, Point{x + nx*width/2, y + ny*width/2, false})
		right = append(right, Point{x - nx*width/2, y - ny*width/2, false})
	}
	for _, side := range []Contour{left, right} {
		side[0] = halfway(side[0], side[1])
		side[steps+1] = halfway(side[steps], side[steps+1])
	}
	return Outline{append(right, Outline{left}.reversed()[0]...)}
}

func halfway(p, q Point) Point {
	return Point{(p.X + q.X) / 2, (p.Y + q.Y) / 2, true}
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

// Stroke returns lines of the given width along every edge of the outline, including curves: the outline is drawn
// with a pen instead of filled.
func (o Outline) Stroke(width float64) Outline {
	var strokes Outline
	for _, contour := range o.flattened() {
		for i, p := range contour {
			q := contour[(i+1)%len(contour)]
			length := math.Hypot(q.X-p.X, q.Y-p.Y)
			if length == 0 {
				continue
			}
			// Every piece extends half a width past its ends, which joins corners.
			ux, uy := (q.X-p.X)/length*width/2, (q.Y-p.Y)/length*width/2
			strokes = append(strokes, Polygon(
				p.X-ux+uy, p.Y-uy-ux, q.X+ux+uy, q.Y+uy-ux,
				q.X+ux-uy, q.Y+uy+ux, p.X-ux-uy, p.Y-uy+ux)...)
		}
	}
	return strokes
}
