package certificate

import (
	"fmt"
	"strings"

	"equity/certificate/engraving"
	"equity/certificate/outline"
	"equity/certificate/truetype"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

const (
	codeSide     = 46.0
	captionSize  = 5.6
	footHeight   = codeSide + 9
	footGap      = 14.0
	legendSize   = 6.6
	legendPitch  = 1.22
	legendSmall  = 5.8
	footFraction = 0.99 // of the height available for legends
)

// foot is the strip under the seal: the QR code on the left, and beside it the legends or a reference to them.
type foot struct {
	job      *job
	top      float64 // the top of the strip
	left     float64 // the left edge of the text
	blocks   []typesetting.Block
	overleaf bool // the legends follow on separate pages
}

// newFoot decides the content of the strip. Legends that do not fit at a legible size are all printed overleaf.
func (j *job) newFoot() *foot {
	f := &foot{job: j, left: contentLeft, top: contentBottom - footHeight}
	if j.VerifyURL != "" {
		f.left += codeSide + footGap
	}
	for _, size := range []float64{legendSize, (legendSize + legendSmall) / 2, legendSmall} {
		if f.blocks = f.setLegends(size); f.height() <= footHeight*footFraction {
			break
		}
	}
	if f.height() > footHeight*footFraction {
		f.overleaf = true
		f.blocks = f.set(italic(), 10, "This certificate carries "+counted(len(j.Legends), "legend")+", set out in full overleaf.")
	}
	if len(f.blocks) == 0 && j.VerifyURL != "" {
		f.blocks = f.set(italic(), 8.5, "To verify that this certificate is current, scan the code or visit "+
			typesetting.Isolate(j.VerifyURL))
	}
	if len(f.blocks) == 0 && j.VerifyURL == "" {
		f.top = contentBottom - 14
	}
	return f
}

func (f *foot) set(style typesetting.Style, size float64, text string) []typesetting.Block {
	return []typesetting.Block{f.job.Shape(text, style).Column(contentRight-f.left, size, 1.3)}
}

func (f *foot) setLegends(size float64) []typesetting.Block {
	var blocks []typesetting.Block
	for _, l := range f.job.Legends {
		text := strings.Join(strings.Fields(l.Name+". "+l.Text), " ")
		blocks = append(blocks, f.job.Shape(text, roman()).Column(contentRight-f.left, size, legendPitch))
	}
	return blocks
}

func (f *foot) height() float64 {
	height := 0.0
	for _, b := range f.blocks {
		height += b.Leading * float64(len(b.Lines))
	}
	return height
}

// print prints the strip, with its text centred on the height of the QR code.
func (f *foot) print(s *sheet) error {
	j := f.job
	height := codeSide
	if j.VerifyURL != "" {
		if err := j.code(s, contentLeft+codeSide/2, f.top+codeSide/2); err != nil {
			return err
		}
	}
	y := f.top + (height-f.height())/2
	for _, b := range f.blocks {
		for i, line := range b.Lines {
			y += b.Leading
			if len(f.job.Legends) > 0 && !f.overleaf && i < len(b.Lines)-1 {
				line = line.Justified((contentRight - f.left) / b.Size)
			}
			s.line(line, f.left, y-0.25*b.Leading, b.Size, engraving.Black())
		}
	}
	return nil
}

// code prints the QR code with a link and a caption.
func (j *job) code(s *sheet, x, y float64) error {
	square, err := engraving.QR(j.VerifyURL, codeSide)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	j.draw(s, square, x, y)
	blank := truetype.Sort{Chars: "\u00a0", Key: "link", Advance: 1000, Outline: outline.Outline{}}
	for _, piece := range j.letters.Place(blank) {
		s.imprints = append(s.imprints, imprint{
			font: fontName(lettersName, piece.Font), text: piece.Text,
			x: x - codeSide/2, y: y + codeSide/2, size: codeSide, link: j.VerifyURL,
		})
	}
	caption := j.Shape("SCAN TO VERIFY", spaced(typeface.Roman)).Fit(typesetting.Box{Width: codeSide + 4, Lines: 1, Size: captionSize})
	s.centred(caption, x, y+codeSide/2+8, engraving.Deep())
	return nil
}

// counted returns "1 legend" or "3 legends".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
