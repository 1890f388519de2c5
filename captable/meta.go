package captable

import (
	"encoding/json"
	"fmt"
	"time"

	"equity/captable/exact"
)

// Instant is a moment in microseconds since 1970-01-01 UTC, the precision of the
// journal. In JSON it is RFC 3339 in UTC.
type Instant int64

// InstantOf gives the moment t, its nanoseconds cut off.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMicro()) }

// Time gives the moment in UTC.
func (i Instant) Time() time.Time { return time.UnixMicro(int64(i)).UTC() }

// MarshalText gives RFC 3339 in UTC.
func (i Instant) MarshalText() ([]byte, error) {
	return i.Time().AppendFormat(nil, time.RFC3339Nano), nil
}

// UnmarshalText reads RFC 3339.
func (i *Instant) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return fmt.Errorf("not an RFC 3339 moment: %w", err)
	}
	*i = InstantOf(t)
	return nil
}

// Meta is what every record carries besides its own fields.
type Meta struct {
	// CreatedAt and UpdatedAt are when the first and the last event about the
	// record were recorded.
	CreatedAt Instant `json:"createdAt"`
	UpdatedAt Instant `json:"updatedAt"`
	// Version is the journal sequence of the last event about the record.
	Version uint64 `json:"version"`
}

// Stamp is where and when an event stands in the journal.
type Stamp struct {
	Sequence uint64
	At       Instant
	// By is the author: a user id or system:….
	By string
}

// day is the day of the event in UTC.
func (s Stamp) day() Date { return exact.DateOf(s.At.Time()) }

// NewMeta is the Meta of a record whose first event has this stamp.
func NewMeta(stamp Stamp) Meta {
	return Meta{CreatedAt: stamp.At, UpdatedAt: stamp.At, Version: stamp.Sequence}
}

// Revision is the version, for who does not look at what kind of record it is of.
func (m *Meta) Revision() uint64 { return m.Version }

// Touch notes a further event about the record.
func (m *Meta) Touch(stamp Stamp) { m.UpdatedAt, m.Version = stamp.At, stamp.Sequence }

// Source is the object of an imported package that an event came from, kept as it
// was so that an unchanged import exports equal.
type Source struct {
	// File is the file type within the package, such as OCF_TRANSACTIONS_FILE.
	File string `json:"file"`
	// Order is the object's place among all objects of the package, from 0.
	Order int `json:"order"`
	// Object is the object's own JSON, without personal particulars.
	Object json.RawMessage `json:"object"`
}
