// Package typesetting turns text of any script into placed sorts: it resolves the direction of each run, chooses
// its font, shapes it (joining, ligatures, marks, kerning), breaks lines according to the script and orders
// right-to-left runs.
//
// Text is measured in ems and set at size 1. The caller scales it. Shaping, the expensive part, is therefore done
// only once for all sizes.
package typesetting

import (
	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"equity/certificate/outline"
	"equity/certificate/typeface"
)

// Style is the style of a text.
type Style struct {
	Hand typeface.Style
	// Tracking is the space added after every letter, in ems, for spaced capitals. It does not apply to scripts
	// that join or stack letters.
	Tracking float64
}

const (
	// size is the size of shaped text, and unit the length of one em: the shaper works in 64ths of 64ths. A line
	// can thus be half a million ems long.
	size = 64
	unit = size * 64

	// maxOutlines limits the memory of cached shapes.
	maxOutlines = 4000
)

// Compositor sets text. It caches fonts and shapes between texts. Only one goroutine may use it at a time.
type Compositor struct {
	fonts     *typeface.Case
	shaper    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	wrapper   shaping.LineWrapper
	bidi      bidi.Paragraph
	outlines  map[string]outline.Outline
}

// NewCompositor returns a compositor with the fonts of the library.
func NewCompositor(library *typeface.Library) *Compositor {
	return &Compositor{fonts: typeface.NewCase(library), outlines: map[string]outline.Outline{}}
}

// Paragraph is shaped text, which can be broken into lines of any width repeatedly. Only the goroutine of its
// compositor may use it.
type Paragraph struct {
	compositor *Compositor
	style      Style
	runes      []rune
	levels     []bidi.Level // of every rune
	direction  di.Direction // of the paragraph
	runs       []shaping.Output
}

// Shape prepares a text for setting. White space of any kind, including line ends, counts as one blank. Control
// characters are omitted.
func (c *Compositor) Shape(text string, style Style) *Paragraph {
	p := &Paragraph{compositor: c, style: style, runes: clean(text)}
	p.direction = direction(p.runes)
	p.style.Hand = c.hand(p.runes, style.Hand)
	p.levels = c.resolve(p.runes, p.direction)
	for start := 0; start < len(p.runes); {
		end := start + 1
		for end < len(p.runes) && p.levels[end] == p.levels[start] {
			end++
		}
		p.shape(start, end)
		start = end
	}
	return p
}

// shape shapes the runes of one direction, separately for each script and font.
func (p *Paragraph) shape(start, end int) {
	input := shaping.Input{
		Text: p.runes, RunStart: start, RunEnd: end,
		Direction: di.DirectionLTR, Size: fixed.I(size), Language: "en",
	}
	if p.levels[start]%2 == 1 {
		input.Direction = di.DirectionRTL
	}
	// Every ligature would need a font of its own in the document, with little visual benefit.
	noLigatures := []shaping.FontFeature{{Tag: opentype.MustNewTag("liga"), Value: 0}}
	c := p.compositor
	chooser := &chooser{fonts: c.fonts, hand: p.style.Hand}
	for _, run := range c.segmenter.Split(input, chooser) {
		if typeface.IsEuropean(run.Script) {
			run.FontFeatures = noLigatures
		}
		output := c.shaper.Shape(run)
		if p.style.Tracking != 0 && tracks(run.Script) {
			for i := range output.Glyphs {
				output.Glyphs[i].Advance += fixed.Int26_6(p.style.Tracking * unit)
			}
			output.RecomputeAdvance()
		}
		p.runs = append(p.runs, output)
	}
}

// tracks reports whether letters of a script may be spaced.
func tracks(script language.Script) bool {
	return typeface.IsEuropean(script) || script == language.Common || script == language.Han ||
		script == language.Hangul || script == language.Hiragana || script == language.Katakana
}

// hand returns the style of a text: Plain if the text has European letters that the wanted style's font lacks.
func (c *Compositor) hand(runes []rune, wanted typeface.Style) typeface.Style {
	for _, r := range runes {
		if r > 0x7E && typeface.IsEuropean(language.LookupScript(r)) && !c.fonts.Has(wanted, r) {
			return typeface.Plain
		}
	}
	return wanted
}
