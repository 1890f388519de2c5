package messages

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"equity/captable"
	"equity/organization"
)

// Hash links a journal row to the previous one. It is a SHA-256.
type Hash [sha256.Size]byte

// Row is one event in the form stored in the journal.
type Row struct {
	Organization organization.ID
	// Sequence numbers the organization's events from 1 without gaps.
	Sequence uint64
	// RecordedAt is UTC in microseconds.
	RecordedAt time.Time
	// By is the author: a user's id, or "system:" and a component's name.
	By string
	// Type is the event's type, such as shareholdingIssued.
	Type string
	// Payload is the event's JSON, with its origin; see [Row.Data].
	Payload []byte
	// IdempotencyKey is the caller's key, prefixed with the author. It is empty without a key.
	IdempotencyKey string
	// Fingerprint identifies the content of the request with the idempotency key.
	Fingerprint string
	// PreviousHash is the Hash of the previous row; all zero for the first row.
	PreviousHash Hash
	Hash         Hash
}

// Seal computes the row's hash over the previous hash and all fields. Each text is
// preceded by its length, so that the encoding is unambiguous.
func (r *Row) Seal(previous Hash) { r.SealCovered(previous, r.Covered()) }

// SealCovered is like Seal, with the result of Covered: a row that moves to another position is sealed again.
func (r *Row) SealCovered(previous Hash, covered []byte) {
	r.PreviousHash = previous
	r.Hash = r.sum(covered)
}

// Covered returns the payload as covered by the hash. For most rows it is Payload itself.
func (r *Row) Covered() []byte { return r.hashed() }

// Fits reports whether the row is unaltered and follows the row with this hash.
func (r *Row) Fits(previous Hash) bool {
	return r.PreviousHash == previous && r.Hash == r.sum(r.hashed())
}

func (r *Row) sum(payload []byte) Hash {
	var buffer [1024]byte // on the stack, large enough for most rows
	encoded := buffer[:0]
	encoded = append(encoded, r.PreviousHash[:]...)
	encoded = append(encoded, r.Organization[:]...)
	encoded = binary.BigEndian.AppendUint64(encoded, r.Sequence)
	encoded = binary.BigEndian.AppendUint64(encoded, uint64(r.RecordedAt.UnixMicro()))
	for _, text := range []string{r.By, r.Type, r.IdempotencyKey, r.Fingerprint} {
		encoded = binary.BigEndian.AppendUint32(encoded, uint32(len(text))) //nolint:gosec // far below 4 GB
		encoded = append(encoded, text...)
	}
	encoded = binary.BigEndian.AppendUint32(encoded, uint32(len(payload))) //nolint:gosec // far below 4 GB
	encoded = append(encoded, payload...)
	return sha256.Sum256(encoded)
}

// Append is the batch of one organization: rows without gaps, and the other rows that
// are stored in the same transaction.
type Append struct {
	Organization organization.ID
	Rows         []Row
	Resources    []Resource
	Memberships  []Membership
	Stakes       []Stake
	Particulars  []Particular
	// Sealed are secret values of the events. The store encrypts them.
	Sealed []Sealed
	// Wakes are the consumers that want the events.
	Wakes []Wake
	// Packs are in ascending order. Rows outside the packs are stored as they are.
	Packs []Pack
	// staked maps entities to their index in Stakes.
	staked map[captable.EntityID]int
}

// Resource maps a record to its organization.
type Resource struct {
	ID   [16]byte
	Kind string
}

// Membership reports whether a user is a member of the organization, and with which entity. The entity remains assigned
// to the user after the membership ends.
type Membership struct {
	User   organization.UserID
	Entity captable.EntityID
	Member bool
}

// Stake reports whether an entity holds equity of the organization.
type Stake struct {
	Entity captable.EntityID
	Holds  bool
}

// Particular is one personal field of an entity within the organization. A nil or
// null Value erases it. Particulars are never written to the journal.
type Particular struct {
	Entity captable.EntityID
	Field  string
	Value  json.RawMessage
}

// JournalQuery selects rows of one organization in descending order.
type JournalQuery struct {
	// Before is an exclusive upper bound of the sequence; 0 starts with the newest row.
	Before uint64
	// Limit is the maximum number of rows.
	Limit int
	// Type, By and Origin select rows by event type, author and origin; empty matches all.
	Type   string
	By     string
	Origin Origin
}

// The errors of an append.
var (
	// ErrFenced reports that another writer used the sequence first. Nothing was stored.
	ErrFenced = errors.New("journal: another writer has this sequence")
	// ErrUnreadable is the error of a stored value that cannot be read, even by another attempt.
	ErrUnreadable = errors.New("journal: a stored value cannot be read")
	// ErrNotStored reports that nothing was stored.
	ErrNotStored = errors.New("journal: not stored")
	// ErrUnknownOutcome reports that the append may or may not have been stored.
	ErrUnknownOutcome = errors.New("journal: it is unknown whether this was stored")
)
