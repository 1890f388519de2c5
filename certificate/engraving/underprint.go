package engraving

import (
	"equity/certificate/outline"
)

// Underprint returns the large pale rosette behind the text, wider than high, for the field inside the frame.
func Underprint() Ornament {
	const stretch = 1.62
	outer := outline.Join(
		rosette{radius: 150, amplitude: 26, lobes: 18, strands: 16, width: 0.45, stretch: stretch}.lines(),
		rosette{radius: 108, amplitude: 22, lobes: 14, strands: 12, width: 0.45, stretch: stretch}.lines(),
	)
	inner := outline.Join(
		rosette{radius: 68, amplitude: 24, lobes: 10, strands: 12, width: 0.45, stretch: stretch}.lines(),
		rosette{radius: 30, amplitude: 18, lobes: 8, strands: 10, width: 0.45, stretch: stretch}.lines(),
	)
	return Ornament{{Faint(), outer}, {Faint(), inner}}
}

// Cartouche returns the panel for a number: pale lathe work between rules with
// notched corners.
func Cartouche(width, height float64) Ornament {
	w, h := width/2, height/2
	lattice := outline.Join(
		weave(width-12, h-7.5, 2, int(width/18), 7, 0.4),
		weave(width-12, h/3, -1.5, int(width/18), 4, 0.4),
	)
	return Ornament{
		{Faint(), outline.Outline{notchedContour(w-1.6, h-1.6, 6)}},
		{Pale(), lattice},
		{Deep(), outline.Join(notched(w, h, 6, 0.9), notched(w-2.4, h-2.4, 6, 0.35))},
	}
}

// Divider returns a rule that is thicker in the middle, with a small diamond. It separates the company's name from
// the following text.
func Divider(width float64) Ornament {
	w := width / 2
	shape := outline.Join(
		outline.Polygon(-w, 0, -9, -0.55, -9, 0.55),
		outline.Polygon(w, 0, 9, 0.55, 9, -0.55),
		outline.Polygon(-4.6, 0, 0, -3, 4.6, 0, 0, 3),
		bead(-6.9, 0, 0.8), bead(6.9, 0, 0.8),
	)
	return Ornament{{Deep(), shape}}
}
