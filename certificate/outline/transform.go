package outline

import "math"

// Transform is an affine map: x' = A·x + C·y + E and y' = B·x + D·y + F.
type Transform struct{ A, B, C, D, E, F float64 }

// Move returns the transform that shifts by x and y.
func Move(x, y float64) Transform { return Transform{1, 0, 0, 1, x, y} }

// Scale returns the transform that enlarges around the origin. A negative factor mirrors.
func Scale(x, y float64) Transform { return Transform{x, 0, 0, y, 0, 0} }

// Rotate returns the transform that turns counter-clockwise around the origin, by an angle in radians.
func Rotate(angle float64) Transform {
	sin, cos := math.Sincos(angle)
	return Transform{cos, sin, -sin, cos, 0, 0}
}

// Then returns the transform that first applies t and then next.
func (t Transform) Then(next Transform) Transform {
	return Transform{
		A: next.A*t.A + next.C*t.B, B: next.B*t.A + next.D*t.B,
		C: next.A*t.C + next.C*t.D, D: next.B*t.C + next.D*t.D,
		E: next.A*t.E + next.C*t.F + next.E, F: next.B*t.E + next.D*t.F + next.F,
	}
}

// Apply returns the transformed point.
func (t Transform) Apply(p Point) Point {
	return Point{t.A*p.X + t.C*p.Y + t.E, t.B*p.X + t.D*p.Y + t.F, p.On}
}

// Transform returns the outline with every point transformed. A mirroring transform also reverses the contours, so
// that holes remain holes when mirrored and other outlines are joined.
func (o Outline) Transform(t Transform) Outline {
	mapped := make(Outline, len(o))
	for i, contour := range o {
		mapped[i] = make(Contour, len(contour))
		for j, p := range contour {
			mapped[i][j] = t.Apply(p)
		}
	}
	if t.A*t.D-t.B*t.C < 0 {
		return mapped.reversed()
	}
	return mapped
}
