package actors

import (
	"context"
	"errors"
	"fmt"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

var errChain = errors.New("the journal's chain is broken")

// stateAt gives the organization as of the sequence (0: the latest), the end of the
// journal that it saw, and the sequence of the snapshot that it began with.
func (s *shared) stateAt(ctx context.Context, id organization.ID, upTo uint64) (*organization.State, head, uint64, error) {
	state, at, err := s.restore(ctx, id, upTo)
	if err != nil {
		return nil, head{}, 0, err
	}
	r, end := newReplay(state), head{}
	err = contained(func() error {
		return s.journal.Scan(ctx, id, max(at, 1)-1, upTo, func(row messages.Row) error { // the snapshot's own row has its hash
			if row.Sequence != at && (row.Sequence != end.sequence+1 || row.PreviousHash != end.hash) {
				return fmt.Errorf("%w at sequence %d", errChain, row.Sequence)
			}
			end = head{row.Sequence, row.Hash, row.RecordedAt}
			if row.Sequence == at {
				return nil
			}
			event, err := s.decoder.Decode(row.Type, row.Payload)
			if err == nil {
				r.add(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
			}
			return err
		})
	})
	if applied := r.finish(); err == nil {
		err = applied
	}
	if err == nil && end.sequence < at {
		err = fmt.Errorf("%w: it ends before the snapshot of sequence %d", errChain, at)
	}
	if err != nil {
		return nil, head{}, 0, fmt.Errorf("replay %s: %w", id, err)
	}
	return state, end, at, nil
}

// replayer applies events in a goroutine of its own, in order, while the next ones
// are being read and decoded: a long journal is brought to life on two cores.
type replayer struct {
	state   *organization.State
	chunk   []past
	chunks  chan []past
	applied chan error
}

// past is an event of the journal with its place there.
type past struct {
	event organization.Event
	stamp captable.Stamp
}

// chunkSize keeps the cost of handing over far below that of applying.
const chunkSize = 256

func newReplay(state *organization.State) *replayer {
	r := &replayer{state: state, chunks: make(chan []past, 4), applied: make(chan error, 1)}
	go func() {
		var failed error
		for chunk := range r.chunks { // to the last one, or who adds would wait for ever
			if failed == nil {
				failed = contained(func() error { return r.apply(chunk) })
			}
		}
		r.applied <- failed
	}()
	return r
}

func (r *replayer) apply(chunk []past) error {
	for _, p := range chunk {
		r.state.Apply(p.event, p.stamp)
	}
	return nil
}

func (r *replayer) add(event organization.Event, stamp captable.Stamp) {
	if r.chunk == nil {
		r.chunk = make([]past, 0, chunkSize)
	}
	if r.chunk = append(r.chunk, past{event, stamp}); len(r.chunk) == chunkSize {
		r.chunks <- r.chunk
		r.chunk = nil
	}
}

// finish returns when everything that was added is applied, with an error when an
// event could not be.
func (r *replayer) finish() error {
	r.chunks <- r.chunk
	close(r.chunks)
	return <-r.applied
}

// restore gives the latest usable snapshot; a damaged one or one of another version
// is passed over, as the journal has everything.
func (s *shared) restore(ctx context.Context, id organization.ID, atMost uint64) (*organization.State, uint64, error) {
	for {
		at, packed, err := s.journal.LoadSnapshot(ctx, id, atMost)
		if err != nil {
			return nil, 0, fmt.Errorf("load snapshot of %s: %w", id, err)
		}
		if at == 0 {
			return organization.NewState(), 0, nil
		}
		var state *organization.State
		err = contained(func() (err error) {
			state, err = organization.Restore(packed)
			return err
		})
		if err == nil && state.ID() == id {
			return state, at, nil
		}
		s.log.Warn("snapshot not used", "organization", id.String(), "sequence", at, "cause", err)
		if atMost = at - 1; atMost == 0 { // which would ask for the latest
			return organization.NewState(), 0, nil
		}
	}
}
