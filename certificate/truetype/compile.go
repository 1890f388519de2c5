package truetype

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Versions and constants of the written OpenType tables.
const (
	version1       = 0x00010000
	version3       = 0x00030000
	headMagic      = 0x5F0F3CF5
	checksumMagic  = 0xB1B0AFBA
	checksumOffset = 8 // of checkSumAdjustment in head
	longLoca       = 1
	regularWeight  = 400
	maxAdvance     = 0x7FFF // the PDF writer treats a larger width as absent
)

// compile writes the font file. The length of every table is a multiple of four, except for head, which the PDF
// writer copies. The writer would pad other tables in place, and concurrently rendered documents may share the
// bytes of a font. For the same reason each glyph has its own metrics record.
func (f *face) compile(unitsPerEm int) []byte {
	// The glyphs are in order of their characters, so that the character map is simple. Glyph 0 is the empty one
	// for unknown characters.
	glyphs := slices.Clone(f.glyphs)
	slices.SortFunc(glyphs, func(a, b glyph) int { return cmp.Compare(a.char, b.char) })

	glyf, hmtx := []byte(nil), append32(nil, 0)
	loca := append32(append32(nil, 0), 0)
	var extent box
	points, contours, widest := 0, 0, 0
	for _, g := range glyphs {
		data, b, p, c := describe(g.outline, unitsPerEm)
		glyf = append(glyf, data...)
		loca = append32(loca, len(glyf))
		advance := min(g.advance*unitsPerEm/1000, maxAdvance)
		hmtx = append16(append16(hmtx, advance), b.x0)
		extent = extent.union(b)
		points, contours, widest = max(points, p), max(contours, c), max(widest, advance)
	}
	if len(glyf) == 0 {
		glyf = make([]byte, 4)
	}
	count := len(glyphs) + 1
	return assemble([]table{
		{"OS/2", os2(extent, unitsPerEm)},
		{"cmap", cmap(glyphs)},
		{"glyf", glyf},
		{"head", head(extent, unitsPerEm)},
		{"hhea", hhea(extent, widest, count)},
		{"hmtx", hmtx},
		{"loca", loca},
		{"maxp", maxp(count, points, contours)},
		{"name", names()},
		{"post", post()},
	})
}

type table struct {
	tag  string
	data []byte
}

// assemble writes the directory and the tables, which must be sorted by tag.
func assemble(tables []table) []byte {
	search, shift := 1, 0
	for search*2 <= len(tables) {
		search, shift = search*2, shift+1
	}
	file := append32(nil, version1)
	for _, v := range []int{len(tables), search * 16, shift, (len(tables) - search) * 16} {
		file = append16(file, v)
	}
	offset := len(file) + 16*len(tables)
	adjust := 0
	for _, t := range tables {
		length, data := len(t.data), pad(t.data)
		if t.tag == "head" {
			adjust = offset + checksumOffset
		}
		file = append(file, t.tag...)
		file = append32(file, checksum(data))
		file = append32(append32(file, offset), length)
		offset += len(data)
	}
	for _, t := range tables {
		file = append(file, pad(t.data)...)
	}
	sum := uint32(checksum(file)) //nolint:gosec // 32 bits by construction
	binary.BigEndian.PutUint32(file[adjust:], checksumMagic-sum)
	return file
}

func checksum(data []byte) int {
	var sum uint32
	for i := 0; i+3 < len(data); i += 4 {
		sum += binary.BigEndian.Uint32(data[i:])
	}
	return int(sum)
}

// cmap maps characters to glyphs in format 4, with one segment per run of consecutive characters, whose glyphs are
// consecutive too.
func cmap(glyphs []glyph) []byte {
	var starts, ends, deltas []int
	for i, g := range glyphs {
		char := int(g.char)
		if n := len(ends); n > 0 && ends[n-1] == char-1 {
			ends[n-1] = char
			continue
		}
		starts, ends, deltas = append(starts, char), append(ends, char), append(deltas, i+1-char)
	}
	starts, ends, deltas = append(starts, 0xFFFF), append(ends, 0xFFFF), append(deltas, 1)

	search, shift := 1, 0
	for search*2 <= len(ends) {
		search, shift = search*2, shift+1
	}
	length := 16 + 8*len(ends)
	data := append16(append16(nil, 0), 1) // version, one subtable
	data = append32(append16(append16(data, 3), 1), 12)
	for _, v := range []int{4, length, 0, 2 * len(ends), 2 * search, shift, 2 * (len(ends) - search)} {
		data = append16(data, v)
	}
	for _, v := range ends {
		data = append16(data, v)
	}
	data = append16(data, 0)
	for _, values := range [][]int{starts, deltas, make([]int, len(ends))} {
		for _, v := range values {
			data = append16(data, v)
		}
	}
	return pad(data)
}
