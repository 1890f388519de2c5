package engraving

import (
	"math"

	"equity/certificate/outline"
)

// SealRadius is the outer radius of the seal. SealTextRadius is the radius of the text's baseline, and
// SealTextSize its maximum size.
const (
	SealRadius     = 43.0
	SealTextRadius = 27.6
	SealTextSize   = 6.4

	sealTeeth  = 64
	foilRadius = 39.5
)

// gold returns a gold from the darkest to the lightest.
func gold(shade float64) Ink {
	dark, light := Ink{134, 96, 26}, Ink{248, 231, 172}
	mix := func(a, b int) int { return a + int(math.Round(shade*float64(b-a))) }
	return Ink{mix(dark.Red, light.Red), mix(dark.Green, light.Green), mix(dark.Blue, light.Blue)}
}

// Seal returns a disc of gold foil with a toothed edge, and space for text around it and a letter inside.
func Seal() Ornament {
	seal := Ornament{
		{gold(0.12), teeth(SealRadius, SealRadius-2.6)},
		{gold(0.62), teeth(SealRadius-0.9, SealRadius-3.3)},
	}
	seal = append(seal, foil()...)
	for _, ring := range []struct{ radius, width float64 }{{foilRadius, 0.8}, {SealTextRadius - 3, 0.6}} {
		seal = append(seal, emboss(outline.Ring(0, 0, ring.radius, ring.radius-ring.width))...)
	}
	pearls := outline.Outline{}
	const count = 72
	for i := range count {
		sin, cos := math.Sincos(turn * float64(i) / count)
		pearls = append(pearls, bead((foilRadius-2.9)*cos, (foilRadius-2.9)*sin, 0.75)...)
	}
	seal = append(seal, emboss(pearls)...)
	return append(seal, emboss(wreath())...)
}

// teeth returns a disc with a toothed edge.
func teeth(outer, inner float64) outline.Outline {
	contour := make(outline.Contour, 0, 2*sealTeeth)
	for i := range 2 * sealTeeth {
		radius := outer
		if i%2 == 1 {
			radius = inner
		}
		sin, cos := math.Sincos(turn * float64(i) / (2 * sealTeeth))
		contour = append(contour, outline.Point{X: radius * cos, Y: radius * sin, On: true})
	}
	return outline.Outline{contour}
}

// foil returns the sheen of metal: sectors around the centre with a varying lightness, as on a brushed disc. Each
// shade is one layer over all darker ones, so that there are no gaps between them.
func foil() Ornament {
	const shades, sectors = 14, 180
	layers := Ornament{{gold(0.30), outline.Circle(0, 0, foilRadius)}}
	for shade := 1; shade < shades; shade++ {
		level := float64(shade) / shades
		var shape outline.Outline
		for i := 0; i < sectors; i++ {
			j := i
			for j < sectors && sheen(turn*(float64(j)+0.5)/sectors) >= level {
				j++
			}
			if j > i {
				shape = append(shape, sector(turn*float64(i)/sectors, turn*float64(j)/sectors)...)
				i = j
			}
		}
		layers = append(layers, Layer{gold(0.30 + 0.62*level), shape})
	}
	return layers
}

// sheen returns the lightness of the foil in a direction, from 0 to 1: two broad reflections, and a narrow one
// beside each.
func sheen(angle float64) float64 {
	broad := math.Pow(math.Cos(angle-2.3), 2)
	narrow := math.Pow(math.Cos(angle-0.55), 16)
	return min(1, 0.9*broad+0.55*narrow)
}

func sector(from, to float64) outline.Outline {
	contour := outline.Contour{{X: 0, Y: 0, On: true}}
	steps := int(math.Ceil((to - from) / turn * 90))
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(steps))
		contour = append(contour, outline.Point{X: foilRadius * cos, Y: foilRadius * sin, On: true})
	}
	return outline.Outline{contour}
}

// wreath returns two laurel branches, open at the top.
func wreath() outline.Outline {
	const radius, leaves = 18.2, 13
	var shape outline.Outline
	for i := range leaves {
		angle := -math.Pi/2 + 0.16 + 2.62*float64(i)/(leaves-1)
		size := 1 - 0.3*float64(i)/leaves
		for _, lean := range []float64{-0.62, 0.62} {
			leaf := leaf(4.6*size, 1.25*size).Transform(outline.Move(0.6, 0).
				Then(outline.Rotate(math.Pi/2 + lean)).Then(outline.Move(radius, 0)).
				Then(outline.Rotate(angle)))
			shape = append(shape, leaf...)
			shape = append(shape, leaf.Transform(outline.Scale(-1, 1))...)
		}
	}
	return append(shape, bead(0, -radius, 1.3)...)
}

// leaf returns a pointed oval from the origin along the x axis.
func leaf(length, width float64) outline.Outline {
	return outline.Outline{{
		{X: 0, Y: 0, On: true},
		{X: length * 0.45, Y: -width * 1.5},
		{X: length, Y: 0, On: true},
		{X: length * 0.45, Y: width * 1.5},
	}}
}

// emboss returns a shape raised out of the foil, lit from the upper left.
func emboss(shape outline.Outline) Ornament {
	const depth = 0.34
	return Ornament{
		{gold(0), shape.Transform(outline.Move(depth, -depth))},
		{gold(1), shape.Transform(outline.Move(-depth, depth))},
		{gold(0.33), shape},
	}
}

// Impress returns text or letters raised out of the seal's foil.
func Impress(shape outline.Outline) Ornament { return emboss(shape) }
