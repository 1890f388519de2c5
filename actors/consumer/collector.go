package consumer

import (
	"context"
	"errors"
	"fmt"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// fetch collects the next wanted events, from the published batches or from the journal.
func (r *round) fetch(ctx context.Context, most int) ([]Event, error) {
	start := r.progress.cursor.Sequence
	if alarm := r.progress.alarm; alarm.First > 0 {
		start = max(start, alarm.First-1)
	}
	r.fetched, r.last = true, start
	if r.progress.alarm.Last == 0 { // no wanted event is pending
		return nil, nil
	}
	limits := r.consumer.Limits()
	collect := &collector{round: r, most: min(most, limits.Chunk), states: limits.States, wanted: map[string]bool{}}
	if collect.most <= 0 {
		return nil, nil
	}
	leave, err := r.set.slots.Enter(ctx, WorkTime)
	if err != nil {
		r.fetched = false
		return nil, fmt.Errorf("read events: %w", err)
	}
	defer leave()
	if err := collect.from(ctx, start); err != nil && !errors.Is(err, errChunkFull) {
		r.fetched = false
		r.progress.shadow = nil // some of the rows may have been applied to it
		return nil, fmt.Errorf("read events: %w", err)
	}
	r.progress.shadow, r.progress.shadowAt = collect.state, r.last
	return r.events, nil
}

// errChunkFull ends the reading of rows.
var errChunkFull = errors.New("the chunk is full")

// mostExamined bounds the rows that one round examines, so that it can store its progress.
const mostExamined = 100_000

// collector selects the wanted events of consecutive rows.
type collector struct {
	*round
	most     int
	states   bool
	wanted   map[string]bool // by type
	state    *organization.State
	examined int
}

// from reads the rows after start: from the published batches if they contain the next row, otherwise from the journal.
func (c *collector) from(ctx context.Context, start uint64) error {
	inHand := len(c.hand) > 0 && c.hand[0].Rows[0].Sequence <= start+1
	if c.states {
		var err error
		if c.state, err = c.base(ctx, start, inHand); err != nil {
			return err
		}
	}
	if !inHand {
		return c.place.Source.Scan(ctx, c.place.Organization, start, 0, c.row)
	}
	for _, batch := range c.hand {
		for i := range batch.Rows {
			if err := c.row(batch.Rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// base returns the state at start.
func (c *collector) base(ctx context.Context, start uint64, inHand bool) (*organization.State, error) {
	if c.progress.shadow != nil && c.progress.shadowAt == start {
		return c.progress.shadow, nil
	}
	if inHand && c.hand[0].Base != nil {
		first := c.hand[0].Rows[0].Sequence
		state := c.hand[0].Base
		c.hand[0].Base = nil // it is changed here
		for i := range c.hand[0].Rows {
			if row := &c.hand[0].Rows[i]; row.Sequence >= first && row.Sequence <= start {
				if _, err := c.apply(state, row); err != nil {
					return nil, err
				}
			}
		}
		if last := c.hand[0].Rows[len(c.hand[0].Rows)-1].Sequence; start <= last {
			return state, nil
		}
	}
	return c.place.Source.StateAt(ctx, c.place.Organization, start)
}

// apply changes the state, and returns the event.
func (c *collector) apply(state *organization.State, row *messages.Row) (organization.Event, error) {
	event, err := c.set.schema.Decode(row.Type, row.Payload)
	if err != nil {
		return nil, Permanent(err)
	}
	state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
	return event, nil
}

// row examines one row.
func (c *collector) row(row messages.Row) error {
	if row.Sequence <= c.last {
		return nil
	}
	wanted := c.wants(row.Type)
	if (wanted && len(c.events) == c.most) || c.examined == mostExamined {
		c.full = true
		return errChunkFull
	}
	c.examined++
	event := Event{Row: row}
	if c.state != nil {
		if wanted {
			event.Before = c.state.Copy()
		}
		var err error
		if event.Decoded, err = c.apply(c.state, &row); err != nil {
			return err
		}
		if wanted {
			event.After = c.state.Copy()
		}
	}
	c.last = row.Sequence
	if wanted {
		c.events = append(c.events, event)
	}
	return nil
}

// wants reports whether the instance wants events of the type.
func (c *collector) wants(eventType string) bool {
	wanted, known := c.wanted[eventType]
	if !known {
		c.consumer.Wants(c.place.View.State, eventType, func(instance string) { wanted = wanted || instance == c.instance })
		c.wanted[eventType] = wanted
	}
	return wanted
}
