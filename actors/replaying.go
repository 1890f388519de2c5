package actors

import (
	"context"
	"errors"
	"fmt"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// errDamaged marks an error that a reload cannot repair: the stored rows differ from the
// appended ones.
var errDamaged = errors.New("the journal is damaged")

// stateAt returns the organization as of the sequence (0: the latest), the end of the
// journal, and the sequence of the snapshot that was used. Each row
// is checked against its hash and the previous row; the last row is
// checked against the stored head.
func (s *shared) stateAt(ctx context.Context, id organization.ID, upTo uint64) (*organization.State, head, uint64, error) {
	expected := head{}
	if upTo == 0 {
		var err error
		if expected.sequence, expected.hash, err = s.journal.StoredHead(ctx, id); err != nil {
			return nil, head{}, 0, fmt.Errorf("load %s: %w", id, err)
		}
	}
	for atMost := max(upTo, expected.sequence); ; {
		state, snapshot, err := s.restore(ctx, id, atMost)
		if err != nil {
			return nil, head{}, 0, err
		}
		end, err := s.replay(ctx, id, state, rowChecks{after: snapshot, expected: expected, upTo: upTo})
		if errors.Is(err, errSnapshotHash) { // ignore the snapshot and replay the journal
			s.log.Warn("snapshot not used", "organization", id.String(), "sequence", snapshot.Sequence, "cause", err)
			if atMost = snapshot.Sequence - 1; atMost > 0 {
				continue
			}
			state, snapshot = organization.NewState(), messages.Snapshot{}
			end, err = s.replay(ctx, id, state, rowChecks{expected: expected, upTo: upTo})
		}
		if err != nil {
			return nil, head{}, 0, fmt.Errorf("replay %s: %w", id, err)
		}
		return state, end, snapshot.Sequence, nil
	}
}

// replay applies the rows following the snapshot to its state and returns the last row.
func (s *shared) replay(ctx context.Context, id organization.ID, state *organization.State, checks rowChecks) (head, error) {
	r := newReplay(state)
	err := contained(func() error {
		return s.journal.Scan(ctx, id, max(checks.after.Sequence, 1)-1, checks.upTo, func(row messages.Row) error {
			if err := checks.row(&row); err != nil || row.Sequence == checks.after.Sequence {
				return err
			}
			event, err := s.decoder.Decode(row.Type, row.Payload)
			if err != nil {
				return fmt.Errorf("%w: sequence %d: %w", errDamaged, row.Sequence, err)
			}
			r.add(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
			return nil
		})
	})
	if applied := r.finish(); err == nil && applied != nil {
		err = fmt.Errorf("%w: %w", errDamaged, applied)
	}
	if err == nil {
		err = checks.complete()
	}
	return checks.end, err
}

// replayer applies events in its own goroutine, in order, while the next rows
// are read and decoded, so that a long journal is loaded on two cores.
type replayer struct {
	state   *organization.State
	chunk   []past
	chunks  chan []past
	applied chan error
}

// past is an event of the journal with its position.
type past struct {
	event organization.Event
	stamp captable.Stamp
}

// chunkSize makes the cost of passing events small compared with applying them.
const chunkSize = 256

func newReplay(state *organization.State) *replayer {
	r := &replayer{state: state, chunks: make(chan []past, 4), applied: make(chan error, 1)}
	go func() {
		var failed error
		for chunk := range r.chunks { // to the last one, otherwise the sender would block forever
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

// finish waits until all added events are applied. It returns an error if an
// event could not be applied.
func (r *replayer) finish() error {
	r.chunks <- r.chunk
	close(r.chunks)
	return <-r.applied
}

// restore returns the state and the description of the latest usable snapshot. A
// damaged snapshot, or one of another version, is skipped: the journal is complete.
func (s *shared) restore(ctx context.Context, id organization.ID, atMost uint64) (*organization.State, messages.Snapshot, error) {
	for {
		snapshot, err := s.journal.LoadSnapshot(ctx, id, atMost)
		if errors.Is(err, messages.ErrUnreadable) { // the journal alone decides
			s.log.Warn("snapshot not used", "organization", id.String(), "cause", err)
			return organization.NewState(), messages.Snapshot{}, nil
		}
		if err != nil {
			return nil, messages.Snapshot{}, fmt.Errorf("load snapshot of %s: %w", id, err)
		}
		if snapshot.Sequence == 0 {
			return organization.NewState(), messages.Snapshot{}, nil
		}
		var state *organization.State
		err = contained(func() (err error) {
			state, err = organization.Restore(snapshot.State)
			return err
		})
		if err == nil && state.ID() == id {
			snapshot.State = nil
			return state, snapshot, nil
		}
		s.log.Warn("snapshot not used", "organization", id.String(), "sequence", snapshot.Sequence, "cause", err)
		if atMost = snapshot.Sequence - 1; atMost == 0 { // 0 would select the latest
			return organization.NewState(), messages.Snapshot{}, nil
		}
	}
}
