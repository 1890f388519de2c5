package persistence

import (
	"context"
	"fmt"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// How much is waiting, and how much goes into one transaction.
const (
	queueLength  = 8192    // appends that wait for one committer; one an organization at most is in flight
	groupAppends = 1024    // appends in one transaction
	groupBytes   = 4 << 20 // payload bytes in one transaction, unless a single append has more
	commitLimit  = 30 * time.Second
)

// Journal appends to and reads the organizations' journals, with the indexes and snapshots that belong to them.
//
// Appends of several organizations that arrive while a commit is in flight are gathered and leave together: in one
// transaction and, on PostgreSQL, in one round trip. It is safe for concurrent use.
type Journal struct {
	db    *Database
	lanes []*lane

	mu     sync.RWMutex // held for reading while an append enters a lane, for writing to close them
	closed bool
	done   sync.WaitGroup
}

// store is what an engine does with a group of appends: one transaction, all or nothing. Its error says what is known:
// it wraps messages.ErrFenced, messages.ErrNotStored or messages.ErrUnknownOutcome.
type store interface {
	commit(ctx context.Context, group []messages.Append) error
	close(ctx context.Context) error
}

// JournalOption changes how a Journal is made.
type JournalOption func(*journalSettings)

type journalSettings struct{ committers int }

// WithCommitters sets how many connections to PostgreSQL commit at the same time; 1 when not given, and always 1 on
// SQLite, which has one writer. One gathers the largest groups and so costs the least CPU a row. Two overlap the work of
// one group with the wait of another for the disk: with 256 callers 15 % more rows, with 16 callers 15 % fewer.
func WithCommitters(number int) JournalOption {
	return func(s *journalSettings) { s.committers = max(number, 1) }
}

// NewJournal makes the Journal of db. It connects when it is first used. The caller closes it before the Database.
func NewJournal(db *Database, options ...JournalOption) *Journal {
	j := &Journal{db: db}
	chosen := journalSettings{committers: 1}
	for _, option := range options {
		option(&chosen)
	}
	if db.engine == SQLite {
		chosen.committers = 1
	}
	for range chosen.committers {
		j.lanes = append(j.lanes, &lane{queue: make(chan pending, queueLength), store: j.newStore()})
	}
	for _, l := range j.lanes {
		j.done.Go(l.run)
	}
	return j
}

func (j *Journal) newStore() store {
	if j.db.engine == PostgreSQL {
		return newPostgresStore(j.db.pool.Config().ConnConfig)
	}
	return &sqliteStore{db: j.db}
}

// Append stores the batch of one organization, durably and all or nothing, and calls done once, from any goroutine,
// with nil when it is stored. Otherwise the error wraps messages.ErrFenced when another writer took a sequence,
// messages.ErrNotStored when nothing was stored, or messages.ErrUnknownOutcome when nobody can tell.
//
// An organization has one append in flight; done must not block. Append itself does not wait: when too much is waiting
// already, it refuses with messages.ErrNotStored. The Journal owns the batch until done is called.
func (j *Journal) Append(batch messages.Append, done func(error)) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if j.closed {
		go done(fmt.Errorf("append to %s: journal is closed: %w", batch.Organization, messages.ErrNotStored))
		return
	}
	select {
	case j.laneOf(batch.Organization).queue <- pending{batch, done}:
	default:
		go done(fmt.Errorf("append to %s: too much is waiting: %w", batch.Organization, messages.ErrNotStored))
	}
}

// laneOf gives an organization the same lane always, so that its appends keep their order. The last byte of an id is
// random.
func (j *Journal) laneOf(id organization.ID) *lane {
	return j.lanes[int(id[len(id)-1])%len(j.lanes)]
}

// Close refuses what comes from now on, stores what was accepted, answers it, and returns.
func (j *Journal) Close() error {
	j.mu.Lock()
	if !j.closed {
		j.closed = true
		for _, l := range j.lanes {
			close(l.queue)
		}
	}
	j.mu.Unlock()
	j.done.Wait()
	return nil
}
