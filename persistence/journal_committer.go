package persistence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// pending is an append that waits for its commit.
type pending struct {
	batch messages.Append
	done  func(error)
	since time.Time // when it entered the queue
}

// committer takes what waits, in order, and commits it a group at a time. One goroutine runs it.
type committer struct {
	queue chan pending
	store store
	limit time.Duration // from the entry of an append into the queue to its outcome, about
	// kept between groups, so that a group costs no allocation here
	group   []pending
	batches []messages.Append
	held    *pending // taken from the queue, but too big for the group before it
}

// run commits until the queue is closed and empty.
func (c *committer) run() {
	for c.gather() {
		c.commit()
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	_ = c.store.close(ctx) // everything was answered; a connection that fails to say goodbye is gone as well
}

// gather waits for an append and takes all others that are waiting behind it, within the limits of a group. It reports
// whether there is anything to commit.
func (c *committer) gather() bool {
	clear(c.group)
	c.group = c.group[:0]
	if c.held != nil {
		c.group, c.held = append(c.group, *c.held), nil
	} else {
		first, open := <-c.queue
		if !open {
			return false
		}
		c.group = append(c.group, first)
	}
	size := payloadBytes(c.group[0].batch)
	if isBulk(&c.group[0].batch) { // a transaction for itself
		return true
	}
	for len(c.group) < groupAppends {
		select {
		case next, open := <-c.queue:
			if !open {
				return true
			}
			if size += payloadBytes(next.batch); size > groupBytes {
				c.held = &next
				return true
			}
			c.group = append(c.group, next)
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
func (c *committer) commit() {
	// Two servers that store the same organizations do so in the same order: they cannot wait for each other in a ring.
	slices.SortStableFunc(c.group, func(a, b pending) int {
		return bytes.Compare(a.batch.Organization[:], b.batch.Organization[:])
	})
	clear(c.batches)
	c.batches = c.batches[:0]
	for i := range c.group {
		c.batches = append(c.batches, c.group[i].batch)
	}
	err := c.attempt(c.batches, c.oldest())
	if err == nil || len(c.group) == 1 || errors.Is(err, messages.ErrUnknownOutcome) || errors.Is(err, errUnreachable) {
		for i := range c.group {
			c.group[i].done(inOperation(c.batches[i].Organization, err))
		}
		return
	}
	c.commitEach()
}

// commitEach stores the appends of the group one at a time. Once one of an organization fails, those behind it do too:
// they would leave a gap.
func (c *committer) commitEach() {
	var failed organization.ID
	var away error
	for i := range c.group {
		id := c.batches[i].Organization
		if away != nil {
			c.group[i].done(inOperation(id, away))
			continue
		}
		if id == failed {
			c.group[i].done(inOperation(id, fmt.Errorf("an append before it failed: %w", messages.ErrNotStored)))
			continue
		}
		err := c.attempt(c.batches[i:i+1], time.Now())
		if err != nil {
			failed = id
		}
		if errors.Is(err, errUnreachable) {
			away = err
		}
		c.group[i].done(inOperation(id, err))
	}
}

// oldest is when the first append of the group entered the queue.
func (c *committer) oldest() time.Time {
	first := c.group[0].since
	for i := range c.group {
		if c.group[i].since.Before(first) {
			first = c.group[i].since
		}
	}
	return first
}

// attempt commits the group before the limit since the given moment. A group that waited behind a commit without an answer
// has a quarter of the limit at least: enough for a store that has recovered, and short for one that has not.
func (c *committer) attempt(group []messages.Append, since time.Time) error {
	within := max(c.limit-time.Since(since), c.limit/4) + bulkTime(group)
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return c.store.commit(ctx, group)
}

func inOperation(id organization.ID, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("append to %s: %w", id, err)
}
