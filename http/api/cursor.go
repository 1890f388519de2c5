package api

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"iter"
)

// Cursor identifies the start of the next page of a list: the last record of the previous page, and
// the sequence of the state that the first page was read from.
type Cursor struct {
	Sequence uint64
	After    [16]byte
}

const cursorBytes = 8 + 16

// String returns the opaque text for clients.
func (k Cursor) String() string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, cursorBytes), k.Sequence)
	return base64.RawURLEncoding.EncodeToString(append(raw, k.After[:]...))
}

func parseCursor(text string) (Cursor, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != cursorBytes {
		return Cursor{}, false
	}
	k := Cursor{Sequence: binary.BigEndian.Uint64(raw)}
	copy(k.After[:], raw[8:])
	return k, k.Sequence > 0
}

// Page is the JSON form of every list.
type Page[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// Paged returns a page of an organization's records, which must be ordered by id. The cursor pins the
// state, so that all pages show one state although changes continue.
func Paged[R any](c *Call, id func(R) [16]byte, all iter.Seq[R]) Page[R] {
	return PageAt(c, c.View.Sequence, id, all)
}

// SinceEver is the sequence in cursors of lists over several organizations, which have no common
// state.
const SinceEver = 1

// PageAt returns the page after the cursor. It reads one record beyond the limit to detect a further
// page.
func PageAt[R any](c *Call, sequence uint64, id func(R) [16]byte, all iter.Seq[R]) Page[R] {
	found, limit, after := Page[R]{Data: []R{}}, c.Limit(), c.After()
	for record := range all {
		if at := id(record); bytes.Compare(at[:], after[:]) <= 0 {
			continue
		}
		if len(found.Data) == limit {
			found.NextCursor = Cursor{Sequence: sequence, After: id(found.Data[limit-1])}.String()
			break
		}
		found.Data = append(found.Data, record)
	}
	return found
}

// Only returns the records for which wanted is true.
func Only[R any](all iter.Seq[R], wanted func(R) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if wanted(record) && !yield(record) {
				return
			}
		}
	}
}

// Shaped returns the transformed records. It omits those for which shape returns false.
func Shaped[R any](all iter.Seq[R], shape func(R) (R, bool)) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if record, wanted := shape(record); wanted && !yield(record) {
				return
			}
		}
	}
}

// After returns the id after which the page begins; zero for the first page.
func (c *Call) After() [16]byte { return c.after.After }
