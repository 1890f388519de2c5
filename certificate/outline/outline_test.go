package outline_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"equity/certificate/outline"
)

// area returns the sum of the contours' areas. Clockwise contours count negative.
func area(o outline.Outline) float64 {
	total := 0.0
	for _, contour := range o {
		for i, p := range contour {
			q := contour[(i+1)%len(contour)]
			total += (p.X*q.Y - q.X*p.Y) / 2
		}
	}
	return total
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestShapes(t *testing.T) {
	t.Parallel()

	t.Run("a rectangle turns counter-clockwise whichever corners are given", func(t *testing.T) {
		t.Parallel()
		for _, o := range []outline.Outline{
			outline.Rectangle(0, 0, 4, 3), outline.Rectangle(4, 3, 0, 0), outline.Rectangle(4, 0, 0, 3),
		} {
			near(t, "area", area(o), 12, 1e-12)
		}
	})

	t.Run("a frame leaves out its inside", func(t *testing.T) {
		t.Parallel()
		near(t, "area", area(outline.Frame(5, 4, 1)), 80-48, 1e-12)
	})

	t.Run("a circle bounds its radius and a ring has a hole", func(t *testing.T) {
		t.Parallel()
		x0, y0, x1, y1, ok := outline.Circle(3, -2, 5).Bounds()
		if !ok {
			t.Fatal("circle has no bounds")
		}
		near(t, "left", x0, -2, 0.1)
		near(t, "right", x1, 8, 0.1)
		near(t, "bottom", y0, -7, 0.1)
		near(t, "top", y1, 3, 0.1)
		ring := outline.Ring(0, 0, 5, 4)
		if len(ring) != 2 || area(ring[:1]) < 0 || area(ring[1:]) > 0 {
			t.Errorf("ring of %d contours does not turn out and in", len(ring))
		}
	})

	t.Run("an empty outline has no bounds and joins to an empty outline", func(t *testing.T) {
		t.Parallel()
		if _, _, _, _, ok := outline.Outline(nil).Bounds(); ok {
			t.Error("empty outline has bounds")
		}
		if got := outline.Join(nil, nil); len(got) != 0 {
			t.Errorf("nothing joined to nothing is %v", got)
		}
	})
}

func TestOutward(t *testing.T) {
	t.Parallel()
	ring := outline.Ring(0, 0, 5, 4)
	mirrored := ring.Transform(outline.Scale(-1, 1))
	near(t, "mirrored area", area(mirrored), area(ring), 1e-9)

	clockwise := outline.Polygon(0, 0, 0, 3, 4, 3, 4, 0)
	near(t, "turned area", area(clockwise.Outward()), 12, 1e-12)
	near(t, "kept area", area(ring.Outward()), area(ring), 1e-12)
}

func TestTransforms(t *testing.T) {
	t.Parallel()

	t.Run("a combined transform applies the second to the result of the first", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			number := rapid.Float64Range(-10, 10)
			first := outline.Move(number.Draw(t, "x"), number.Draw(t, "y")).
				Then(outline.Rotate(number.Draw(t, "angle")))
			second := outline.Scale(number.Draw(t, "sx"), number.Draw(t, "sy"))
			p := outline.Point{X: number.Draw(t, "px"), Y: number.Draw(t, "py"), On: true}
			want := second.Apply(first.Apply(p))
			got := first.Then(second).Apply(p)
			if math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 || !got.On {
				t.Fatalf("got %v, want %v", got, want)
			}
		})
	})

	t.Run("a quarter turn carries x onto y", func(t *testing.T) {
		t.Parallel()
		p := outline.Rotate(math.Pi / 2).Apply(outline.Point{X: 2})
		near(t, "x", p.X, 0, 1e-12)
		near(t, "y", p.Y, 2, 1e-12)
	})

	t.Run("the original stays as it was", func(t *testing.T) {
		t.Parallel()
		o := outline.Rectangle(0, 0, 1, 1)
		o.Transform(outline.Move(5, 5))
		near(t, "corner", o[0][0].X, 0, 0)
	})
}

func TestSplit(t *testing.T) {
	t.Parallel()

	t.Run("parts hold all contours in order, and no part is too large", func(t *testing.T) {
		t.Parallel()
		var row outline.Outline
		for i := range 100 {
			x := float64(i)
			row = append(row, outline.Rectangle(x, 0, x+0.5, 1)...)
		}
		contours := 0
		for _, part := range row.Split(20, 1000) {
			if part.Points() > 20 {
				t.Errorf("part of %d points", part.Points())
			}
			contours += len(part)
		}
		if contours != 100 {
			t.Errorf("%d contours, want 100", contours)
		}
		for _, part := range row.Split(1000, 7) {
			if x0, _, x1, _, _ := part.Bounds(); x1-x0 > 7 {
				t.Errorf("part reaches %v", x1-x0)
			}
		}
	})

	t.Run("a hole stays with the contour around it", func(t *testing.T) {
		t.Parallel()
		var rings outline.Outline
		for i := range 10 {
			rings = append(rings, outline.Ring(float64(20*i), 0, 5, 4)...)
		}
		for _, part := range rings.Split(1, 1) {
			if len(part) != 2 || area(part[1:]) > 0 {
				t.Errorf("part of %d contours", len(part))
			}
		}
	})

	t.Run("an empty outline has no parts", func(t *testing.T) {
		t.Parallel()
		if parts := outline.Outline(nil).Split(10, 10); len(parts) != 0 {
			t.Errorf("%d parts", len(parts))
		}
	})
}
