package certificate_test

import (
	"fmt"
	"strings"
	"testing"

	"equity/certificate"
)

func TestLegends(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The holder may not sell or transfer these securities. ", 37) + "End."
	for name, c := range map[string]struct {
		legends, length int
		pages           int
	}{
		"none":                           {0, 0, 1},
		"a short one stays on the front": {1, 200, 1},
		"three short ones too":           {3, 150, 1},
		"a long one goes overleaf":       {1, 2000, 2},
		"ten long ones fill four pages":  {10, 2000, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			d.Legends = nil
			for i := range c.legends {
				d.Legends = append(d.Legends, certificate.Legend{Name: fmt.Sprintf("Legend no. %d", i+1), Text: text[len(text)-c.length:]})
			}
			document := render(t, d)
			if len(document.pages) != c.pages {
				t.Fatalf("%d pages, want %d", len(document.pages), c.pages)
			}
			all := document.allWords()
			if got := strings.Count(all, "End."); got != c.legends {
				t.Errorf("%d legends are complete, want %d", got, c.legends)
			}
			for i := range d.Legends {
				if !strings.Contains(all, d.Legends[i].Name) {
					t.Errorf("%s is missing", d.Legends[i].Name)
				}
			}
			if c.pages > 1 && !strings.Contains(all, fmt.Sprintf("Page %d of %d", c.pages, c.pages)) {
				t.Error("the last page has no number")
			}
		})
	}
}

// legendsOf returns numbered legends with numbered sentences, so that a test can check order and completeness.
func legendsOf(count, sentences int) []certificate.Legend {
	var all []certificate.Legend
	for i := range count {
		var b strings.Builder
		for k := range sentences {
			fmt.Fprintf(&b, "Sentence %d.%d binds the holder hereof. ", i+1, k+1)
			if k%4 == 3 {
				b.WriteByte('\n')
			}
		}
		all = append(all, certificate.Legend{Name: fmt.Sprintf("Restriction %d", i+1), Text: b.String()})
	}
	return all
}

func TestEverySentenceOverleafOnceInOrder(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Legends = legendsOf(7, 41)
	document := render(t, d)
	var read strings.Builder
	for page := 1; page < len(document.pages); page++ {
		// The text of a page is read column by column.
		left, right := columns(document, page)
		read.WriteString(left + " " + right + " ")
	}
	words := strings.Join(strings.Fields(read.String()), " ")
	at := 0
	for i := range 7 {
		for k := range 41 {
			sentence := fmt.Sprintf("Sentence %d.%d binds", i+1, k+1)
			next := strings.Index(words[at:], sentence)
			if next < 0 || strings.Count(words, sentence) != 1 {
				t.Fatalf("%q is missing, repeated or out of order", sentence)
			}
			at += next
		}
	}
}

// columns returns the words of the two columns of a page of legends.
func columns(d *document, page int) (left, right string) {
	halves := [2]*document{}
	for side := range halves {
		half := &document{t: d.t, pages: [][]text{nil}}
		for _, s := range d.pages[page] {
			if (s.x > pageWidth/2) == (side == 1) {
				half.pages[0] = append(half.pages[0], s)
			}
		}
		halves[side] = half
	}
	return halves[0].words(0), halves[1].words(0)
}

func TestColumns(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Legends = legendsOf(9, 30)
	document := render(t, d)

	t.Run("at least half of the lines of a column reach both edges", func(t *testing.T) {
		t.Parallel()
		full := 0
		ends := map[float64]float64{} // right end of every line, by its height
		for _, s := range document.pages[1] {
			if !strings.HasPrefix(s.font, "letters") || s.x > pageWidth/2 || s.size != 8.2 {
				continue
			}
			for _, b := range document.ink(s) {
				ends[s.y] = max(ends[s.y], b.x1)
			}
		}
		widest := 0.0
		for _, end := range ends {
			widest = max(widest, end)
		}
		for _, end := range ends {
			if widest-end < 3 {
				full++
			}
		}
		if full < len(ends)/2 {
			t.Errorf("%d of %d lines reach the edge", full, len(ends))
		}
	})

	t.Run("no column ends with a heading", func(t *testing.T) {
		t.Parallel()
		for page := 1; page < len(document.pages); page++ {
			left, right := columns(document, page)
			for _, column := range []string{left, right} {
				lines := strings.Split(strings.TrimSpace(column), "\n")
				// The column boundary divides the foot of the page, "Page 2 of 4".
				last := lines[max(0, len(lines)-2)]
				if strings.HasPrefix(last, "Restriction") {
					t.Errorf("page %d: a column ends with %q", page+1, last)
				}
			}
		}
	})

	t.Run("the columns of the last page have about equal length", func(t *testing.T) {
		t.Parallel()
		left, right := columns(document, len(document.pages)-1)
		a, b := strings.Count(left, "\n"), strings.Count(right, "\n")
		if a-b > 8 || b-a > 8 {
			t.Errorf("%d and %d lines", a, b)
		}
	})
}

func TestNamelessLegends(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Legends = legendsOf(2, 60)
	d.Legends[0].Name, d.Legends[1].Name = "", " \t"
	words := render(t, d).allWords()
	for _, want := range []string{"Legend 1", "Legend 2"} {
		if !strings.Contains(words, want) {
			t.Errorf("%s has no heading", want)
		}
	}
}
