package captable

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"equity/captable/exact"
	"equity/captable/sorted"
)

// Records contains immutable records in the order of their ids, which is the order of their
// creation. It is copy-on-write, with the rules of [State.Copy].
type Records[Of, R any] struct{ tree sorted.Set[entry] }

// entry stores the id next to the record, so that a search does not access the records. One type
// of entries for all records spares the compiler a copy of the tree for each kind.
type entry struct {
	id     [16]byte
	record any
}

func (e entry) less(other entry) bool { return bytes.Compare(e.id[:], other.id[:]) < 0 }

// NewRecords returns an empty collection.
func NewRecords[Of, R any]() Records[Of, R] { return Records[Of, R]{sorted.NewSet(entry.less)} }

// Copy returns an independent copy in constant time.
func (r Records[Of, R]) Copy() Records[Of, R] { return Records[Of, R]{r.tree.Copy()} }

// Len returns the number of records.
func (r Records[Of, R]) Len() int { return r.tree.Len() }

// Get returns the record with the id.
func (r Records[Of, R]) Get(id ID[Of]) (*R, bool) { return recordOf[R](r.tree.Get(entry{id: id})) }

// Set stores the record under the id and returns the replaced record, if any.
func (r Records[Of, R]) Set(id ID[Of], record *R) (*R, bool) {
	return recordOf[R](r.tree.Set(entry{id, record}))
}

func recordOf[R any](found entry, ok bool) (*R, bool) { return contentOf[R](found), ok }

// contentOf returns the record of an entry; nil for the zero entry.
func contentOf[R any](e entry) *R {
	record, _ := e.record.(*R)
	return record
}

// touch applies a change to a copy of the record and stores the copy. Readers of earlier states
// keep the unchanged record.
func touch[Of, R any, P interface {
	*R
	Touch(Stamp)
}](r Records[Of, R], id ID[Of], stamp Stamp, change func(*R)) {
	old, ok := r.Get(id)
	if !ok {
		return
	}
	next := *old
	change(&next)
	P(&next).Touch(stamp)
	r.Set(id, &next)
}

// Load is Set for records in ascending order of their ids.
func (r Records[Of, R]) Load(id ID[Of], record *R) { r.tree.Load(entry{id, record}) }

// Delete removes the record.
func (r Records[Of, R]) Delete(id ID[Of]) { r.tree.Delete(entry{id: id}) }

// All iterates over the records.
func (r Records[Of, R]) All() iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Scan(func(e entry) bool { return yield(contentOf[R](e)) })
	}
}

// After iterates over the records after the given id.
func (r Records[Of, R]) After(id ID[Of]) iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Ascend(entry{id: id}, func(e entry) bool { return e.id == id || yield(contentOf[R](e)) })
	}
}

// heldKey is the key of a record in an index by holder.
type heldKey struct {
	entity EntityID
	id     [16]byte
}

func (k heldKey) less(other heldKey) bool {
	return cmp.Or(bytes.Compare(k.entity[:], other.entity[:]), bytes.Compare(k.id[:], other.id[:])) < 0
}

// holderIndex orders the ids of records by holder.
type holderIndex = sorted.Set[heldKey]

func newHolderIndex() holderIndex { return sorted.NewSet(heldKey.less) }

// heldBy returns the ids of the records of the entity after the given id, in order.
func heldBy[Of any](index holderIndex, entity EntityID, after ID[Of]) iter.Seq[ID[Of]] {
	return func(yield func(ID[Of]) bool) {
		index.Ascend(heldKey{entity, after}, func(key heldKey) bool {
			return key.entity == entity && (key.id == after || yield(key.id))
		})
	}
}

// Instant is a time in microseconds since 1970-01-01 UTC, the precision of the journal. In JSON it
// is RFC 3339 in UTC.
type Instant int64

// InstantOf returns the time t truncated to microseconds.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMicro()) }

// Time returns the instant in UTC.
func (i Instant) Time() time.Time { return time.UnixMicro(int64(i)).UTC() }

// MarshalText returns the instant in RFC 3339 format in UTC.
func (i Instant) MarshalText() ([]byte, error) {
	return i.Time().AppendFormat(nil, time.RFC3339Nano), nil
}

// UnmarshalText parses an RFC 3339 time.
func (i *Instant) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return fmt.Errorf("not an RFC 3339 moment: %w", err)
	}
	*i = InstantOf(t)
	return nil
}

// Meta holds the fields that all records have.
type Meta struct {
	// CreatedAt and UpdatedAt are the recording times of the first and the last event of the
	// record.
	CreatedAt Instant `json:"createdAt"`
	UpdatedAt Instant `json:"updatedAt"`
	// Version is the journal sequence of the last event of the record.
	Version uint64 `json:"version"`
}

// Stamp is the position, time and author of an event in the journal.
type Stamp struct {
	Sequence uint64
	At       Instant
	// By is the author: a user id or system:….
	By string
}

// day returns the date of the event in UTC.
func (s Stamp) day() Date { return exact.DateOf(s.At.Time()) }

// NewMeta returns the Meta of a record with this first event.
func NewMeta(stamp Stamp) Meta {
	return Meta{CreatedAt: stamp.At, UpdatedAt: stamp.At, Version: stamp.Sequence}
}

// Revision returns the version, for code that handles records of any kind.
func (m *Meta) Revision() uint64 { return m.Version }

// Touch records a further event of the record.
func (m *Meta) Touch(stamp Stamp) { m.UpdatedAt, m.Version = stamp.At, stamp.Sequence }

// Source is the object of an imported package from which an event was derived. It is kept
// unchanged, so that an import without later changes is exported identically.
type Source struct {
	// File is the file type within the package, such as OCF_TRANSACTIONS_FILE.
	File string `json:"file"`
	// Order is the index of the object among all objects of the package, from 0.
	Order int `json:"order"`
	// Object is the JSON of the object without personal data.
	Object json.RawMessage `json:"object"`
}
