package http

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"iter"
)

// cursor identifies the start of the next page of a list: the last record of the previous page, and
// the sequence of the state that the first page was read from.
type cursor struct {
	sequence uint64
	after    [16]byte
}

const cursorBytes = 8 + 16

// String returns the opaque text for clients.
func (k cursor) String() string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, cursorBytes), k.sequence)
	return base64.RawURLEncoding.EncodeToString(append(raw, k.after[:]...))
}

func parseCursor(text string) (cursor, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != cursorBytes {
		return cursor{}, false
	}
	k := cursor{sequence: binary.BigEndian.Uint64(raw)}
	copy(k.after[:], raw[8:])
	return k, k.sequence > 0
}

// page is the JSON form of every list.
type page[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// paged returns a page of an organization's records, which must be ordered by id. The cursor pins the
// state, so that all pages show one state although changes continue.
func paged[R any](c *Call, id func(R) [16]byte, all iter.Seq[R]) page[R] {
	return pageAt(c, c.View.Sequence, id, all)
}

// sinceEver is the sequence in cursors of lists over several organizations, which have no common
// state.
const sinceEver = 1

// pageAt returns the page after the cursor. It reads one record beyond the limit to detect a further
// page.
func pageAt[R any](c *Call, sequence uint64, id func(R) [16]byte, all iter.Seq[R]) page[R] {
	found, limit, after := page[R]{Data: []R{}}, c.Limit(), c.After()
	for record := range all {
		if at := id(record); bytes.Compare(at[:], after[:]) <= 0 {
			continue
		}
		if len(found.Data) == limit {
			found.NextCursor = cursor{sequence: sequence, after: id(found.Data[limit-1])}.String()
			break
		}
		found.Data = append(found.Data, record)
	}
	return found
}

// only returns the records for which wanted is true.
func only[R any](all iter.Seq[R], wanted func(R) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if wanted(record) && !yield(record) {
				return
			}
		}
	}
}

// shaped returns the transformed records. It omits those for which shape returns false.
func shaped[R any](all iter.Seq[R], shape func(R) (R, bool)) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if record, wanted := shape(record); wanted && !yield(record) {
				return
			}
		}
	}
}

// After returns the id after which the page begins; zero for the first page.
func (c *Call) After() [16]byte { return c.after.after }
