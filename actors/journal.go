package actors

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

// Journal is the store of events as the actors need it.
type Journal interface {
	// Append stores the batch and calls done exactly once, from any goroutine, with
	// nil or with one of the errors of package messages. It does not wait.
	Append(batch messages.Append, done func(error))
	// Scan gives the rows behind after up to upTo (0: to the end), oldest first.
	Scan(ctx context.Context, org organization.ID, after, upTo uint64, each func(messages.Row) error) error
	// Head gives the last sequence and its hash; 0 when there is no such organization.
	Head(ctx context.Context, org organization.ID) (uint64, messages.Hash, error)
	// Keys gives the rows that were recorded since with an idempotency key.
	Keys(ctx context.Context, org organization.ID, since time.Time, each func(key, fingerprint string, sequence uint64) error) error
	// StoredHead returns the last row as the transaction that appended it noted it; zero
	// when no append of the organization was noted.
	StoredHead(ctx context.Context, org organization.ID) (uint64, messages.Hash, error)
	// SaveSnapshot stores a snapshot.
	SaveSnapshot(ctx context.Context, org organization.ID, snapshot messages.Snapshot) error
	// LoadSnapshot returns the latest snapshot whose sequence is at most atMost (0: the
	// latest of all); its sequence is 0 when there is none.
	LoadSnapshot(ctx context.Context, org organization.ID, atMost uint64) (messages.Snapshot, error)
}

// Settings are how the actors behave.
type Settings struct {
	// PassivateAfter is how long an organization may be idle before it leaves memory;
	// more than zero.
	PassivateAfter time.Duration
	// SnapshotEvery is after how many events a snapshot is taken; besides, one is taken
	// before an organization leaves memory that has grown by a thousand.
	SnapshotEvery uint64
	// RememberKeys is for how long idempotency keys are remembered.
	RememberKeys time.Duration
	// ClockSkew is the largest time by which the clock may be behind an organization's last
	// row; beyond it commands are refused. 0 sets no limit.
	ClockSkew time.Duration
	// Patience is how long a caller waits at the most, whatever its context allows (longer
	// for a command of many rows), and how long an organization that ends waits for an append that does not return.
	Patience time.Duration
	// StoreTimeout is how long a read of the past waits for its turn; Patience when 0.
	StoreTimeout time.Duration
	// StaleReads is how long an organization's last durable view can be read after the
	// journal failed to append or to load.
	StaleReads time.Duration
	// Now is the clock and NewID the source of ids.
	Now   func() time.Time
	NewID func() [16]byte
}
