package certificate

import (
	"strings"

	"equity/certificate/engraving"
	"equity/certificate/typesetting"
)

// signature is the content of a place beside the seal: a name and a title under a signature line, or the date on
// it.
type signature struct {
	above, name, title string
}

const (
	sealRoom      = 2*engraving.SealRadius + 34
	signatureGap  = 18.0
	signatureDrop = 4.0 // distance of the line below the seal's centre
)

// signatures prints the same number of signature lines left and right of the seal, all at one height. The date
// fills the last place of an odd number.
func (j *job) signatures(s *sheet, sealY float64) {
	places := make([]signature, 0, MaxSignatories)
	for _, signatory := range j.Signatories {
		places = append(places, signature{name: signatory.Name, title: signatory.Title})
	}
	if len(places)%2 == 1 {
		places = append([]signature{{above: j.date, name: "Date"}}, places...)
	}
	half := len(places) / 2
	y := sealY + signatureDrop
	for i, place := range places {
		room := (contentWidth - sealRoom) / 2
		from, index := contentLeft, i
		if i >= half {
			from, index = centre+sealRoom/2, i-half
		}
		width := (room - float64(half-1)*signatureGap) / float64(half)
		width = min(width, 190)
		// The group is centred in its half.
		start := from + (room-float64(half)*width-float64(half-1)*signatureGap)/2
		j.signature(s, place, start+float64(index)*(width+signatureGap), y, width)
	}
}

func (j *job) signature(s *sheet, place signature, x, y, width float64) {
	s.rules = append(s.rules, rule{x, y, width})
	middle := x + width/2
	if place.above != "" {
		date := j.Shape(place.above, roman()).Fit(typesetting.Box{Width: width, Lines: 1, Size: 12})
		s.centred(date, middle, y-4.5, engraving.Black())
	}
	below := y
	for _, text := range []struct {
		words string
		style typesetting.Style
		size  float64
	}{{place.name, bold(), 9.5}, {place.title, italic(), 9}} {
		if strings.TrimSpace(text.words) == "" {
			continue
		}
		block := j.caption(text.words, text.style, typesetting.Box{Width: width, Size: text.size, Leading: 1.05}, 7.2)
		// Small letters keep the same minimum distance from the line above.
		baseline := below + max(block.Rise(), 0.7*text.size) + 3.2
		below = s.centred(block, middle, baseline, engraving.Black()) + block.Fall()*0.5
	}
}

// caption sets a text on one line of the box, or on two if it would be smaller than smallest on one.
func (j *job) caption(text string, style typesetting.Style, box typesetting.Box, smallest float64) typesetting.Block {
	paragraph := j.Shape(text, style)
	box.Lines = 1
	block := paragraph.Fit(box)
	if block.Size < smallest {
		box.Lines, box.Size = 2, smallest
		block = paragraph.Fit(box)
	}
	return block
}
