package engraving

import (
	"math"

	"equity/certificate/outline"
)

// Distances of the frame's parts from the edge of the page.
const (
	outerRule   = 17.0
	bandOuter   = 21.0
	bandInner   = 51.0
	innerRule   = 54.5
	fineRule    = 58.5
	cornerBlock = 21.0 // half the side of the corner squares
	strandWidth = 0.42
)

// FrameDepth is the distance of the frame's inner edge from the edge of the page.
const FrameDepth = fineRule + 1

// Frame returns the border of a page of the given size: a dark band with white
// lathe work, rosettes in the corners, and rules on either side.
func Frame(width, height float64) Ornament {
	w, h := width/2, height/2
	var ground, lines outline.Outline
	ground = outline.Join(
		outline.Frame(w-outerRule, h-outerRule, 1),
		outline.Frame(w-bandOuter, h-bandOuter, bandInner-bandOuter),
		outline.Frame(w-innerRule, h-innerRule, 0.9),
		notched(w-fineRule, h-fineRule, 15, 0.5),
	)
	middle := (bandOuter + bandInner) / 2
	for _, side := range []struct{ length, distance, angle float64 }{
		{2 * (w - middle - cornerBlock), h - middle, 0},
		{2 * (h - middle - cornerBlock), w - middle, math.Pi / 2},
		{2 * (w - middle - cornerBlock), h - middle, math.Pi},
		{2 * (h - middle - cornerBlock), w - middle, 3 * math.Pi / 2},
	} {
		place := outline.Move(0, side.distance).Then(outline.Rotate(side.angle))
		lines = append(lines, band(side.length).Transform(place)...)
	}
	for _, x := range []float64{middle - w, w - middle} {
		for _, y := range []float64{middle - h, h - middle} {
			at := outline.Move(x, y)
			block := outline.Rectangle(-cornerBlock, -cornerBlock, cornerBlock, cornerBlock)
			ground = append(ground, block.Transform(at)...)
			lines = append(lines, corner().Transform(at)...)
		}
	}
	return Ornament{{Deep(), ground}, {Paper(), lines}}
}

// PlainFrame returns a lighter border, for the pages after the first.
func PlainFrame(width, height float64) Ornament {
	w, h := width/2, height/2
	rules := outline.Join(
		outline.Frame(w-outerRule, h-outerRule, 1),
		notched(w-bandOuter-3, h-bandOuter-3, 15, 0.5),
	)
	for _, x := range []float64{outerRule + 9 - w, w - outerRule - 9} {
		for _, y := range []float64{outerRule + 9 - h, h - outerRule - 9} {
			flower := rosette{radius: 2.6, amplitude: 2.4, lobes: 8, strands: 3, width: 0.35}.lines()
			rules = append(rules, flower.Transform(outline.Move(x, y))...)
		}
	}
	return Ornament{{Deep(), rules}}
}

// band returns the lathe work of one side, along the x axis.
func band(length float64) outline.Outline {
	const period = 27.0
	periods := int(math.Round(length / period))
	edge := (bandInner-bandOuter)/2 - 2.2
	rule := outline.Rectangle(-length/2, -0.2, length/2, 0.2)
	return outline.Join(
		weave(length, 8.2, 1.6, periods, 10, strandWidth),
		weave(length, 3.1, -1, 2*periods, 4, strandWidth),
		beads(length, 3.4, 0.75).Transform(outline.Move(0, edge)),
		beads(length, 3.4, 0.75).Transform(outline.Move(0, -edge)),
		rule.Transform(outline.Move(0, edge-1.9)),
		rule.Transform(outline.Move(0, 1.9-edge)),
	)
}

// corner returns the rosette of a corner, around the origin.
func corner() outline.Outline {
	return outline.Join(
		outline.Frame(cornerBlock-1.3, cornerBlock-1.3, 0.5),
		outline.Frame(cornerBlock-2.6, cornerBlock-2.6, 0.25),
		rosette{radius: 12.4, amplitude: 4, lobes: 12, strands: 8, width: strandWidth}.lines(),
		rosette{radius: 5.6, amplitude: 2.4, lobes: 8, strands: 6, width: 0.36}.lines(),
		outline.Ring(0, 0, 17.3, 16.9),
		bead(0, 0, 1.5),
		quadrants(cornerBlock-4.6),
	)
}

// quadrants returns small beads in the four corners of a square.
func quadrants(distance float64) outline.Outline {
	return outline.Join(bead(distance, distance, 1.1), bead(-distance, distance, 1.1),
		bead(distance, -distance, 1.1), bead(-distance, -distance, 1.1))
}

// notched returns a rule around a rectangle with quarter-circle notches in the corners.
func notched(w, h, radius, width float64) outline.Outline {
	return outline.Outline{notchedContour(w, h, radius)}.Stroke(width)
}

func notchedContour(w, h, radius float64) outline.Contour {
	var contour outline.Contour
	const steps = 10
	corners := []struct{ x, y, start float64 }{
		{w, h, turn / 2}, {-w, h, 3 * turn / 4}, {-w, -h, 0}, {w, -h, turn / 4},
	}
	for _, c := range corners {
		for i := range steps + 1 {
			// Clockwise around the corner, so that the arc bends inwards.
			angle := c.start + turn/4*(1-float64(i)/steps)
			contour = append(contour, outline.Point{
				X: c.x + radius*math.Cos(angle), Y: c.y + radius*math.Sin(angle), On: true,
			})
		}
	}
	return contour
}
