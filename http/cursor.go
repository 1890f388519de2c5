package http

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"iter"
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

// page is the body of every list.
type page[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// paged gives the page of an organization's records, which come in the order of their
// ids. Its cursor holds on to the state that the page is of, so that a walk through all
// pages sees one state, whatever changes meanwhile.
func paged[R any](c *Call, id func(R) [16]byte, all iter.Seq[R]) page[R] {
	return pageAt(c, c.View.Sequence, id, all)
}

// sinceEver is the sequence in the cursors of lists over several organizations, which have
// no state in common.
const sinceEver = 1

// pageAt gives the page behind the cursor. One record more than the page holds shows that
// there is a next one.
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

// only gives those that are wanted.
func only[R any](all iter.Seq[R], wanted func(R) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if wanted(record) && !yield(record) {
				return
			}
		}
	}
}

// shaped gives the records as they are asked for, but for those that are not wanted.
func shaped[R any](all iter.Seq[R], shape func(R) (R, bool)) iter.Seq[R] {
	return func(yield func(R) bool) {
		for record := range all {
			if record, wanted := shape(record); wanted && !yield(record) {
				return
			}
		}
	}
}

// After is the id behind which the page begins; zero for the first page.
func (c *Call) After() [16]byte { return c.after.after }
