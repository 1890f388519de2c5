package certificate

import (
	"equity/certificate/engraving"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
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

// spaced returns the style for words in capitals.
func spaced(hand typeface.Style) typesetting.Style {
	return typesetting.Style{Hand: hand, Tracking: 0.14}
}

// front lays out the first page, from top to bottom: the cartouches with the title between them, the column of
// texts over the available height, the seal between the signatures, and the foot with QR code and legends.
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

// head prints the cartouches, the title and the governing law.
func (j *job) head(s *sheet) {
	left, right := contentLeft+cartoucheWidth/2, contentRight-cartoucheWidth/2
	j.cartouche(s, left, "NUMBER", j.Number)
	j.cartouche(s, right, j.amountLabel, j.amount)
	const width = contentWidth - 2*cartoucheWidth - 36
	law := j.caption(j.authority, italic(), typesetting.Box{Width: width, Size: 11.5, Leading: 1.1}, 9.3)
	// A second line of the law raises the title. Both end with the cartouches.
	last := cartoucheY + 16.5
	title := j.Shape(j.title, spaced(typeface.Bold)).Fit(typesetting.Box{Width: width, Lines: 1, Size: 15})
	s.centred(title, centre, last-18.5-0.6*law.Depth(), engraving.Deep())
	s.centred(law, centre, last-law.Depth(), engraving.Black())
}

func (j *job) cartouche(s *sheet, x float64, label, value string) {
	s.stamp(j.plates.cartouche, x, cartoucheY)
	caption := j.Shape(label, spaced(typeface.Roman)).Fit(typesetting.Box{Width: cartoucheWidth - 20, Lines: 1, Size: 6.2})
	s.centred(caption, x, cartoucheY-8.2, engraving.Deep())
	number := j.Shape(value, bold()).Fit(typesetting.Box{Width: cartoucheWidth - 20, Lines: 1, Size: 16})
	s.centred(number, x, cartoucheY+4.5+number.Size*0.32, engraving.Black())
}
