package outline

// Pen draws an outline from the usual path operations. The zero Pen is ready for use. The next MoveTo or Outline
// closes a contour.
type Pen struct {
	done    Outline
	contour Contour
}

// cubicPieces is the number of quadratic curves that approximate a cubic one. Letters' cubics span at most a
// quarter turn, where four pieces stay within 0.02 % of the span.
const cubicPieces = 4

// MoveTo starts a contour.
func (p *Pen) MoveTo(x, y float64) {
	p.close()
	p.contour = Contour{{x, y, true}}
}

// LineTo draws a straight line.
func (p *Pen) LineTo(x, y float64) {
	p.contour = append(p.contour, Point{x, y, true})
}

// QuadTo draws a quadratic curve with one control point.
func (p *Pen) QuadTo(cx, cy, x, y float64) {
	p.contour = append(p.contour, Point{cx, cy, false}, Point{x, y, true})
}

// CubeTo draws a cubic curve with two control points, as quadratic pieces.
func (p *Pen) CubeTo(ax, ay, bx, by, x, y float64) {
	from := p.current()
	at := func(t float64) (float64, float64) {
		u := 1 - t
		return u*u*u*from.X + 3*u*u*t*ax + 3*u*t*t*bx + t*t*t*x,
			u*u*u*from.Y + 3*u*u*t*ay + 3*u*t*t*by + t*t*t*y
	}
	slope := func(t float64) (float64, float64) {
		u := 1 - t
		return 3 * (u*u*(ax-from.X) + 2*u*t*(bx-ax) + t*t*(x-bx)),
			3 * (u*u*(ay-from.Y) + 2*u*t*(by-ay) + t*t*(y-by))
	}
	const step = 1.0 / cubicPieces
	for i := range cubicPieces {
		t0, t1 := float64(i)*step, float64(i+1)*step
		x0, y0 := at(t0)
		x1, y1 := at(t1)
		dx0, dy0 := slope(t0)
		dx1, dy1 := slope(t1)
		// The control point of the best quadratic is the mean of the values from the two end tangents.
		p.QuadTo((x0+x1)/2+(dx0-dx1)*step/4, (y0+y1)/2+(dy0-dy1)*step/4, x1, y1)
	}
}

// Outline returns the drawn outline. The pen must not be used afterwards.
func (p *Pen) Outline() Outline {
	p.close()
	return p.done
}

func (p *Pen) current() Point {
	if len(p.contour) == 0 {
		return Point{}
	}
	return p.contour[len(p.contour)-1]
}

// close ends the contour. It drops a last point equal to the first, and a contour without area.
func (p *Pen) close() {
	contour := p.contour
	if n := len(contour); n > 1 && contour[n-1] == contour[0] {
		contour = contour[:n-1]
	}
	if len(contour) > 2 || len(contour) == 2 && !contour[1].On {
		p.done = append(p.done, contour)
	}
	p.contour = nil
}
