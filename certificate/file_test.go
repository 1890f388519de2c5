package certificate_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"

	"equity/certificate"
	"equity/certificate/typeface"
)

func TestFile(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Kind, d.Ended = certificate.Copy, "TRANSFERRED"
	data, err := shared().Render(d)
	if err != nil {
		t.Fatal(err)
	}
	document := read(t, data)

	t.Run("the file is a page of A4 in landscape", func(t *testing.T) {
		t.Parallel()
		if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("/MediaBox [0 0 841.89 595.28]")) {
			t.Error("is not")
		}
	})

	t.Run("the file embeds all its fonts", func(t *testing.T) {
		t.Parallel()
		if bytes.Contains(data, []byte("Helvetica")) || bytes.Contains(data, []byte("/Type1")) {
			t.Error("a font is left to the viewer")
		}
		for _, page := range document.pages {
			for _, s := range page {
				if document.faces[s.font] == nil {
					t.Fatalf("font %q is not embedded", s.font)
				}
			}
		}
	})

	t.Run("the file has no raster image", func(t *testing.T) {
		t.Parallel()
		if bytes.Contains(data, []byte("/Subtype /Image")) {
			t.Error("an image is embedded")
		}
	})

	t.Run("the file has the date of the certificate and no other", func(t *testing.T) {
		t.Parallel()
		for _, date := range regexp.MustCompile(`\(D:\d+`).FindAllString(string(data), -1) {
			if date != "(D:20231114000000" {
				t.Errorf("bears %s", date)
			}
		}
	})

	t.Run("the file links the code to the address", func(t *testing.T) {
		t.Parallel()
		if !bytes.Contains(data, []byte("/URI (https://equity.example/verify/PA-7)")) {
			t.Error("there is no link")
		}
	})

	t.Run("the file has at most 300 KB", func(t *testing.T) {
		t.Parallel()
		if len(data) > 300<<10 {
			t.Errorf("%d KB", len(data)>>10)
		}
	})
}

// TestGlyphsAreSimple keeps every drawing within the limits of font engines at printer resolution. They fail on
// much detail over a large width.
func TestGlyphsAreSimple(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Kind, d.Ended = certificate.Specimen, "REPURCHASED AND CANCELLED"
	d.Legends[0].Text = strings.Repeat("No sale without consent. ", 100)
	document := render(t, d)
	for name, face := range document.faces {
		if strings.HasPrefix(name, "letters") {
			continue
		}
		for char, offset := 0, 0; offset+1 < len(document.glyphs[name]); char, offset = char+1, offset+2 {
			glyph := font.GID(document.glyphs[name][offset])<<8 | font.GID(document.glyphs[name][offset+1])
			if glyph == 0 {
				continue
			}
			shape := typeface.Outline(face, glyph)
			x0, y0, x1, y1, _ := shape.Bounds()
			// Ornaments are set at 400 points.
			width, height := (x1-x0)*400, (y1-y0)*400
			if shape.Points() > 900 || shape.Points() > 150 && max(width, height) > 140 {
				t.Errorf("glyph %d of %s has %d points over %.0f by %.0f points", glyph, name, shape.Points(), width, height)
			}
		}
	}
}

func TestPropertiesOfTheFile(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Organization = "Ørsted (\\) 山田\U00020BB7 \xff\x00"
	data, err := shared().Render(d)
	if err != nil {
		t.Fatal(err)
	}
	if len(read(t, data).pages) != 1 {
		t.Error("the properties break the file")
	}
}
