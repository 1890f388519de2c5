package sheet

import (
	"fmt"
	"io"
)

// Bounds of the XML in a workbook.
const (
	// mostToken is the number of bytes of a tag, or of the text between two.
	mostToken = 64 << 10
	// mostDepth is the number of elements within one another.
	mostDepth = 64
)

// bounded reads a part of a workbook, and refuses it when it grows too large, when a tag or a text does, or when it has
// a comment, a section or a declaration of entities. So the decoder above it never holds more than a token.
type bounded struct {
	from  io.Reader
	book  *book
	inTag bool
	begun bool // the last byte began a tag
	run   int
}

// Read reads the next bytes. Its error is an [*Error] when a bound is exceeded.
func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	if b.book.budget -= int64(n); b.book.budget < 0 {
		return 0, tooLarge(fmt.Sprintf("The workbook has more than %d MB.", mostUnzipped>>20))
	}
	for _, c := range into[:n] {
		if refusal := b.next(c); refusal != nil {
			return 0, refusal
		}
	}
	return n, err
}

// next counts a byte. A tag ends at the first > and a text at the first <, also where an attribute has one: then the
// count goes on, which is on the safe side.
func (b *bounded) next(c byte) *Error {
	b.run++
	switch {
	case b.begun && c == '!':
		return refuse(0, "unreadable", "The workbook has comments or declarations: save it as XLSX or CSV anew.")
	case b.run > mostToken:
		return tooLarge(fmt.Sprintf("A cell has at most %d bytes.", MaxCell))
	case !b.inTag && c == '<':
		b.inTag, b.run = true, 0
	case b.inTag && c == '>':
		b.inTag, b.run = false, 0
	}
	b.begun = b.inTag && b.run == 0
	return nil
}
