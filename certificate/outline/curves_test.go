package outline_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"equity/certificate/outline"
)

func TestPen(t *testing.T) {
	t.Parallel()

	t.Run("contours close themselves and empty ones vanish", func(t *testing.T) {
		t.Parallel()
		var pen outline.Pen
		pen.MoveTo(0, 0)
		pen.LineTo(1, 0)
		pen.LineTo(1, 1)
		pen.LineTo(0, 0)
		pen.MoveTo(9, 9)
		pen.MoveTo(5, 5)
		pen.LineTo(6, 6)
		o := pen.Outline()
		if len(o) != 1 || len(o[0]) != 3 {
			t.Fatalf("got %v, want one triangle", o)
		}
	})

	t.Run("a curve that returns to its start is kept", func(t *testing.T) {
		t.Parallel()
		var pen outline.Pen
		pen.MoveTo(0, 0)
		pen.QuadTo(5, 5, 0, 0)
		if o := pen.Outline(); len(o) != 1 || len(o[0]) != 2 {
			t.Fatalf("got %v", o)
		}
	})

	t.Run("a cubic curve is followed closely", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			// A quarter arc, as in letters, at a random position and size.
			radius := rapid.Float64Range(0.1, 50).Draw(t, "radius")
			const k = 0.5522847498
			var pen outline.Pen
			pen.MoveTo(radius, 0)
			pen.CubeTo(radius, k*radius, k*radius, radius, 0, radius)
			pen.LineTo(0, 0)
			for _, contour := range pen.Outline() {
				for i, p := range contour {
					if !p.On || i == len(contour)-1 {
						continue
					}
					if off := math.Abs(math.Hypot(p.X, p.Y)/radius - 1); off > 0.0005 {
						t.Fatalf("point %v is off the arc by %v", p, off)
					}
				}
			}
		})
	})
}

func TestRibbon(t *testing.T) {
	t.Parallel()
	wave := func(t float64) (float64, float64) { return 10 * t, math.Sin(6 * t) }

	t.Run("a ribbon has the requested width", func(t *testing.T) {
		t.Parallel()
		straight := outline.Ribbon(func(t float64) (float64, float64) { return 7 * t, 0 }, 0, 1, 10, 0.5)
		near(t, "area", area(straight), 3.5, 1e-9)
		_, y0, _, y1, _ := straight.Bounds()
		near(t, "width", y1-y0, 0.5, 1e-9)
	})

	t.Run("a ribbon turns counter-clockwise", func(t *testing.T) {
		t.Parallel()
		if area(outline.Ribbon(wave, 0, 1, 40, 0.1)) <= 0 {
			t.Error("ribbon is turned inside out")
		}
	})

	t.Run("a ribbon joins the next ribbon on the same curve", func(t *testing.T) {
		t.Parallel()
		const steps = 20
		first := outline.Ribbon(wave, 0, 1, steps, 0.1)[0]
		second := outline.Ribbon(wave, 1, 2, steps, 0.1)[0]
		for _, ends := range [][2]outline.Point{
			{first[steps+1], second[0]},             // the right side
			{first[steps+2], second[len(second)-1]}, // the left side
		} {
			if math.Hypot(ends[0].X-ends[1].X, ends[0].Y-ends[1].Y) > 1e-9 || !ends[0].On || !ends[1].On {
				t.Errorf("ends at %v, goes on at %v", ends[0], ends[1])
			}
		}
	})

	t.Run("a curve that stands still is no trouble", func(t *testing.T) {
		t.Parallel()
		still := outline.Ribbon(func(float64) (float64, float64) { return 1, 1 }, 0, 1, 4, 1)
		for _, p := range still[0] {
			if math.IsNaN(p.X) || math.IsNaN(p.Y) {
				t.Fatal("not a number")
			}
		}
	})
}

func TestStroke(t *testing.T) {
	t.Parallel()
	square := outline.Rectangle(0, 0, 10, 10)
	x0, y0, x1, y1, _ := square.Stroke(1).Bounds()
	near(t, "left", x0, -0.5, 1e-9)
	near(t, "bottom", y0, -0.5, 1e-9)
	near(t, "right", x1, 10.5, 1e-9)
	near(t, "top", y1, 10.5, 1e-9)
	for _, edge := range square.Stroke(1) {
		if area(outline.Outline{edge}) <= 0 {
			t.Error("an edge is turned inside out")
		}
	}
}

func TestHatch(t *testing.T) {
	t.Parallel()

	t.Run("a hatch covers the share of the area that its lines have of their pitch", func(t *testing.T) {
		t.Parallel()
		for _, angle := range []float64{0, 0.3, -1} {
			lines := outline.Circle(0, 0, 100).Hatch(2, 0.5, angle)
			near(t, "share", area(lines)/(math.Pi*100*100), 0.25, 0.01)
		}
	})

	t.Run("a hatch leaves holes open", func(t *testing.T) {
		t.Parallel()
		lines := outline.Ring(0, 0, 100, 60).Hatch(2, 0.5, 0)
		near(t, "share", area(lines)/(math.Pi*(100*100-60*60)), 0.25, 0.01)
	})

	t.Run("a hatch of an empty outline is empty", func(t *testing.T) {
		t.Parallel()
		if lines := outline.Outline(nil).Hatch(1, 1, 0); lines != nil {
			t.Errorf("got %d lines", len(lines))
		}
	})
}
