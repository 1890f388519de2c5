package http

import (
	"encoding/base64"
	"encoding/binary"
)

// cursor is where the next page of a list begins: behind a record, in the state that
// the first page was of.
type cursor struct {
	sequence uint64
	after    [16]byte
}

const cursorBytes = 8 + 16

// String is what callers pass on. They need not understand it.
func (k cursor) String() string {
	bytes := binary.BigEndian.AppendUint64(make([]byte, 0, cursorBytes), k.sequence)
	return base64.RawURLEncoding.EncodeToString(append(bytes, k.after[:]...))
}

func parseCursor(text string) (cursor, bool) {
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(bytes) != cursorBytes {
		return cursor{}, false
	}
	k := cursor{sequence: binary.BigEndian.Uint64(bytes)}
	copy(k.after[:], bytes[8:])
	return k, k.sequence > 0
}

// page is the body of every list.
type page[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// paged gathers a page: each is called with a function that takes a record and tells
// whether more are wanted. One record more than the page holds shows that there is a
// next one.
func paged[R any](c *Call, id func(R) [16]byte, each func(take func(R) bool)) page[R] {
	found := page[R]{Data: []R{}}
	limit := c.Limit()
	each(func(record R) bool {
		if len(found.Data) == limit {
			found.NextCursor = cursor{sequence: c.View.Sequence, after: id(found.Data[limit-1])}.String()
			return false
		}
		found.Data = append(found.Data, record)
		return true
	})
	return found
}

// After is the id behind which the page begins; zero for the first page.
func (c *Call) After() [16]byte { return c.after.after }
