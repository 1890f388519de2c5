// Package outline represents filled shapes: closed contours of straight lines and quadratic curves, the common
// form of letters and ornaments before they are cast into a font. Lengths are in the caller's unit, x to the right
// and y upwards. Contours are filled by the nonzero rule, so a hole is a contour in the opposite direction.
//
// Floats are appropriate here, because the numbers are positions on paper and never quantities.
package outline

import "math"

// Point is one point of a contour.
type Point struct {
	X, Y float64
	// On reports whether the curve passes through the point. Otherwise the point is the control point of a
	// quadratic curve. As in TrueType, there is an implicit point halfway between two control points.
	On bool
}

// Contour is a closed line: the first point follows the last.
type Contour []Point

// Outline is a shape of any number of contours. Its methods return new outlines and never change an existing one.
type Outline []Contour

// Polygon returns the outline with the given corners, as x, y, x, y, and so on.
func Polygon(coordinates ...float64) Outline {
	contour := make(Contour, 0, len(coordinates)/2)
	for i := 0; i+1 < len(coordinates); i += 2 {
		contour = append(contour, Point{coordinates[i], coordinates[i+1], true})
	}
	return Outline{contour}
}

// Rectangle returns the rectangle between two opposite corners, always counter-clockwise.
func Rectangle(x0, y0, x1, y1 float64) Outline {
	x0, x1 = min(x0, x1), max(x0, x1)
	y0, y1 = min(y0, y1), max(y0, y1)
	return Polygon(x0, y0, x1, y0, x1, y1, x0, y1)
}

// circleArcs is the number of quadratic arcs of a circle. With 16 the error is 0.0005 % of the radius.
const circleArcs = 16

// Circle returns the disc around x, y.
func Circle(x, y, radius float64) Outline {
	contour := make(Contour, 0, 2*circleArcs)
	control := radius / math.Cos(math.Pi/circleArcs)
	for i := range circleArcs {
		angle := 2 * math.Pi * float64(i) / circleArcs
		between := angle + math.Pi/circleArcs
		contour = append(contour,
			Point{x + radius*math.Cos(angle), y + radius*math.Sin(angle), true},
			Point{x + control*math.Cos(between), y + control*math.Sin(between), false})
	}
	return Outline{contour}
}

// Ring returns the area between two circles around x, y.
func Ring(x, y, outer, inner float64) Outline {
	return append(Circle(x, y, outer), Circle(x, y, inner).reversed()...)
}

// Frame returns the area between a rectangle around the origin, given by half
// its width and height, and the same rectangle set in by thickness.
func Frame(halfWidth, halfHeight, thickness float64) Outline {
	outer := Rectangle(-halfWidth, -halfHeight, halfWidth, halfHeight)
	inner := Rectangle(thickness-halfWidth, thickness-halfHeight, halfWidth-thickness, halfHeight-thickness)
	return append(outer, inner.reversed()...)
}

// Join returns all the outlines as one.
func Join(outlines ...Outline) Outline {
	var all Outline
	for _, o := range outlines {
		all = append(all, o...)
	}
	return all
}

// Points returns the number of points in the outline.
func (o Outline) Points() int {
	n := 0
	for _, contour := range o {
		n += len(contour)
	}
	return n
}

// Split returns the outline as parts of about the given number of points and no wider or higher than reach, for
// programs that fail on larger shapes. A part contains consecutive contours only. A contour is never divided, and
// a hole (a clockwise contour) stays with the previous contour.
func (o Outline) Split(points int, reach float64) []Outline {
	var parts []Outline
	start := 0
	for i := range o {
		if i == start || o[i].area() <= 0 {
			continue
		}
		part := o[start : i+1]
		x0, y0, x1, y1, _ := part.Bounds()
		if part.Points() > points || max(x1-x0, y1-y0) > reach {
			parts = append(parts, o[start:i])
			start = i
		}
	}
	if start < len(o) {
		parts = append(parts, o[start:])
	}
	return parts
}

// area returns the area inside the contour's points, negative for clockwise contours.
func (c Contour) area() float64 {
	twice := 0.0
	for i, p := range c {
		q := c[(i+1)%len(c)]
		twice += p.X*q.Y - q.X*p.Y
	}
	return twice / 2
}

// Bounds returns the box around all points, including control points, and false if there are no points.
func (o Outline) Bounds() (x0, y0, x1, y1 float64, ok bool) {
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, contour := range o {
		for _, p := range contour {
			x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
			ok = true
		}
	}
	return x0, y0, x1, y1, ok
}

// Outward returns the outline with its contours turned so that the largest, which is the outside of a letter, is
// counter-clockwise.
func (o Outline) Outward() Outline {
	largest := 0.0
	for _, contour := range o {
		if area := contour.area(); math.Abs(area) > math.Abs(largest) {
			largest = area
		}
	}
	if largest < 0 {
		return o.reversed()
	}
	return o
}

// reversed returns the outline with every contour in the opposite direction.
func (o Outline) reversed() Outline {
	turned := make(Outline, len(o))
	for i, contour := range o {
		turned[i] = make(Contour, len(contour))
		for j, p := range contour {
			turned[i][len(contour)-1-j] = p
		}
	}
	return turned
}
