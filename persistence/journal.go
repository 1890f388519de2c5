package persistence

import (
	"context"
	"fmt"
	"sync"
	"time"

	"equity/messages"
)

// The limits of the queue and of one transaction.
const (
	queueLength     = 8192 // appends that wait; one an organization at most is in flight
	bulkQueueLength = 16
	groupAppends    = 1024    // appends in one transaction
	groupBytes      = 4 << 20 // payload bytes in one transaction, unless a single append has more
)

// Journal appends to and reads the journals of organizations, with their indexes and snapshots.
//
// Appends of several organizations that arrive while a commit is in flight are grouped and committed together: in one
// transaction and, on PostgreSQL, in one round trip. A Journal is safe for concurrent use.
type Journal struct {
	journalEnds

	db        *Database
	committer *committer
	bulk      *committer // of large appends, one at a time
	unpacker  *unpacker  // of the rows of large appends

	mu     sync.RWMutex // held for reading while an append enters the queue, for writing to close it
	closed bool
	done   sync.WaitGroup
}

// store commits groups of appends on one engine, in one transaction. Its error wraps messages.ErrFenced,
// messages.ErrNotStored or messages.ErrUnknownOutcome.
type store interface {
	commit(ctx context.Context, group []messages.Append) error
	close(ctx context.Context) error
}

// NewJournal returns the Journal of db. It connects on first use. The caller closes it before the Database.
//
// There is one committer for appends of usual size, so that it gathers the largest groups and costs the least CPU a row. Two overlap the work of one
// group with the wait of the other for the disk: measured on PostgreSQL, 15 % more rows with 256 callers, but 15 % fewer
// with 16. SQLite has one writer in any case.
func NewJournal(db *Database) *Journal {
	j := &Journal{journalEnds: journalEnds{db}, db: db}
	j.committer = &committer{queue: make(chan pending, queueLength), store: j.newStore(), limit: db.limit}
	j.bulk = &committer{queue: make(chan pending, bulkQueueLength), store: j.newStore(), limit: db.limit}
	j.done.Go(j.committer.run)
	j.done.Go(j.bulk.run)
	j.unpacker = newUnpacker(db)
	return j
}

func (j *Journal) newStore() store {
	if j.db.engine == PostgreSQL {
		return newPostgresStore(connectionTo(j.db.plain, j.db.limit))
	}
	return &sqliteStore{db: j.db}
}

// Append stores the batch of one organization durably and atomically. It calls done exactly once, from any goroutine,
// at the latest shortly after the store timeout. The error is nil if the batch was stored. Otherwise it wraps
// messages.ErrFenced if another writer used a sequence, messages.ErrNotStored if nothing was stored, or
// messages.ErrUnknownOutcome if the outcome is unknown.
//
// An organization may have one append in flight. Done must not block. Append does not block either: if the queue is full,
// it refuses the batch with messages.ErrNotStored. The Journal owns the batch until done is called.
func (j *Journal) Append(batch messages.Append, done func(error)) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if j.closed {
		go done(fmt.Errorf("append to %s: journal is closed: %w", batch.Organization, messages.ErrNotStored))
		return
	}
	sealed, err := j.db.sealValues(batch.Organization, batch.Sealed)
	if err != nil {
		go done(fmt.Errorf("append to %s: %w: %w", batch.Organization, messages.ErrNotStored, err))
		return
	}
	batch.Sealed = sealed
	to := j.committer
	if isBulk(&batch) {
		to = j.bulk
		done = j.thenUnpack(batch.Organization, done)
	}
	select {
	case to.queue <- pending{batch, done, time.Now()}:
	default:
		go done(fmt.Errorf("append to %s: the queue is full: %w", batch.Organization, messages.ErrNotStored))
	}
}

// Close refuses new appends, completes the accepted ones and returns. Packed rows remain packed.
func (j *Journal) Close() error {
	j.mu.Lock()
	if !j.closed {
		j.closed = true
		close(j.committer.queue)
		close(j.bulk.queue)
	}
	j.mu.Unlock()
	j.done.Wait()
	j.unpacker.stop()
	return nil
}
