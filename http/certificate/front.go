package certificate

import (
	"equity/http/certificate/engraving"
	"equity/http/certificate/typeface"
	"equity/http/certificate/typesetting"
)

const (
	centre       = pageWidth / 2
	contentLeft  = engraving.FrameDepth + 16.5
	contentRight = pageWidth - contentLeft
	contentWidth = contentRight - contentLeft

	contentTop    = engraving.FrameDepth + 8
	contentBottom = pageHeight - engraving.FrameDepth - 8
	cartoucheY    = contentTop + cartoucheHeight/2
)

// Styles of the front page.
func roman() typesetting.Style  { return typesetting.Style{Hand: typeface.Roman} }
func bold() typesetting.Style   { return typesetting.Style{Hand: typeface.Bold} }
func italic() typesetting.Style { return typesetting.Style{Hand: typeface.Italic} }

// spaced is for words in capitals.
func spaced(hand typeface.Style) typesetting.Style {
	return typesetting.Style{Hand: hand, Tracking: 0.14}
}

// element is a text of the front's column, with the room kept above it.
type element struct {
	block typesetting.Block
	gap   float64 // above, at least
	ink   engraving.Ink
	after func(s *sheet, baseline float64) // prints what goes with it
}

// front lays out the first page. From top to bottom: the cartouches with the
// title between them; the column of texts, spread over the room there is; the
// seal between the signatures; the foot with QR code and legends.
func (j *job) front(f *foot) error {
	s := j.add()
	s.stamp(j.plates.underprint, centre, pageHeight/2-12)
	s.stamp(j.plates.frame, centre, pageHeight/2)
	j.head(s)

	sealY := f.top - engraving.SealRadius - 4
	top, bottom := cartoucheY+cartoucheHeight/2, sealY-engraving.SealRadius-2
	j.column(s, top, bottom)
	j.signatures(s, sealY)
	j.seal(s, centre, sealY)
	return f.print(s)
}

// head prints the cartouches, the title and the law.
func (j *job) head(s *sheet) {
	left, right := contentLeft+cartoucheWidth/2, contentRight-cartoucheWidth/2
	j.cartouche(s, left, "NUMBER", j.Number)
	j.cartouche(s, right, j.amountLabel, j.amount)
	const width = contentWidth - 2*cartoucheWidth - 36
	title := j.Shape(j.title, spaced(typeface.Bold)).Fit(typesetting.Box{Width: width, Lines: 1, Size: 15})
	s.centred(title, centre, cartoucheY-2, engraving.Deep())
	if j.authority != "" {
		law := j.Shape(j.authority, italic()).Fit(typesetting.Box{Width: width, Lines: 2, Size: 11.5, Leading: 1.1})
		s.centred(law, centre, cartoucheY+16-law.Depth()/4, engraving.Black())
	}
}

func (j *job) cartouche(s *sheet, x float64, label, value string) {
	s.stamp(j.plates.cartouche, x, cartoucheY)
	caption := j.Shape(label, spaced(typeface.Roman)).Fit(typesetting.Box{Width: cartoucheWidth - 20, Lines: 1, Size: 6.2})
	s.centred(caption, x, cartoucheY-8.2, engraving.Deep())
	number := j.Shape(value, bold()).Fit(typesetting.Box{Width: cartoucheWidth - 20, Lines: 1, Size: 16})
	s.centred(number, x, cartoucheY+4.5+number.Size*0.32, engraving.Black())
}

// column prints the texts between top and bottom. When they do not fit at their
// largest, all of them shrink together; room left over goes between them.
func (j *job) column(s *sheet, top, bottom float64) {
	var elements []element
	used := 0.0
	for scale := 1.0; ; scale *= 0.95 {
		elements = j.elements(scale)
		used = 0
		for _, e := range elements {
			used += e.gap + e.block.Rise() + e.block.Depth() + e.block.Fall()
		}
		if used <= bottom-top || scale < 0.05 {
			break
		}
	}
	spare := max(0, bottom-top-used) / float64(len(elements)+1)
	y := top
	for _, e := range elements {
		y += e.gap + spare + e.block.Rise()
		baseline := s.centred(e.block, centre, y, e.ink)
		if e.after != nil {
			e.after(s, baseline)
		}
		y = baseline + e.block.Fall()
	}
}

// elements returns the texts of the column, at most as large as scale says.
func (j *job) elements(scale float64) []element {
	set := func(text string, style typesetting.Style, width, size float64, lines int) typesetting.Block {
		return j.Shape(text, style).Fit(typesetting.Box{Width: width, Lines: lines, Size: size * scale})
	}
	var elements []element
	add := func(block typesetting.Block, gap float64, ink engraving.Ink) *element {
		if len(block.Lines) > 0 {
			elements = append(elements, element{block: block, gap: gap * scale, ink: ink})
		}
		return &elements[len(elements)-1]
	}
	add(set(j.Organization, bold(), contentWidth-40, 35, 2), 8, engraving.Deep()).after = func(s *sheet, baseline float64) {
		s.stamp(j.plates.divider, centre, baseline+16*scale)
	}
	add(set(j.Security, spaced(typeface.Roman), contentWidth-80, 14.5, 2), 22, engraving.Black())
	add(set("This certifies that", italic(), contentWidth, 13, 1), 9, engraving.Black())
	add(set(j.Holder, roman(), contentWidth-60, 28, 3), 5, engraving.Black())
	add(set("is the registered holder of", italic(), contentWidth, 13, 1), 7, engraving.Black())
	add(set(j.inWords, bold(), contentWidth-40, 16, 3), 5, engraving.Deep())
	add(set(j.body, roman(), contentWidth-70, 11, 4), 6, engraving.Black())
	add(set(j.witness, italic(), contentWidth-70, 10.5, 2), 5, engraving.Black())
	return elements
}
