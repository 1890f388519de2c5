package persistence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"equity/messages"
	"equity/organization"
)

// pending is an append that waits for its commit.
type pending struct {
	batch messages.Append
	done  func(error)
}

// lane is a committer: it takes what waits, in order, and commits it a group at a time. One goroutine runs it.
type lane struct {
	queue chan pending
	store store
	// kept between groups, so that a group costs no allocation here
	group   []pending
	batches []messages.Append
	held    *pending // taken from the queue, but too big for the group before it
}

// run commits until the queue is closed and empty.
func (l *lane) run() {
	for l.gather() {
		l.commit()
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	_ = l.store.close(ctx) // everything was answered; a connection that fails to say goodbye is gone as well
}

// gather waits for an append and takes all others that are waiting behind it, within the limits of a group. It reports
// whether there is anything to commit.
func (l *lane) gather() bool {
	clear(l.group)
	l.group = l.group[:0]
	if l.held != nil {
		l.group, l.held = append(l.group, *l.held), nil
	} else {
		first, open := <-l.queue
		if !open {
			return false
		}
		l.group = append(l.group, first)
	}
	size := payloadBytes(l.group[0].batch)
	for len(l.group) < groupAppends {
		select {
		case next, open := <-l.queue:
			if !open {
				return true
			}
			if size += payloadBytes(next.batch); size > groupBytes {
				l.held = &next
				return true
			}
			l.group = append(l.group, next)
		default:
			return true
		}
	}
	return true
}

func payloadBytes(batch messages.Append) int {
	size := 0
	for i := range batch.Rows {
		size += len(batch.Rows[i].Payload)
	}
	return size
}

// errUnreachable marks what failed before anything could be refused: the store was not reached at all.
var errUnreachable = errors.New("the store is not reached")

// commit stores the group and answers it. When the group is refused, and so nothing of it was stored, each append is
// tried alone, because one that is fenced must not hurt the others. When the store is not reached, or nobody knows what
// became of the group, all are told: to try each would make them wait for as many time limits.
func (l *lane) commit() {
	// Two servers that store the same organizations do so in the same order: they cannot wait for each other in a ring.
	slices.SortStableFunc(l.group, func(a, b pending) int {
		return bytes.Compare(a.batch.Organization[:], b.batch.Organization[:])
	})
	clear(l.batches)
	l.batches = l.batches[:0]
	for i := range l.group {
		l.batches = append(l.batches, l.group[i].batch)
	}
	err := l.attempt(l.batches)
	if err == nil || len(l.group) == 1 || errors.Is(err, messages.ErrUnknownOutcome) || errors.Is(err, errUnreachable) {
		for i := range l.group {
			l.group[i].done(inOperation(l.batches[i].Organization, err))
		}
		return
	}
	l.commitEach()
}

// commitEach stores the appends of the group one at a time. Once one of an organization fails, those behind it do too:
// they would leave a gap.
func (l *lane) commitEach() {
	var failed organization.ID
	var away error
	for i := range l.group {
		id := l.batches[i].Organization
		if away != nil {
			l.group[i].done(inOperation(id, away))
			continue
		}
		if id == failed {
			l.group[i].done(inOperation(id, fmt.Errorf("an append before it failed: %w", messages.ErrNotStored)))
			continue
		}
		err := l.attempt(l.batches[i : i+1])
		if err != nil {
			failed = id
		}
		if errors.Is(err, errUnreachable) {
			away = err
		}
		l.group[i].done(inOperation(id, err))
	}
}

func (l *lane) attempt(group []messages.Append) error {
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	return l.store.commit(ctx, group)
}

func inOperation(id organization.ID, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("append to %s: %w", id, err)
}
