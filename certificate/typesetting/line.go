package typesetting

import (
	"slices"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"equity/certificate/truetype"
)

// Placed is a sort with its position on a line.
type Placed struct {
	truetype.Sort
	X     float64 // of its origin from the line's left end, in ems
	Blank bool    // a space, which justification may widen
}

// Line is a set line with its sorts from left to right. Lengths are in ems.
type Line struct {
	Sorts []Placed
	Width float64
	// Rise and Fall are the extent of the ink above and below the baseline.
	Rise, Fall float64
}

// endless is wider than any text.
const endless = fixed.Int26_6(1<<31 - 1)

// Line returns the paragraph as a single line.
func (p *Paragraph) Line() Line {
	lines := p.wrap(endless)
	if len(lines) == 0 {
		return Line{}
	}
	return lines[0]
}

// Lines returns the paragraph in lines no wider than width, in ems. Wider words are broken between letters. An
// empty text has no lines.
func (p *Paragraph) Lines(width float64) []Line {
	limit := width * unit
	if limit >= float64(endless) {
		return p.wrap(endless)
	}
	return p.wrap(fixed.Int26_6(max(limit, 1)))
}

func (p *Paragraph) wrap(width fixed.Int26_6) []Line {
	if len(p.runs) == 0 {
		return nil
	}
	config := shaping.WrapConfig{Direction: p.direction, DisableTrailingWhitespaceTrim: true}
	// The wrapper changes runs in place, so it gets a copy, and the paragraph can be wrapped again.
	runs := shaping.NewSliceIterator(slices.Clone(p.runs))
	wrapped, _ := p.compositor.wrapper.WrapParagraphF(config, width, p.runes, runs)
	lines := make([]Line, 0, len(wrapped))
	for _, runs := range wrapped {
		lines = append(lines, p.place(runs))
	}
	return lines
}

// place orders the runs of a line visually and places their sorts.
func (p *Paragraph) place(runs []shaping.Output) Line {
	var line Line
	end := p.visibleEnd(runs)
	for _, run := range p.visual(runs) {
		for glyphs := run.Glyphs; len(glyphs) > 0; {
			n := 1
			for n < len(glyphs) && glyphs[n].TextIndex() == glyphs[0].TextIndex() {
				n++
			}
			if glyphs[0].TextIndex() < end {
				p.add(&line, run, glyphs[:n])
			}
			glyphs = glyphs[n:]
		}
	}
	if n := len(line.Sorts); n > 0 && p.style.Tracking != 0 {
		line.Width -= p.style.Tracking
	}
	return line
}

// visibleEnd returns the index after the last nonblank rune of the line.
func (p *Paragraph) visibleEnd(runs []shaping.Output) int {
	last := runs[len(runs)-1].Runes
	end := last.Offset + last.Count
	for end > runs[0].Runes.Offset && p.runes[end-1] == ' ' {
		end--
	}
	return end
}

// visual returns the runs from left to right: from the highest level down, every sequence of runs of at least that
// level is reversed (rule L2 of the Unicode Bidirectional Algorithm).
func (p *Paragraph) visual(runs []shaping.Output) []shaping.Output {
	ordered := slices.Clone(runs)
	level := func(run shaping.Output) bidi.Level { return p.levels[run.Runes.Offset] }
	highest := bidi.Level(0)
	for _, run := range ordered {
		highest = max(highest, level(run))
	}
	for ; highest > 0; highest-- {
		for i := 0; i < len(ordered); i++ {
			j := i
			for j < len(ordered) && level(ordered[j]) >= highest {
				j++
			}
			if j > i {
				slices.Reverse(ordered[i:j])
				i = j
			}
		}
	}
	return ordered
}

// Justified returns the line stretched to a width by widening its blanks. A line without blanks, or one that would
// become too loose to read, is returned unchanged.
func (l Line) Justified(width float64) Line {
	const loosest = 0.6 // of an em, added to a blank
	blanks := 0
	for _, s := range l.Sorts {
		if s.Blank {
			blanks++
		}
	}
	extra := (width - l.Width) / float64(max(blanks, 1))
	if blanks == 0 || extra <= 0 || extra > loosest {
		return l
	}
	sorts, shift := slices.Clone(l.Sorts), 0.0
	for i := range sorts {
		sorts[i].X += shift
		if sorts[i].Blank {
			shift += extra
		}
	}
	l.Sorts, l.Width = sorts, width
	return l
}
