package captable

import (
	"encoding/json"
	"fmt"
	"time"

	"equity/captable/exact"
)

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
