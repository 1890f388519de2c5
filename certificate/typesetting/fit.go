package typesetting

// Box is a space for a text.
type Box struct {
	// Width is in points.
	Width float64
	// Lines is the maximum number of lines at the largest size.
	Lines int
	// Size is the largest size, in points.
	Size float64
	// Leading is the distance between baselines, in ems. 0 means 1.2.
	Leading float64
	// Rough does not balance the lines, which is faster. The size and the number of lines are the same.
	Rough bool
}

// Block is text set at a size.
type Block struct {
	Lines   []Line
	Size    float64 // points
	Leading float64 // points between baselines
}

// Rise returns the height of the first line's ink above its baseline, in points.
func (b Block) Rise() float64 {
	if len(b.Lines) == 0 {
		return 0
	}
	return b.Lines[0].Rise * b.Size
}

// Fall returns the depth of the last line's ink below its baseline, in points.
func (b Block) Fall() float64 {
	if len(b.Lines) == 0 {
		return 0
	}
	return b.Lines[len(b.Lines)-1].Fall * b.Size
}

// Depth returns the distance from the first baseline to the last, in points.
func (b Block) Depth() float64 {
	return float64(max(len(b.Lines)-1, 0)) * b.Leading
}

const (
	shrinkStep     = 0.97
	defaultLeading = 1.2
	clearance      = 0.12 // minimum distance between the inks of two lines, in ems
)

// Fit sets the paragraph as large as the box allows, in lines of about equal length. A text too long for the box
// at a legible size is set smaller, because the text of a certificate is never cut.
func (p *Paragraph) Fit(box Box) Block {
	leading := box.Leading
	if leading == 0 {
		leading = defaultLeading
	}
	whole := p.Line().Width
	if whole*box.Size <= box.Width {
		return block(p.Lines(box.Width/box.Size*1.001), box.Size, leading)
	}
	// The upper bound of the size, for completely full lines.
	size := min(box.Size, box.Width*float64(box.Lines)/whole)
	for {
		lines := p.Lines(box.Width / size)
		b := block(lines, size, leading)
		if (len(lines) <= box.Lines && widest(lines)*size <= box.Width*1.001) || size < 1e-3 {
			if box.Rough {
				return b
			}
			return p.balanced(b, box.Width, leading)
		}
		size *= shrinkStep
	}
}

// Column sets the paragraph at a size in lines of a width, both in points.
func (p *Paragraph) Column(width, size, leading float64) Block {
	return block(p.Lines(width/size), size, leading)
}

// balanced narrows the lines while their number stays the same.
func (p *Paragraph) balanced(b Block, width, leading float64) Block {
	if len(b.Lines) < 2 {
		return b
	}
	low, high := width/float64(len(b.Lines)), width
	for range 7 {
		middle := (low + high) / 2
		lines := p.Lines(middle / b.Size)
		if len(lines) > len(b.Lines) || widest(lines)*b.Size > middle {
			low = middle
			continue
		}
		high = middle
		b = block(lines, b.Size, leading)
	}
	return b
}

// block sets the leading of lines, which is increased if their ink would touch, as with letters with several
// marks.
func block(lines []Line, size, leading float64) Block {
	for i := 1; i < len(lines); i++ {
		leading = max(leading, lines[i-1].Fall+lines[i].Rise+clearance)
	}
	return Block{Lines: lines, Size: size, Leading: leading * size}
}

func widest(lines []Line) float64 {
	width := 0.0
	for _, line := range lines {
		width = max(width, line.Width)
	}
	return width
}
