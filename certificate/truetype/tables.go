package truetype

// This file writes the small tables that describe a font as a whole. Dates are zero and names are constant, so
// that the same glyphs always result in the same bytes.

func head(extent box, unitsPerEm int) []byte {
	data := append32(append32(nil, version1), version1)
	data = append32(append32(data, 0), headMagic)
	data = append16(append16(data, 0), unitsPerEm)
	data = append(data, make([]byte, 16)...) // created, modified
	for _, v := range []int{extent.x0, extent.y0, extent.x1, extent.y1, 0, 6, 2, longLoca, 0} {
		data = append16(data, v)
	}
	return data
}

func hhea(extent box, widest, glyphs int) []byte {
	data := append32(nil, version1)
	for _, v := range []int{extent.y1, extent.y0, 0, widest, extent.x0, 0, extent.x1, 1, 0, 0, 0, 0, 0, 0, 0, glyphs} {
		data = append16(data, v)
	}
	return pad(data)
}

func maxp(glyphs, points, contours int) []byte {
	data := append16(append32(nil, version1), glyphs)
	for _, v := range []int{points, contours, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0} {
		data = append16(data, v)
	}
	return pad(data)
}

// os2 is version 4 of the table: 96 bytes. Embedding is allowed without limits.
func os2(extent box, unitsPerEm int) []byte {
	data := append16(append16(append16(nil, 4), unitsPerEm/2), regularWeight)
	data = append16(append16(data, 5), 0) // normal width, installable
	data = append(data, make([]byte, 20)...)
	data = append16(data, 0)                 // family class
	data = append(data, make([]byte, 10)...) // panose
	data = append(data, make([]byte, 16)...) // ranges
	data = append(data, "    "...)           // vendor
	for _, v := range []int{1 << 6, ' ', 0xFFFF, extent.y1, extent.y0, 0, max(extent.y1, 0), max(-extent.y0, 0)} {
		data = append16(data, v)
	}
	data = append(data, make([]byte, 8)...) // code pages
	for _, v := range []int{unitsPerEm / 2, unitsPerEm * 7 / 10, 0, ' ', 1} {
		data = append16(data, v)
	}
	return pad(data)
}

func post() []byte {
	return append(append32(nil, version3), make([]byte, 28)...)
}

// names returns a table with one record, the family, because some programs require a name.
func names() []byte {
	const family = "Certificate"
	data := append16(append16(append16(nil, 0), 1), 6+12)
	for _, v := range []int{1, 0, 0, 1, len(family), 0} {
		data = append16(data, v)
	}
	return pad(append(data, family...))
}
