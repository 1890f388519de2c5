package truetype_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/go-text/typesetting/font"
	"pgregory.net/rapid"

	"equity/certificate/outline"
	"equity/certificate/truetype"
	"equity/certificate/typeface"
)

func sort(chars, key string, advance int) truetype.Sort {
	return truetype.Sort{Chars: chars, Key: key, Advance: advance, Outline: outline.Rectangle(0, 0, 0.5, 0.7)}
}

func open(t *testing.T, data []byte) *font.Face {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("parse what was cast: %v", err)
	}
	return face
}

func TestPlace(t *testing.T) {
	t.Parallel()

	t.Run("the same sort is one glyph", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		first := cast.Place(sort("a", "roman", 500))
		again := cast.Place(sort("a", "roman", 500))
		if fmt.Sprint(first) != fmt.Sprint(again) || cast.Len() != 1 {
			t.Errorf("%v then %v in %d fonts", first, again, cast.Len())
		}
	})

	t.Run("a character drawn in two ways is in two fonts", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		roman, italic := cast.Place(sort("a", "roman", 500)), cast.Place(sort("a", "italic", 480))
		if roman[0].Font == italic[0].Font || roman[0].Text != "a" || italic[0].Text != "a" {
			t.Errorf("%v and %v", roman, italic)
		}
	})

	t.Run("a form of several characters is searchable as all of them", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		pieces := cast.Place(sort("क्ष", "ksha", 700))
		if len(pieces) != 1 || pieces[0].Text != "क्ष" {
			t.Fatalf("pieces %v", pieces)
		}
		face := open(t, cast.Font(0))
		for i, r := range []rune("क्ष") {
			glyph, ok := face.NominalGlyph(r)
			if !ok {
				t.Fatalf("no glyph for %U", r)
			}
			want := float32(0)
			if i == 0 {
				want = 0.7 * truetype.Coarse
			}
			if got := face.HorizontalAdvance(glyph); got != want {
				t.Errorf("%U advances %v, want %v", r, got, want)
			}
		}
	})

	t.Run("a character that comes twice in a form is two pieces", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		pieces := cast.Place(sort("क्क", "kka", 700))
		if len(pieces) != 2 || pieces[0].Text+pieces[1].Text != "क्क" || pieces[0].Font == pieces[1].Font {
			t.Errorf("pieces %v", pieces)
		}
	})

	t.Run("text that no single 16-bit code represents gets a private character", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		for _, chars := range []string{"\U00020BB7", "\U0001F680", "\x00", "", "\uE000", "\uFFFF"} {
			pieces := cast.Place(sort(chars, "glyph of "+chars, 1000))
			runes := []rune(pieces[0].Text)
			if len(pieces) != 1 || len(runes) != 1 || runes[0] < 0xE000 || runes[0] > 0xF8FF {
				t.Errorf("%q is drawn by %v", chars, pieces)
			}
		}
	})
}

func TestDraw(t *testing.T) {
	t.Parallel()
	cast := truetype.NewCast(truetype.Fine)
	seen := map[string]bool{}
	for range 1000 {
		piece := cast.Draw(outline.Circle(0, 0, 0.1))
		name := fmt.Sprint(piece)
		if seen[name] {
			t.Fatalf("two drawings share %v", piece)
		}
		seen[name] = true
	}
}

func TestFont(t *testing.T) {
	t.Parallel()

	t.Run("a font has its outlines within half a grid step", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			contour := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) outline.Point {
				reach := rapid.Float64Range(-1, 1)
				return outline.Point{X: reach.Draw(t, "x"), Y: reach.Draw(t, "y"), On: true}
			}), 3, 60).Draw(t, "contour")
			cast := truetype.NewCast(truetype.Fine)
			cast.Place(truetype.Sort{Chars: "x", Key: "x", Outline: outline.Outline{contour}})
			face, err := font.ParseTTF(bytes.NewReader(cast.Font(0)))
			if err != nil {
				t.Fatal(err)
			}
			glyph, _ := face.NominalGlyph('x')
			wx0, wy0, wx1, wy1, _ := outline.Outline{contour}.Bounds()
			gx0, gy0, gx1, gy1, ok := typeface.Outline(face, glyph).Bounds()
			if !ok {
				// All points fell on a line, which encloses no area.
				return
			}
			const step = 0.5/truetype.Fine + 1e-9
			for _, pair := range [][2]float64{{gx0, wx0}, {gy0, wy0}, {gx1, wx1}, {gy1, wy1}} {
				if math.Abs(pair[0]-pair[1]) > step {
					t.Fatalf("bounds %v, want %v", pair[0], pair[1])
				}
			}
		})
	})

	t.Run("a font keeps outlines beyond the reach of its grid inside it", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Fine)
		cast.Place(truetype.Sort{Chars: "x", Key: "x", Advance: 1 << 20, Outline: outline.Rectangle(-50, -50, 50, 50)})
		face := open(t, cast.Font(0))
		glyph, _ := face.NominalGlyph('x')
		x0, _, x1, _, _ := typeface.Outline(face, glyph).Bounds()
		if x1 <= x0 || x1-x0 > 4 {
			t.Errorf("reaches from %v to %v", x0, x1)
		}
	})

	t.Run("the same sorts give the same bytes, and share none", func(t *testing.T) {
		t.Parallel()
		fill := func() *truetype.Cast {
			cast := truetype.NewCast(truetype.Coarse)
			for _, r := range "The quick brown fox" {
				cast.Place(sort(string(r), string(r), 500))
			}
			return cast
		}
		one, two := fill(), fill()
		first := one.Font(0)
		if !bytes.Equal(first, two.Font(0)) {
			t.Error("two casts differ")
		}
		first[20] ^= 0xFF
		if bytes.Equal(first, one.Font(0)) {
			t.Error("a font shares its bytes")
		}
	})

	t.Run("an empty drawing is a font too", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		cast.Place(truetype.Sort{Chars: " ", Key: "blank", Advance: 250})
		face := open(t, cast.Font(0))
		if glyph, ok := face.NominalGlyph(' '); !ok || face.HorizontalAdvance(glyph) != 500 {
			t.Errorf("blank advances %v", face.HorizontalAdvance(glyph))
		}
	})

	t.Run("tables are sorted, summed and padded", func(t *testing.T) {
		t.Parallel()
		cast := truetype.NewCast(truetype.Coarse)
		cast.Place(sort("abc", "abc", 500))
		checkTables(t, cast.Font(0))
	})
}

// checkTables checks the directory of a font file: order, extent, checksums, and that the length of all tables but
// head is a multiple of four bytes.
func checkTables(t *testing.T, data []byte) {
	t.Helper()
	previous := ""
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		record := data[12+16*i:]
		tag := string(record[:4])
		offset, length := binary.BigEndian.Uint32(record[8:]), binary.BigEndian.Uint32(record[12:])
		if tag <= previous {
			t.Errorf("%s follows %s", tag, previous)
		}
		previous = tag
		if offset%4 != 0 || length%4 != 0 && tag != "head" || int(offset+length) > len(data) {
			t.Errorf("%s at %d of %d bytes", tag, offset, length)
		}
		var sum uint32
		for j := uint32(0); j < length; j += 4 {
			if tag != "head" || j != 8 { // the file's own checksum is not part of head's
				sum += binary.BigEndian.Uint32(data[offset+j:])
			}
		}
		if want := binary.BigEndian.Uint32(record[4:]); sum != want {
			t.Errorf("%s sums up to %08x, said %08x", tag, sum, want)
		}
	}
	var whole uint32
	for i := 0; i < len(data); i += 4 {
		whole += binary.BigEndian.Uint32(data[i:])
	}
	if whole != 0xB1B0AFBA {
		t.Errorf("file sums up to %08x", whole)
	}
}
