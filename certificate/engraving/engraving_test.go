package engraving_test

import (
	"math"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"

	"equity/certificate/engraving"
	"equity/certificate/outline"
)

const width, height = 841.89, 595.28

// bounds returns the box around all layers.
func bounds(t *testing.T, ornament engraving.Ornament) (x0, y0, x1, y1 float64) {
	t.Helper()
	var all outline.Outline
	for _, layer := range ornament {
		for _, v := range []int{layer.Ink.Red, layer.Ink.Green, layer.Ink.Blue} {
			if v < 0 || v > 255 {
				t.Errorf("ink %v is no colour", layer.Ink)
			}
		}
		all = append(all, layer.Shape...)
	}
	for _, contour := range all {
		for _, p := range contour {
			if math.IsNaN(p.X) || math.IsNaN(p.Y) {
				t.Fatal("a point is nowhere")
			}
		}
	}
	x0, y0, x1, y1, ok := all.Bounds()
	if !ok {
		t.Fatal("nothing is drawn")
	}
	return x0, y0, x1, y1
}

func TestOrnamentsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ornament engraving.Ornament
		w, h     float64 // half the room
	}{
		"frame":         {engraving.Frame(width, height), width / 2, height / 2},
		"plain frame":   {engraving.PlainFrame(width, height), width / 2, height / 2},
		"underprint":    {engraving.Underprint(), width/2 - engraving.FrameDepth, height/2 - engraving.FrameDepth},
		"cartouche":     {engraving.Cartouche(146, 40), 73.5, 20.5},
		"wide panel":    {engraving.Cartouche(300, 60), 150.5, 30.5},
		"divider":       {engraving.Divider(300), 150, 5},
		"seal":          {engraving.Seal(), engraving.SealRadius, engraving.SealRadius},
		"seal's relief": {engraving.Impress(outline.Circle(0, 0, 10)), 11, 11},
	} {
		t.Run(name+" is centred in its room", func(t *testing.T) {
			t.Parallel()
			x0, y0, x1, y1 := bounds(t, c.ornament)
			if x0 < -c.w || x1 > c.w || y0 < -c.h || y1 > c.h {
				t.Errorf("from %v, %v to %v, %v in %v by %v", x0, y0, x1, y1, c.w, c.h)
			}
			if math.Abs(x0+x1) > 1 || math.Abs(y0+y1) > 2 {
				t.Errorf("centre is at %v, %v", (x0+x1)/2, (y0+y1)/2)
			}
		})
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, layer := range engraving.Frame(width, height) {
		for _, contour := range layer.Shape {
			for _, p := range contour {
				if math.Abs(p.X) < width/2-engraving.FrameDepth-16 && math.Abs(p.Y) < height/2-engraving.FrameDepth-16 {
					t.Fatalf("point %v is in the field", p)
				}
			}
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	x0, y0, x1, y1 := bounds(t, engraving.Divider(100).At(500, -30))
	if math.Abs((x0+x1)/2-500) > 0.01 || math.Abs((y0+y1)/2+30) > 0.01 {
		t.Errorf("moved to %v, %v", (x0+x1)/2, (y0+y1)/2)
	}
}

// inside reports whether a point of a polygon is inked, by the nonzero rule.
func inside(o outline.Outline, x, y float64) bool {
	winding := 0
	for _, contour := range o {
		for i, p := range contour {
			q := contour[(i+1)%len(contour)]
			if (p.Y <= y) != (q.Y <= y) && p.X+(y-p.Y)*(q.X-p.X)/(q.Y-p.Y) > x {
				if q.Y > p.Y {
					winding++
				} else {
					winding--
				}
			}
		}
	}
	return winding != 0
}

func TestQR(t *testing.T) {
	t.Parallel()

	t.Run("a QR code has every module of its text and no other", func(t *testing.T) {
		t.Parallel()
		const text, side = "https://equity.example/verify/CS-12?h=3f9a", 46.0
		drawn, err := engraving.QR(text, side)
		if err != nil {
			t.Fatal(err)
		}
		code, err := qr.Encode(text, qr.M, qr.Auto)
		if err != nil {
			t.Fatal(err)
		}
		modules := code.Bounds().Dx()
		unit := side / float64(modules)
		for row := range modules {
			for column := range modules {
				x, y := (float64(column)+0.5)*unit-side/2, side/2-(float64(row)+0.5)*unit
				red, _, _, _ := code.At(column, row).RGBA()
				if dark := red == 0; inside(drawn[0].Shape, x, y) != dark {
					t.Fatalf("module %d, %d should be %v", row, column, dark)
				}
			}
		}
	})

	t.Run("a text that is too long for a QR code is refused", func(t *testing.T) {
		t.Parallel()
		if _, err := engraving.QR(strings.Repeat("x", 5000), 46); err == nil {
			t.Error("5,000 letters became a code")
		}
	})
}

func TestMark(t *testing.T) {
	t.Parallel()
	letters := outline.Rectangle(-100, -40, 100, 40)
	mark := engraving.Mark(letters)
	inked, all := 0, 0
	for x := -99.0; x < 99; x += 1.7 {
		for y := -39.0; y < 39; y += 1.3 {
			all++
			if inside(mark[0].Shape, x, y) {
				inked++
			}
		}
	}
	if share := float64(inked) / float64(all); share < 0.1 || share > 0.35 {
		t.Errorf("%v of the letters is inked: not to be read through, or not to be seen", share)
	}
}

func TestWordsOnACircle(t *testing.T) {
	t.Parallel()
	const radius = 30.0
	for name, c := range map[string]struct {
		place outline.Transform
		x, y  float64
	}{
		"the middle of the words stands on top":      {engraving.AroundCircle(radius, 0, 2), 0, radius},
		"what follows goes to the right":             {engraving.AroundCircle(radius, radius*math.Pi/2, 2), radius, 0},
		"under it the middle stands at the bottom":   {engraving.UnderCircle(radius, 0, 2), 0, -radius},
		"and there too what follows is on the right": {engraving.UnderCircle(radius, radius*math.Pi/2, 2), radius, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The letter's middle is 2 from its origin.
			p := c.place.Apply(outline.Point{X: 2})
			if math.Hypot(p.X-c.x, p.Y-c.y) > 1e-9 {
				t.Errorf("at %v, %v, want %v, %v", p.X, p.Y, c.x, c.y)
			}
		})
	}
}

func TestSlope(t *testing.T) {
	t.Parallel()
	if slope := engraving.Slope(width, height); slope <= 0 || slope >= math.Atan2(height, width) {
		t.Errorf("marks rise by %v", slope)
	}
}
