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

// pending is a queued append.
type pending struct {
	batch messages.Append
	done  func(error)
	since time.Time // when it entered the queue
}

// committer takes appends from the queue in order and commits them in groups. It runs in one goroutine.
type committer struct {
	queue chan pending
	store store
	limit time.Duration // approximate limit from the queueing of an append to its outcome
	// reused to avoid allocations
	group   []pending
	batches []messages.Append
	held    *pending // taken from the queue, but too large for the current group
}

// run commits until the queue is closed and empty.
func (c *committer) run() {
	for c.gather() {
		c.commit()
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	_ = c.store.close(ctx) // all appends are answered, so an error has no effect
}

// gather waits for an append and adds the other queued appends, within the limits of a group. It returns false
// if the queue is closed and empty.
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

// errUnreachable reports that the store could not be reached and no statement was sent.
var errUnreachable = errors.New("the store is not reached")

// commit stores the group and answers its appends. If the group is refused, no row of it was stored; each append is
// then tried alone, so that a fenced append does not affect the others. If the store is unreachable or the outcome
// is unknown, all appends fail: individual attempts would each wait for the time limit.
func (c *committer) commit() {
	// Two servers with the same organizations use the same order, which prevents a deadlock.
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

// commitEach stores the appends of the group one at a time. After a failure it also refuses the later appends of the
// same organization, because they would leave a gap.
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

// oldest returns the time at which the first append of the group was queued.
func (c *committer) oldest() time.Time {
	first := c.group[0].since
	for i := range c.group {
		if c.group[i].since.Before(first) {
			first = c.group[i].since
		}
	}
	return first
}

// attempt commits the group before the limit since the given time. A group that waited for a previous commit
// has at least a quarter of the limit: enough for a store that has recovered, and short otherwise.
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
