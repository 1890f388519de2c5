package sheet

import (
	"fmt"
	"io"
)

// Limits for the XML in a workbook.
const (
	// mostToken is the maximum size of a tag, or of the text between two tags, in bytes.
	mostToken = 64 << 10
	// mostDepth is the maximum nesting of elements.
	mostDepth = 64
)

// bounded reads a part of a workbook. It refuses a part, tag or text above its size limit, and comments, CDATA
// sections and entity declarations. The decoder therefore never holds more than one token.
type bounded struct {
	from  io.Reader
	book  *archive
	inTag bool
	begun bool // the last byte opened a tag
	run   int
}

// Read reads the next bytes. It returns an [*Error] if a limit is exceeded.
func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	if b.book.budget -= int64(n); b.book.budget < 0 {
		return 0, tooLargeUnzipped()
	}
	for _, c := range into[:n] {
		if refusal := b.next(c); refusal != nil {
			return 0, refusal
		}
	}
	return n, err
}

// next counts a byte. A tag ends at the first > and a text at the first <, even inside an attribute. Counting then
// continues, so the count is never too low.
func (b *bounded) next(c byte) *Error {
	b.run++
	switch {
	case b.begun && c == '!':
		return refuse(0, "unreadable", "The workbook contains XML comments or declarations. Save it again as XLSX or CSV.")
	case b.run > mostToken:
		return cellTooLarge(0)
	case !b.inTag && c == '<':
		b.inTag, b.run = true, 0
	case b.inTag && c == '>':
		b.inTag, b.run = false, 0
	}
	b.begun = b.inTag && b.run == 0
	return nil
}

func tooLargeUnzipped() *Error {
	return tooLarge(fmt.Sprintf("The workbook exceeds %d MB.", mostUnzipped>>20))
}
