package typesetting_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

func setup(tb testing.TB) *typesetting.Compositor {
	tb.Helper()
	return typesetting.NewCompositor(typeface.NewLibrary())
}

func roman() typesetting.Style { return typesetting.Style{Hand: typeface.Roman} }

// seen returns the characters of a line from left to right, and those of a cluster in their written order.
func seen(line typesetting.Line) string {
	var b strings.Builder
	for _, sort := range line.Sorts {
		b.WriteString(sort.Chars)
	}
	return b.String()
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"Latin runs to the right":                     {"Acme Inc.", "Acme Inc."},
		"Hebrew runs to the left":                     {"שלום", "םולש"},
		"a number in Hebrew runs to the right":        {"אב 123 גד", "דג 123 בא"},
		"Latin in Hebrew runs to the right":           {"אב Acme גד", "דג Acme בא"},
		"Hebrew in Latin runs to the left":            {"of אב גד, a", "of דג בא, a"},
		"a number inside Hebrew inside Latin":         {"of אב 123 גד, a", "of דג 123 בא, a"},
		"a number that ends Hebrew inside Latin":      {"of אב 123, a", "of 123 בא, a"},
		"an amount that ends Hebrew inside Latin":     {"of אב 1,5% x", "of 1,5% בא x"},
		"a bracket that opens Hebrew is on its right": {"אב (גד)", ")דג( בא"},
		"white space counts as single blanks":         {"  a\t\n b\u2028c ", "a b c"},
		"controls are left out":                       {"a\x00b\x1bc", "abc"},
		"an override cannot make a name read wrong":   {"\u202eabc\u202c", "abc"},
		"invisible characters leave no trace":         {"\u2060ab\ufeffc", "abc"},
		"skin tones are not printed":                  {"👍🏽", "👍"},
		"an empty text has nothing on its line":       {" \n ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := seen(setup(t).Shape(c.text, roman()).Line()); got != c.want {
				t.Errorf("%q is seen as %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestIsolate(t *testing.T) {
	t.Parallel()
	// Without isolation the number after the name would join its right-to-left run.
	text := "of " + typesetting.Isolate("אב") + " 12 and " + typesetting.Isolate("גד")
	if got, want := seen(setup(t).Shape(text, roman()).Line()), "of בא 12 and דג"; got != want {
		t.Errorf("seen %q, want %q", got, want)
	}
}

func TestShaping(t *testing.T) {
	t.Parallel()
	keys := func(line typesetting.Line) []string {
		var all []string
		for _, sort := range line.Sorts {
			all = append(all, sort.Key)
		}
		return all
	}

	t.Run("Arabic letters join: one letter has four forms", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		joined := keys(c.Shape("ههه", roman()).Line())
		alone := keys(c.Shape("ه", roman()).Line())
		forms := append(joined, alone...)
		slices.Sort(forms)
		if got := len(slices.Compact(forms)); got != 4 {
			t.Errorf("%d forms, want 4: %v", got, forms)
		}
	})

	t.Run("Devanagari conjuncts are one sort of all their characters", func(t *testing.T) {
		t.Parallel()
		line := setup(t).Shape("क्षत्रिय", roman()).Line()
		if len(line.Sorts) != 3 || line.Sorts[0].Chars != "क्ष" || line.Sorts[1].Chars != "त्रि" {
			t.Errorf("sorts %q", seen(line))
		}
	})

	t.Run("a mark sits on its letter", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"e\u0301", "к\u0301", "ำ", "שָ", "ก้"} {
			if line := setup(t).Shape(text, roman()).Line(); len(line.Sorts) != 1 {
				t.Errorf("%q is %d sorts", text, len(line.Sorts))
			}
		}
	})

	t.Run("one letter is one sort whatever it is kerned with", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		kerned, plain := c.Shape("AV", roman()).Line(), c.Shape("AH", roman()).Line()
		if kerned.Sorts[0].Key != plain.Sorts[0].Key {
			t.Error("kerning changes the sort")
		}
		if kerned.Sorts[1].X >= plain.Sorts[1].X {
			t.Error("V is not drawn closer to A")
		}
	})

	t.Run("a name with letters that the style lacks is set wholly in another", func(t *testing.T) {
		t.Parallel()
		for _, key := range keys(setup(t).Shape("Nguyen Thị", roman()).Line()) {
			if !strings.HasPrefix(key, "serif.ttf") {
				t.Errorf("%s among the letters", key)
			}
		}
	})

	t.Run("a character that no font has is drawn as its code in a box", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"\U00012000", "\U000F0000", "\uE123", "\uFFFD\U0001FAE8"} {
			line := setup(t).Shape(text, roman()).Line()
			if len(line.Sorts) == 0 || line.Width <= 0 {
				t.Fatalf("%q leaves no trace", text)
			}
			if sort := line.Sorts[len(line.Sorts)-1]; sort.Key[0] != '?' || sort.Outline.Points() == 0 {
				t.Errorf("%q is drawn by %s", text, sort.Key)
			}
		}
	})

	t.Run("tracking spreads capitals but leaves joined scripts alone", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		wide := typesetting.Style{Hand: typeface.Roman, Tracking: 0.25}
		plain, spread := c.Shape("SEAL", roman()).Line().Width, c.Shape("SEAL", wide).Line().Width
		if math.Abs(spread-plain-0.75) > 0.01 {
			t.Errorf("four letters grow from %v to %v", plain, spread)
		}
		before, after := c.Shape("سلام", roman()).Line(), c.Shape("سلام", wide).Line()
		if before.Sorts[1].X != after.Sorts[1].X {
			t.Error("Arabic is torn apart")
		}
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom(nil, unicode.Latin, unicode.Arabic, unicode.Hebrew,
			unicode.Devanagari, unicode.Thai, unicode.Han, unicode.Hangul, unicode.Zs), 0, 40, -1).Draw(t, "text")
		c := typesetting.NewCompositor(typeface.NewLibrary())
		line := c.Shape(text, roman()).Line()
		x := 0.0
		for _, sort := range line.Sorts {
			if sort.X < x-1.5 || sort.X > line.Width+1.5 || math.IsNaN(sort.X) {
				t.Fatalf("%q stands at %v on a line of %v", sort.Chars, sort.X, line.Width)
			}
			x = max(x, sort.X)
		}
	})
}

func FuzzShape(f *testing.F) {
	for _, seed := range []string{
		"Acme", "שלום 123", "محمد", "क्षत्रिय", "สมชาย", "👩‍👩‍👧‍👦", "\u2067abc\u2069", "e\u0301\u0302\u0303", "\xff\xfe",
		"a\u0300\u0300\u0300", "﷽", "\u1100\u1161\u11a8", "ﷺ\u202e\u2066", "\U000E0001x", "ླྀ", "\u0E4D\u0E4D",
	} {
		f.Add(seed)
	}
	c := setup(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return
		}
		paragraph := c.Shape(text, roman())
		whole := paragraph.Line()
		if math.IsNaN(whole.Width) || math.IsInf(whole.Width, 0) {
			t.Fatalf("%q is %v wide", text, whole.Width)
		}
		// Line breaking neither loses nor repeats a character, except blanks at the ends of lines.
		letters := func(lines ...typesetting.Line) map[rune]int {
			count := map[rune]int{}
			for _, line := range lines {
				for _, r := range seen(line) {
					if r != ' ' {
						count[r]++
					}
				}
			}
			return count
		}
		want, got := letters(whole), letters(paragraph.Lines(3)...)
		for r := range want {
			if want[r] != got[r] {
				t.Fatalf("%q: %U is there %d times on one line, %d on several", text, r, want[r], got[r])
			}
		}
	})
}
