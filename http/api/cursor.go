package api

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"equity/messages"
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

// limitOrAll returns the maximum number of records of a page of a list that is answered as a whole without a limit and a cursor.
func limitOrAll(c *Call) int {
	if c.query["limit"] == "" && FirstPage(c) {
		return math.MaxInt
	}
	return c.Limit()
}

// keySeparator separates the operation from the key in a cursor.
const keySeparator = "\x00"

// cursorOfKey returns the cursor of the page after the record with the key.
func cursorOfKey(c *Call, key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.Operation.ID + keySeparator + key))
}

// keyOfCursor returns the key after which the page begins; empty for the first page.
func keyOfCursor(c *Call) (string, error) {
	if FirstPage(c) {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(c.query["cursor"])
	key, own := strings.CutPrefix(string(raw), c.Operation.ID+keySeparator)
	if err != nil || !own || key == "" {
		return "", errCursor()
	}
	return key, nil
}

// PageByKey returns a page of the records in the order of their keys. The page has all records if the request has no limit and no
// cursor. Keys are unique and not empty. The cursor contains the key of the last record, so it remains valid when records are added or
// removed, also that one. The contract marks such operations with x-cursor.
func PageByKey[R any](c *Call, all []R, key func(at int, record R) string) (Page[R], error) {
	page := Page[R]{Data: []R{}}
	after, err := keyOfCursor(c)
	if err != nil {
		return page, err
	}
	type keyed struct {
		key    string
		record R
	}
	rest := make([]keyed, 0, len(all))
	for at, record := range all {
		if k := key(at, record); k > after {
			rest = append(rest, keyed{k, record})
		}
	}
	slices.SortStableFunc(rest, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	if limit := limitOrAll(c); len(rest) > limit {
		rest = rest[:limit]
		page.NextCursor = cursorOfKey(c, rest[limit-1].key)
	}
	for _, one := range rest {
		page.Data = append(page.Data, one.record)
	}
	return page, nil
}

// StoredPage returns a page of the records that read selects from a store, for lists that can be too long to be read as a whole. The page has at
// most MostListed records if the request has no limit and no cursor. The cursor contains the key of the last record, like that of PageByKey.
func StoredPage[R, S any](
	c *Call, read func(messages.PageQuery) ([]R, error), key func(R) messages.RecordKey, show func(R) S,
) (Page[S], error) {
	after, err := storedKey(c)
	if err != nil {
		return Page[S]{}, err
	}
	limit := min(limitOrAll(c), MostListed)
	found, err := read(messages.PageQuery{After: after, Limit: limit + 1})
	if err != nil {
		return Page[S]{}, Unavailable(err)
	}
	page := Listed(found[:min(len(found), limit)], show)
	if len(found) > limit {
		last := key(found[limit-1])
		text, err := binary.Append(nil, binary.BigEndian, encodedKey{last.At.UnixMicro(), last.ID})
		if err != nil {
			return page, err
		}
		page.NextCursor = cursorOfKey(c, string(text))
	}
	return page, nil
}

// encodedKey is the form of a RecordKey in a cursor, with the precision of stored times.
type encodedKey struct {
	Micros int64
	ID     [16]byte
}

// storedKey returns the key after which a StoredPage begins; zero for the first page.
func storedKey(c *Call) (messages.RecordKey, error) {
	text, err := keyOfCursor(c)
	if err != nil || text == "" {
		return messages.RecordKey{}, err
	}
	var key encodedKey
	if size, err := binary.Decode([]byte(text), binary.BigEndian, &key); err != nil || size != len(text) {
		return messages.RecordKey{}, errCursor()
	}
	return messages.RecordKey{At: time.UnixMicro(key.Micros).UTC(), ID: key.ID}, nil
}

// ListedByKey returns the JSON form of a page of PageByKey.
func ListedByKey[R, S any](c *Call, all []R, key func(at int, record R) string, show func(R) S) (Page[S], error) {
	page, err := PageByKey(c, all, key)
	return ShownPage(page, show), err
}

// PlaceKey returns the key of a record in a list of a fixed order.
func PlaceKey[R any](at int, _ R) string { return fmt.Sprintf("%09d", at) }

// TimeKey returns a key in the order of times. Keys of all times have one length.
func TimeKey(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000") }

// ReverseKey returns a key in the reverse order of keys of one length.
func ReverseKey(key string) string {
	reversed := []byte(key)
	for i := range reversed {
		reversed[i] = ^reversed[i]
	}
	return string(reversed)
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
