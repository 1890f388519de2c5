package typesetting

import (
	"math"
	"strconv"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/shaping"

	"equity/certificate/outline"
	"equity/certificate/truetype"
	"equity/certificate/typeface"
)

// tallest is the maximum extent of a line's ink, above and below, in ems. Letters of real texts stay below it.
// Stacks of marks are limited by it.
const tallest = 1.6

// add appends the sort of one cluster (the glyphs of the same characters) to a line.
func (p *Paragraph) add(line *Line, run shaping.Output, glyphs []shaping.Glyph) {
	start := glyphs[0].TextIndex()
	chars := p.runes[start : start+glyphs[0].RunesCount()]
	advance, missing, ignorable := 0.0, false, true
	for _, g := range glyphs {
		advance += float64(g.Advance) / unit
		missing = missing || g.GlyphID == 0
	}
	for _, r := range chars {
		ignorable = ignorable && harfbuzz.IsDefaultIgnorable(r)
	}
	if ignorable {
		return // joiners, isolates and similar characters are invisible
	}
	sort := p.compositor.sort(run, glyphs, chars)
	if missing {
		sort = replacement(chars)
		advance = float64(sort.Advance) / 1000
	}
	sort.Advance += int(math.Round(p.style.Tracking * 1000))
	sort.Key += "/" + strconv.Itoa(sort.Advance)
	blank := len(chars) == 1 && chars[0] == ' '
	line.Sorts = append(line.Sorts, Placed{Sort: sort, X: line.Width, Blank: blank})
	line.Width += advance
	if _, y0, _, y1, ok := sort.Outline.Bounds(); ok {
		line.Rise, line.Fall = max(line.Rise, min(y1, tallest)), max(line.Fall, min(-y0, tallest))
	}
}

// sort returns the sort of a cluster. Its advance excludes kerning, so that one letter is one sort in any context.
// The line contains the kerned positions.
func (c *Compositor) sort(run shaping.Output, glyphs []shaping.Glyph, chars []rune) truetype.Sort {
	key := make([]byte, 0, 32)
	key = append(key, c.fonts.Name(run.Face)...)
	x, advance := 0.0, 0.0
	for _, g := range glyphs {
		key = append(key, ':')
		key = strconv.AppendUint(key, uint64(g.GlyphID), 36)
		if len(glyphs) > 1 || g.XOffset != 0 || g.YOffset != 0 {
			for _, v := range []int{int(g.XOffset), int(g.YOffset), int(g.Advance)} {
				key = append(key, ',')
				key = strconv.AppendInt(key, int64(v), 36)
			}
		}
		advance += float64(g.Advance) / unit
	}
	if len(glyphs) == 1 {
		advance = float64(run.Face.HorizontalAdvance(glyphs[0].GlyphID)) / float64(run.Face.Upem())
	}
	drawn, ok := c.outlines[string(key)]
	if !ok {
		for _, g := range glyphs {
			at := outline.Move(x+float64(g.XOffset)/unit, float64(g.YOffset)/unit)
			drawn = append(drawn, typeface.Outline(run.Face, g.GlyphID).Transform(at)...)
			x += float64(g.Advance) / unit
		}
		if len(c.outlines) >= maxOutlines {
			clear(c.outlines)
		}
		c.outlines[string(key)] = drawn
	}
	return truetype.Sort{
		Chars: string(chars), Key: string(key),
		Advance: int(math.Round(advance * 1000)), Outline: drawn,
	}
}
