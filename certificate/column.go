package certificate

import (
	"equity/certificate/engraving"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

// element is a text of the front's column at its largest size.
type element struct {
	text  *typesetting.Paragraph
	box   typesetting.Box
	gap   float64 // above
	ink   engraving.Ink
	ruled bool // followed by the divider
}

// fitted is an element at a scale.
type fitted struct {
	element
	block typesetting.Block
	drop  float64 // distance of the divider below the last baseline
}

const (
	legible   = 9.0 // points
	mostLines = 8
)

// height returns the height of the element, including its gap.
func (f fitted) height() float64 {
	return f.gap + f.block.Rise() + f.block.Depth() + max(f.block.Fall(), f.drop)
}

// fit sets the element with sizes up to the scale.
func (e element) fit(scale float64) fitted {
	e.box.Size *= scale
	e.box.Rough = true
	e.gap *= scale
	f := fitted{element: e, block: e.text.Fit(e.box)}
	// Very long names get more lines to stay legible.
	for f.block.Size < legible*scale && e.box.Lines < mostLines {
		e.box.Lines++
		f.block = e.text.Fit(e.box)
	}
	if e.ruled {
		// The divider stays clear of descenders above it.
		f.drop = max(f.block.Fall(), 7*scale) + 8*scale
	}
	return f
}

// column prints the texts between top and bottom. If they do not fit at their largest size, all of them shrink
// together. Remaining space is distributed between them.
func (j *job) column(s *sheet, top, bottom float64) {
	const smallest = 0.05
	elements := j.elements()
	set := make([]fitted, len(elements))
	var used float64
	for scale := 1.0; scale > smallest; scale *= 0.95 {
		used = 0
		for i, e := range elements {
			set[i] = e.fit(scale)
			used += set[i].height()
		}
		if used <= bottom-top {
			break
		}
	}
	spare := max(0, bottom-top-used) / float64(len(set)+1)
	y := top
	for _, f := range set {
		f.box.Rough = false
		f.block = f.text.Fit(f.box)
		first := y + f.gap + spare + f.block.Rise()
		last := s.centred(f.block, centre, first, f.ink)
		if f.ruled {
			s.stamp(j.plates.divider, centre, last+f.drop)
		}
		y += spare + f.height()
	}
}

// elements returns the nonempty texts of the column.
func (j *job) elements() []element {
	var elements []element
	add := func(text string, style typesetting.Style, ink engraving.Ink, gap, width, size float64, lines int) {
		if text == "" {
			return
		}
		box := typesetting.Box{Width: width, Lines: lines, Size: size}
		elements = append(elements, element{text: j.Shape(text, style), box: box, gap: gap, ink: ink})
	}
	deep, black := engraving.Deep(), engraving.Black()
	add(j.Organization, bold(), deep, 8, contentWidth-40, 35, 2)
	elements[0].ruled = true
	add(j.Security, spaced(typeface.Roman), black, 10, contentWidth-80, 14.5, 2)
	add("This certifies that", italic(), black, 9, contentWidth, 13, 1)
	add(j.Holder, roman(), black, 5, contentWidth-60, 28, 3)
	if j.Registered != "" {
		add("in the register: "+j.Registered, roman(), black, 2, contentWidth-60, 12, 2)
	}
	add("is the registered holder of", italic(), black, 7, contentWidth, 13, 1)
	add(j.inWords, bold(), deep, 5, contentWidth-40, 16, 3)
	add(j.body, roman(), black, 6, contentWidth-70, 11, 4)
	add(j.witness, italic(), black, 5, contentWidth-70, 10.5, 2)
	return elements
}
