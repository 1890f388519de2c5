package typesetting_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/certificate/typesetting"
)

func widest(lines []typesetting.Line) float64 {
	width := 0.0
	for _, line := range lines {
		width = max(width, line.Width)
	}
	return width
}

func TestLines(t *testing.T) {
	t.Parallel()

	t.Run("lines are no wider than the width and contain every word in order", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		rapid.Check(t, func(t *rapid.T) {
			words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}`), 1, 40).Draw(t, "words")
			width := rapid.Float64Range(12, 40).Draw(t, "width")
			lines := c.Shape(strings.Join(words, " "), roman()).Lines(width)
			var found []string
			for _, line := range lines {
				if line.Width > width+1e-6 {
					t.Fatalf("line of %v on a width of %v", line.Width, width)
				}
				found = append(found, seen(line))
			}
			if got, want := strings.Join(found, " "), strings.Join(words, " "); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		})
	})

	t.Run("a word that is wider than the line is broken", func(t *testing.T) {
		t.Parallel()
		lines := setup(t).Shape(strings.Repeat("w", 50), roman()).Lines(10)
		if len(lines) < 4 || widest(lines) > 10 {
			t.Errorf("%d lines, the widest %v", len(lines), widest(lines))
		}
	})

	t.Run("Chinese and Thai text is broken into lines", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{strings.Repeat("有限公司", 10), strings.Repeat("บริษัท จำกัด ", 10)} {
			if lines := setup(t).Shape(text, roman()).Lines(8); len(lines) < 4 || widest(lines) > 8 {
				t.Errorf("%d lines, the widest %v", len(lines), widest(lines))
			}
		}
	})

	t.Run("the lines of a paragraph are the same after another paragraph was set", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		first := c.Shape("The quick brown fox jumps over the lazy dog", roman())
		before := seen(first.Lines(8)[1])
		c.Shape("something else entirely", roman()).Lines(3)
		if after := seen(first.Lines(8)[1]); after != before {
			t.Errorf("%q became %q", before, after)
		}
	})

	t.Run("an empty paragraph has no lines", func(t *testing.T) {
		t.Parallel()
		if lines := setup(t).Shape("", roman()).Lines(10); len(lines) != 0 {
			t.Errorf("%d lines", len(lines))
		}
	})
}

func TestJustified(t *testing.T) {
	t.Parallel()

	t.Run("a justified line reaches the width by its blanks alone", func(t *testing.T) {
		t.Parallel()
		line := setup(t).Shape("set in two columns", roman()).Line()
		full := line.Justified(line.Width + 0.6)
		if math.Abs(full.Width-line.Width-0.6) > 1e-9 {
			t.Errorf("width %v", full.Width)
		}
		last := len(line.Sorts) - 1
		if moved := full.Sorts[last].X - line.Sorts[last].X; math.Abs(moved-0.6) > 1e-9 {
			t.Errorf("the last letter moved by %v", moved)
		}
		if full.Sorts[2].X != line.Sorts[2].X {
			t.Error("the first word moved")
		}
	})

	t.Run("a line that is full or would become too loose is not justified", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		for _, text := range []string{"one word", "word"} {
			line := c.Shape(text, roman()).Line()
			for _, width := range []float64{line.Width - 1, line.Width + 10} {
				if got := line.Justified(width); got.Width != line.Width {
					t.Errorf("%q stretched to %v", text, got.Width)
				}
			}
		}
	})
}

func TestFit(t *testing.T) {
	t.Parallel()
	const tolerance = 1.002

	t.Run("a short text has the largest size", func(t *testing.T) {
		t.Parallel()
		block := setup(t).Shape("Acme", roman()).Fit(typesetting.Box{Width: 300, Lines: 1, Size: 30})
		if block.Size != 30 || len(block.Lines) != 1 {
			t.Errorf("size %v on %d lines", block.Size, len(block.Lines))
		}
	})

	t.Run("any text fits its box", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringOfN(rapid.RuneFrom([]rune("aW .山م-é")), 1, 400, -1).Draw(t, "text")
			box := typesetting.Box{
				Width: rapid.Float64Range(40, 700).Draw(t, "width"),
				Lines: rapid.IntRange(1, 4).Draw(t, "lines"), Size: 30,
			}
			block := c.Shape(text, roman()).Fit(box)
			if len(block.Lines) > box.Lines || widest(block.Lines)*block.Size > box.Width*tolerance || block.Size > box.Size {
				t.Fatalf("%d lines of %v at %v in %+v", len(block.Lines), widest(block.Lines)*block.Size, block.Size, box)
			}
		})
	})

	t.Run("lines are of about equal length", func(t *testing.T) {
		t.Parallel()
		text := strings.Repeat("word ", 22)
		block := setup(t).Shape(text, roman()).Fit(typesetting.Box{Width: 400, Lines: 3, Size: 20})
		shortest := math.Inf(1)
		for _, line := range block.Lines {
			shortest = min(shortest, line.Width)
		}
		if len(block.Lines) < 2 || shortest < 0.7*widest(block.Lines) {
			t.Errorf("%d lines from %v to %v", len(block.Lines), shortest, widest(block.Lines))
		}
	})

	t.Run("a rough fit has the same size and number of lines", func(t *testing.T) {
		t.Parallel()
		paragraph := setup(t).Shape(strings.Repeat("word and another ", 12), roman())
		box := typesetting.Box{Width: 300, Lines: 3, Size: 20}
		exact := paragraph.Fit(box)
		box.Rough = true
		rough := paragraph.Fit(box)
		if rough.Size != exact.Size || len(rough.Lines) != len(exact.Lines) || rough.Depth() != exact.Depth() {
			t.Errorf("%v in %d lines, %v in %d", rough.Size, len(rough.Lines), exact.Size, len(exact.Lines))
		}
	})

	t.Run("tall letters push lines apart", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		plain := c.Shape(strings.Repeat("name ", 30), roman()).Column(100, 10, 1)
		tall := c.Shape(strings.Repeat("a\u0301\u0302\u0303\u0304 ", 30), roman()).Column(100, 10, 1)
		if tall.Leading <= plain.Leading || tall.Rise() <= plain.Rise() {
			t.Errorf("leading %v and %v", tall.Leading, plain.Leading)
		}
	})

	t.Run("an empty block has no rise, fall or depth", func(t *testing.T) {
		t.Parallel()
		block := setup(t).Shape("", roman()).Fit(typesetting.Box{Width: 100, Lines: 1, Size: 10})
		if block.Rise() != 0 || block.Fall() != 0 || block.Depth() != 0 {
			t.Errorf("measures %v, %v, %v", block.Rise(), block.Fall(), block.Depth())
		}
	})
}
