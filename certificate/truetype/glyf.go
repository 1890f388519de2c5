package truetype

import (
	"encoding/binary"
	"math"

	"equity/certificate/outline"
)

// Flags of a point in a simple glyph description (OpenType, "glyf" table).
const (
	onCurve  = 1 << 0
	xShort   = 1 << 1
	yShort   = 1 << 2
	repeated = 1 << 3
	xSame    = 1 << 4 // or, with xShort, positive
	ySame    = 1 << 5 // or, with yShort, positive
)

// gridPoint is a point in font units.
type gridPoint struct {
	x, y int
	on   bool
}

// box is a glyph's extent in font units.
type box struct{ x0, y0, x1, y1 int }

func (b box) union(c box) box {
	return box{min(b.x0, c.x0), min(b.y0, c.y0), max(b.x1, c.x1), max(b.y1, c.y1)}
}

// describe returns the glyph description of an outline in ems, padded to a multiple of four bytes, and its extent.
// Both are empty without an outline.
func describe(o outline.Outline, unitsPerEm int) (data []byte, extent box, points, contours int) {
	var grid []gridPoint
	var ends []int
	for _, contour := range o {
		if len(contour) < 2 {
			continue
		}
		for _, p := range contour {
			grid = append(grid, gridPoint{snap(p.X, unitsPerEm), snap(p.Y, unitsPerEm), p.On})
		}
		ends = append(ends, len(grid)-1)
	}
	if len(grid) == 0 {
		return nil, box{}, 0, 0
	}
	extent = box{math.MaxInt16, math.MaxInt16, math.MinInt16, math.MinInt16}
	for _, p := range grid {
		extent = extent.union(box{p.x, p.y, p.x, p.y})
	}
	for _, v := range []int{len(ends), extent.x0, extent.y0, extent.x1, extent.y1} {
		data = append16(data, v)
	}
	for _, end := range ends {
		data = append16(data, end)
	}
	data = append16(data, 0) // no instructions
	return pad(appendPoints(data, grid)), extent, len(grid), len(ends)
}

// snap rounds a length in ems to the grid. Points are written as 16-bit differences, so the whole extent is
// limited, not only each coordinate.
func snap(v float64, unitsPerEm int) int {
	const reach = math.MaxInt16 / 2
	return int(max(-reach, min(reach, math.Round(v*float64(unitsPerEm)))))
}

// appendPoints writes flags and coordinate differences. Equal flags are counted instead of repeated, and small
// differences take one byte: a repeated pattern becomes repeated bytes, which compress well.
func appendPoints(data []byte, grid []gridPoint) []byte {
	var flags, xs, ys []byte
	previous := gridPoint{}
	for _, p := range grid {
		flag := byte(0)
		if p.on {
			flag = onCurve
		}
		var bits byte
		xs, bits = appendDifference(xs, p.x-previous.x, xShort, xSame)
		flag |= bits
		ys, bits = appendDifference(ys, p.y-previous.y, yShort, ySame)
		flags = append(flags, flag|bits)
		previous = p
	}
	for i := 0; i < len(flags); {
		run := 1
		for i+run < len(flags) && flags[i+run] == flags[i] && run < 256 {
			run++
		}
		if run > 1 {
			data = append(data, flags[i]|repeated, byte(run-1))
		} else {
			data = append(data, flags[i])
		}
		i += run
	}
	return append(append(data, xs...), ys...)
}

// appendDifference writes one coordinate difference and returns the flag bits of its encoding.
func appendDifference(data []byte, difference int, short, same byte) ([]byte, byte) {
	switch {
	case difference == 0:
		return data, same
	case difference > 0 && difference < 256:
		return append(data, byte(difference)), short | same
	case difference < 0 && difference > -256:
		return append(data, byte(-difference)), short
	default:
		return append16(data, difference), 0
	}
}

// append16 writes the low 16 bits, which are the two's complement of a negative number.
func append16(data []byte, v int) []byte {
	return binary.BigEndian.AppendUint16(data, uint16(v)) //nolint:gosec // two's complement is intended
}

func append32(data []byte, v int) []byte {
	return binary.BigEndian.AppendUint32(data, uint32(v)) //nolint:gosec // two's complement is intended
}

// pad appends zeros up to a multiple of four bytes.
func pad(data []byte) []byte {
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	return data
}
