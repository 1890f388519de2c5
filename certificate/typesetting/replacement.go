package typesetting

import (
	"fmt"
	"strings"

	"equity/certificate/outline"
	"equity/certificate/truetype"
)

// A character without a font is shown as its code in a box, as four or six hexadecimal digits in two rows, as in
// the Unicode charts. It cannot be mistaken for another character, and the certificate remains legible.
const (
	digitWidth, digitHeight = 0.16, 0.25
	digitGap, boxMargin     = 0.07, 0.09
	boxBase, boxLine        = -0.12, 0.03
	digitLine               = 0.045
	boxBearing              = 0.05
)

// replacement returns the sort for characters without a font.
func replacement(chars []rune) truetype.Sort {
	var drawn outline.Outline
	x := boxBearing
	var key strings.Builder
	key.WriteByte('?')
	for _, char := range chars {
		code := fmt.Sprintf("%04X", char)
		if len(code) > 4 {
			code = fmt.Sprintf("%06X", char)
		}
		width := box(&drawn, code, x)
		x += width + boxBearing
		key.WriteString(code)
	}
	return truetype.Sort{
		Chars: string(chars), Key: key.String(),
		Advance: int((x + boxBearing) * 1000), Outline: drawn,
	}
}

// box draws a code in its box at x and returns the box's width.
func box(drawn *outline.Outline, code string, x float64) float64 {
	perRow := len(code) / 2
	width := 2*boxMargin + float64(perRow)*digitWidth + float64(perRow-1)*digitGap
	height := 2*boxMargin + 2*digitHeight + digitGap
	*drawn = append(*drawn, outline.Frame(width/2, height/2, boxLine).
		Transform(outline.Move(x+width/2, boxBase+height/2))...)
	for i, digit := range []byte(code) {
		left := x + boxMargin + float64(i%perRow)*(digitWidth+digitGap)
		bottom := boxBase + boxMargin
		if i < perRow {
			bottom += digitHeight + digitGap
		}
		*drawn = append(*drawn, segments(digit).Transform(outline.Move(left, bottom))...)
	}
	return width
}

// segments draws a hexadecimal digit with the seven segments of a calculator display.
func segments(digit byte) outline.Outline {
	const w, h, t = digitWidth, digitHeight, digitLine
	strokes := [7]outline.Outline{
		outline.Rectangle(0, h-t, w, h),             // top
		outline.Rectangle(w-t, h/2, w, h),           // upper right
		outline.Rectangle(w-t, 0, w, h/2),           // lower right
		outline.Rectangle(0, 0, w, t),               // bottom
		outline.Rectangle(0, 0, t, h/2),             // lower left
		outline.Rectangle(0, h/2, t, h),             // upper left
		outline.Rectangle(0, (h-t)/2, w, (h-t)/2+t), // middle
	}
	lit := [16]byte{0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, 0x77, 0x7C, 0x39, 0x5E, 0x79, 0x71}
	value := digit - '0'
	if digit >= 'A' {
		value = digit - 'A' + 10
	}
	var drawn outline.Outline
	for i, stroke := range strokes {
		if lit[value&15]&(1<<i) != 0 {
			drawn = append(drawn, stroke...)
		}
	}
	return drawn
}
