package certificate

import (
	"fmt"
	"strings"

	"equity/certificate/engraving"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

// Measures of the pages after the first.
const (
	overleafLeft   = 62.0
	overleafTop    = 112.0
	overleafBottom = pageHeight - 66
	columnGap      = 28.0
	columnWidth    = (pageWidth - 2*overleafLeft - columnGap) / 2
	overleafSize   = 8.2
	overleafPitch  = 1.3
	paragraphGap   = 4.0
)

// galley is a line of the legends with its height.
type galley struct {
	line        typesetting.Line
	size        float64
	above, room float64 // above is omitted at the top of a column; room is the distance to the next line
	keep        bool    // kept with the next line: not the last in a column
}

// overleaf prints the legends in two columns on the required number of pages.
func (j *job) overleaf() {
	galleys := j.galleys()
	first := len(j.sheets)
	for len(galleys) > 0 {
		s := j.add()
		s.stamp(j.plates.plainFrame, centre, pageHeight/2)
		limit := overleafBottom - overleafTop
		// The columns of the last page are balanced.
		if total := height(galleys); total < 2*limit {
			limit = min(limit, total/2+2*overleafSize*overleafPitch)
		}
		for column := range 2 {
			galleys = s.fill(galleys, overleafLeft+float64(column)*(columnWidth+columnGap), limit)
		}
	}
	for i := first; i < len(j.sheets); i++ {
		j.overleafHead(j.sheets[i], i+1, len(j.sheets))
	}
}

func (j *job) overleafHead(s *sheet, page, pages int) {
	title := j.Shape("LEGENDS", spaced(typeface.Bold)).Fit(typesetting.Box{Width: contentWidth, Lines: 1, Size: 17})
	s.centred(title, centre, 68, engraving.Deep())
	text := "to certificate " + typesetting.Isolate(j.Number) + " of " + typesetting.Isolate(j.Organization)
	subtitle := j.Shape(text, italic()).Fit(typesetting.Box{Width: contentWidth - 80, Lines: 1, Size: 11})
	s.centred(subtitle, centre, 86, engraving.Black())
	number := j.Shape(fmt.Sprintf("Page %d of %d", page, pages), roman()).
		Fit(typesetting.Box{Width: contentWidth, Lines: 1, Size: 8})
	s.centred(number, centre, pageHeight-42, engraving.Black())
}

// galleys sets all legends in the width of a column.
func (j *job) galleys() []galley {
	var all []galley
	for i, legend := range j.Legends {
		name := legend.Name
		if strings.TrimSpace(name) == "" {
			name = fmt.Sprintf("Legend %d", i+1)
		}
		heading := j.column2(name, bold(), 9.4, 3*paragraphGap)
		for k := range heading {
			heading[k].keep = true
		}
		all = append(all, heading...)
		for _, paragraph := range strings.FieldsFunc(legend.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
			all = append(all, j.column2(paragraph, roman(), overleafSize, paragraphGap)...)
		}
	}
	return all
}

func (j *job) column2(text string, style typesetting.Style, size, above float64) []galley {
	block := j.Shape(text, style).Column(columnWidth, size, overleafPitch)
	galleys := make([]galley, len(block.Lines))
	for i, line := range block.Lines {
		if i < len(block.Lines)-1 {
			line = line.Justified(columnWidth / size)
		}
		galleys[i] = galley{line: line, size: size, room: block.Leading}
	}
	if len(galleys) > 0 {
		galleys[0].above = above
	}
	return galleys
}

func height(galleys []galley) float64 {
	total := 0.0
	for _, g := range galleys {
		total += g.above + g.room
	}
	return total
}

// fill prints galleys into a column of the given height and returns the rest. It prints at least one.
func (s *sheet) fill(galleys []galley, x, limit float64) []galley {
	n, used := 0, 0.0
	for n < len(galleys) {
		room := galleys[n].room
		if n > 0 {
			room += galleys[n].above
		}
		if n > 0 && used+room > limit {
			break
		}
		used += room
		n++
	}
	for n > 1 && n < len(galleys) && galleys[n-1].keep {
		n--
	}
	y := overleafTop
	for i, g := range galleys[:n] {
		if i > 0 {
			y += g.above
		}
		y += g.room
		s.line(g.line, x, y, g.size, engraving.Black())
	}
	return galleys[n:]
}
