package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"equity/messages"
	"equity/organization"
)

// The packs of a large append are part of the journal from the commit of the append on, although the table journal lacks
// their rows. The unpacker of the process that stored them moves them at once. After a kill, the next read of the
// organization's journal moves the remaining ones. A read that would miss rows therefore waits for the move.

// notPacked is a condition of queries on the journal. It excludes every row of an organization ($1) with packs, so that a
// query sees either all rows of an append or none.
const notPacked = ` AND NOT EXISTS (SELECT 1 FROM journal_pack WHERE journal_pack.organization = $1)`

// complete reads with a query that contains notPacked. If it finds nothing and the organization has packs, these are
// moved and the read is repeated.
func (j *Journal) complete(ctx context.Context, id organization.ID, read func() (found bool, err error)) error {
	return j.repeat(ctx, read, `SELECT DISTINCT organization FROM journal_pack WHERE organization = $1`, id[:])
}

// completeAll is like complete for a read that may concern any organization.
func (j *Journal) completeAll(ctx context.Context, read func() (found bool, err error)) error {
	return j.repeat(ctx, read, `SELECT DISTINCT organization FROM journal_pack`)
}

// repeat reads until something is found or no packs are left. A read that finds nothing is only final if no packs existed before it:
// the last pack may have been moved between the read and the query for packs.
func (j *Journal) repeat(ctx context.Context, read func() (bool, error), packs string, arguments ...any) error {
	for complete := false; ; {
		found, err := read()
		if found || complete || err != nil {
			return err
		}
		waiting, err := j.packed(ctx, packs, arguments)
		if err != nil {
			return err
		}
		complete = len(waiting) == 0
		for _, id := range waiting {
			if err := j.unpacker.wait(ctx, id); err != nil {
				return err
			}
		}
	}
}

// packed returns the organizations of packs.
func (j *Journal) packed(ctx context.Context, query string, arguments []any) ([]organization.ID, error) {
	return Collect(ctx, j.db.reader, "find packs", Identifier[organization.ID], query, arguments...)
}

// thenUnpack returns a function that calls done and, if the append was stored, requests the move of its packs.
func (j *Journal) thenUnpack(id organization.ID, done func(error)) func(error) {
	return func(err error) {
		if done(err); err == nil {
			j.unpacker.request(id)
		}
	}
}

// unpacker moves packed rows to the journal in a goroutine, one pack of each requested organization in turn.
type unpacker struct {
	db     *Database
	ctx    context.Context //nolint:containedctx // of the goroutine
	cancel context.CancelFunc
	wake   chan struct{} // of capacity 1
	ended  chan struct{}

	mutex sync.Mutex // guards queue
	queue []*unpacking
}

// unpacking is the requested move of all packs of an organization.
type unpacking struct {
	id   organization.ID
	done chan struct{} // closed at the end
	err  error         // readable after done
}

func newUnpacker(db *Database) *unpacker {
	u := &unpacker{db: db, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	u.ctx, u.cancel = context.WithCancel(context.Background())
	go u.run()
	return u
}

// stop ends the goroutine after the current transaction. Waiting readers get an error.
func (u *unpacker) stop() {
	u.cancel()
	<-u.ended
}

// request requests the move of the organization's packs.
func (u *unpacker) request(id organization.ID) *unpacking {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	for _, waiting := range u.queue {
		if waiting.id == id {
			return waiting
		}
	}
	next := &unpacking{id: id, done: make(chan struct{})}
	u.queue = append(u.queue, next)
	select {
	case u.wake <- struct{}{}:
	default:
	}
	return next
}

// wait requests the move of the organization's packs and waits for its end.
func (u *unpacker) wait(ctx context.Context, id organization.ID) error {
	requested := u.request(id)
	select {
	case <-requested.done:
		return requested.err
	case <-ctx.Done():
		return ctx.Err()
	case <-u.ended:
		return fmt.Errorf("move packs of %s: the journal is closed", id)
	}
}

func (u *unpacker) run() {
	defer close(u.ended)
	for {
		select {
		case <-u.wake:
		case <-u.ctx.Done():
			return
		}
		for next := u.next(); next != nil; next = u.next() {
			more, err := u.db.unpack(u.ctx, next.id)
			if u.ctx.Err() != nil {
				return
			}
			if !more || err != nil {
				u.finish(next, err)
			}
		}
	}
}

// next returns the first request and moves it to the end of the queue.
func (u *unpacker) next() *unpacking {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if len(u.queue) == 0 {
		return nil
	}
	first := u.queue[0]
	u.queue = append(u.queue[1:], first)
	return first
}

func (u *unpacker) finish(done *unpacking, err error) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.queue = slices.DeleteFunc(u.queue, func(one *unpacking) bool { return one == done })
	done.err = err
	close(done.done)
}

// unpack moves the first pack of the organization to the journal, and reports whether there was one. The transaction
// deletes the pack first, so that two processes never move the same one.
func (d *Database) unpack(ctx context.Context, id organization.ID) (moved bool, err error) {
	err = d.Transact(ctx, func(tx *sql.Tx) error {
		var sequence uint64
		var recorded int64
		var previous, last, content []byte
		err := tx.QueryRowContext(ctx, `DELETE FROM journal_pack WHERE organization = $1 AND first_sequence =
			(SELECT MIN(first_sequence) FROM journal_pack WHERE organization = $1)
			RETURNING first_sequence, recorded_at, previous_hash, last_hash, content`, id[:]).
			Scan(&sequence, &recorded, &previous, &last, &content)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var before, after messages.Hash
		copy(before[:], previous)
		copy(after[:], last)
		rows, err := messages.Unpack(content, id, sequence, moment(recorded), before, after)
		if err != nil {
			return fmt.Errorf("%w: sequence %d: %w", messages.ErrUnreadable, sequence, err)
		}
		moved = true
		return insertUnpacked(ctx, tx, d.engine, rows)
	})
	if err != nil {
		return false, fmt.Errorf("move packs of %s: %w", id, err)
	}
	return moved, nil
}

func insertUnpacked(ctx context.Context, tx *sql.Tx, engine Engine, batch messages.Append) error {
	x := indexesOf([]messages.Append{batch})
	if engine != PostgreSQL {
		return errors.Join(insertJournal(ctx, tx, batch.Rows), insertResources(ctx, tx, x.resources))
	}
	var c rowArrays
	for i := range batch.Rows {
		c.add(&batch.Rows[i])
	}
	statements := groupStatements()
	_, err := tx.ExecContext(ctx, statements[stRows].text, c.organizations, c.sequences, c.times, c.authors, c.types,
		c.payloads, c.keys, c.fingerprints, c.previous, c.hashes)
	if err != nil {
		return err
	}
	var ids, owners [][]byte
	var kinds []string
	for i := range x.resources {
		r := &x.resources[i]
		ids, owners, kinds = append(ids, r.id[:]), append(owners, r.organization[:]), append(kinds, r.kind)
	}
	_, err = tx.ExecContext(ctx, statements[stResources].text, ids, owners, kinds)
	return err
}

// rowArrays are the columns of rows.
type rowArrays struct {
	organizations, payloads, previous, hashes [][]byte
	sequences, times                          []int64
	authors, types, keys, fingerprints        []string
}

func (c *rowArrays) add(r *messages.Row) {
	c.organizations = append(c.organizations, r.Organization[:])
	c.sequences = append(c.sequences, int64(r.Sequence)) //nolint:gosec // counts from 1
	c.times = append(c.times, Micros(r.RecordedAt))
	c.authors, c.types = append(c.authors, r.By), append(c.types, r.Type)
	c.payloads = append(c.payloads, payloadOf(r))
	c.keys, c.fingerprints = append(c.keys, r.IdempotencyKey), append(c.fingerprints, r.Fingerprint)
	c.previous, c.hashes = append(c.previous, r.PreviousHash[:]), append(c.hashes, r.Hash[:])
}
