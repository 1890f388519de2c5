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

// Hash links a row of the journal to the one before it; SHA-256.
type Hash [sha256.Size]byte

// Row is one event as the journal keeps it.
type Row struct {
	Organization organization.ID
	// Sequence counts the organization's events from 1, without gaps.
	Sequence uint64
	// RecordedAt is UTC in microseconds.
	RecordedAt time.Time
	// By is the author: a user's id, or system: and what.
	By string
	// Type is the event's type, such as shareholdingIssued.
	Type string
	// Payload is the event's JSON.
	Payload []byte
	// IdempotencyKey is the caller's key behind its author; empty when it gave none.
	IdempotencyKey string
	// Fingerprint is of the request that carried the key.
	Fingerprint string
	// PreviousHash is the Hash of the row before; all zero for the first.
	PreviousHash Hash
	Hash         Hash
}

// Seal computes the row's hash over the previous one and every field, each text
// with its length before it, so that no two rows have the same bytes.
func (r *Row) Seal(previous Hash) {
	r.PreviousHash = previous
	r.Hash = r.sum()
}

// Fits reports whether the row is unaltered and follows one with this hash.
func (r *Row) Fits(previous Hash) bool { return r.PreviousHash == previous && r.Hash == r.sum() }

func (r *Row) sum() Hash {
	var room [1024]byte // on the stack, and enough for nearly every row
	bytes := room[:0]
	bytes = append(bytes, r.PreviousHash[:]...)
	bytes = append(bytes, r.Organization[:]...)
	bytes = binary.BigEndian.AppendUint64(bytes, r.Sequence)
	bytes = binary.BigEndian.AppendUint64(bytes, uint64(r.RecordedAt.UnixMicro()))
	for _, text := range []string{r.By, r.Type, r.IdempotencyKey, r.Fingerprint} {
		bytes = binary.BigEndian.AppendUint32(bytes, uint32(len(text))) //nolint:gosec // far below 4 GB
		bytes = append(bytes, text...)
	}
	payload := r.hashed()
	bytes = binary.BigEndian.AppendUint32(bytes, uint32(len(payload))) //nolint:gosec // far below 4 GB
	bytes = append(bytes, payload...)
	return sha256.Sum256(bytes)
}

// Snapshot is the packed state of an organization after one row of its journal.
type Snapshot struct {
	// Sequence is that of the row; 0 means that there is no snapshot.
	Sequence uint64
	// Hash is that of the row; zero in snapshots of builds that did not store it.
	Hash Hash
	// State is what [organization.State.Snapshot] returned.
	State []byte
}

// Append is one organization's batch: rows without gaps, and what moves in the
// same transaction because of them.
type Append struct {
	Organization organization.ID
	Rows         []Row
	Resources    []Resource
	Memberships  []Membership
	Stakes       []Stake
	Particulars  []Particular
	Mails        []Mail
	// staked finds the place of an entity among the Stakes that were added by effect.
	staked map[captable.EntityID]int
}

// Resource tells which organization a record belongs to.
type Resource struct {
	ID   [16]byte
	Kind string
}

// Membership tells that a user is, or is no longer, a member of the organization, and as whom. The entity stays
// theirs when they are no longer.
type Membership struct {
	User   organization.UserID
	Entity captable.EntityID
	Member bool
}

// Stake tells that an entity holds, or no longer holds, equity of the organization.
type Stake struct {
	Entity captable.EntityID
	Holds  bool
}

// Particular is one personal field of an entity within the organization; a nil or
// null Value erases it. Particulars are never in the journal.
type Particular struct {
	Entity captable.EntityID
	Field  string
	Value  json.RawMessage
}

// JournalQuery selects rows of one organization, newest first.
type JournalQuery struct {
	// Before is the sequence below which rows are wanted; 0 for the newest.
	Before uint64
	// Limit is the most rows to give.
	Limit int
	// Type and By keep only rows of that event type or author; empty keeps all.
	Type string
	By   string
}

// The ways in which an append fails.
var (
	// ErrFenced says that somebody else wrote the sequence first: nothing was stored.
	ErrFenced = errors.New("journal: another writer has this sequence")
	// ErrUnreadable is the error of a stored value that cannot be read. Reading it again does not help.
	ErrUnreadable = errors.New("journal: a stored value cannot be read")
	// ErrNotStored says that nothing was stored.
	ErrNotStored = errors.New("journal: not stored")
	// ErrUnknownOutcome says that the append may or may not have been stored.
	ErrUnknownOutcome = errors.New("journal: it is unknown whether this was stored")
)
