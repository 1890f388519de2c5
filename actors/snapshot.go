package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// snapshotter decides when a snapshot of an organization is stored. It encodes
// a published view outside the actor, one at a time.
type snapshotter struct {
	last   uint64             // the sequence of the latest snapshot
	busy   chan struct{}      // closed when the running snapshot is done; nil before the first
	cancel context.CancelFunc // of the running one
}

// snapshotTime bounds the duration of storing a snapshot.
const snapshotTime = time.Minute

// due reports whether the number of events since the last snapshot is reached and no
// snapshot is running.
func (s *snapshotter) due(view *messages.View, events uint64) bool {
	return view != nil && view.Sequence >= s.last+max(events, s.last/4) && !s.underWay()
}

// take encodes and stores the published view in a goroutine, and calls then.
func (s *snapshotter) take(shared *shared, view *messages.View, then func()) {
	ctx, cancel := context.WithTimeout(context.Background(), snapshotTime)
	busy := make(chan struct{})
	s.last, s.busy, s.cancel = view.Sequence, busy, cancel
	go func() {
		defer then()
		defer close(busy)
		defer cancel()
		shared.snapshot(ctx, view)
	}()
}

func (s *snapshotter) underWay() bool {
	select {
	case <-s.busy:
		return false
	default:
		return s.busy != nil
	}
}

// abandon cancels the running snapshot.
func (s *snapshotter) abandon() {
	if s.cancel != nil {
		s.cancel()
	}
}

// snapshot stores the encoded view. A failure only makes the next
// start slower.
func (s *shared) snapshot(ctx context.Context, view *messages.View) {
	id := view.State.ID()
	err := contained(func() error {
		return s.journal.SaveSnapshot(ctx, id, messages.NewSnapshot(view.Sequence, view.Hash, view.State))
	})
	if err != nil {
		s.log.Warn("snapshot not stored", "organization", id.String(), "sequence", view.Sequence, "cause", err)
		return
	}
	s.counters.snapshots.Add(1)
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
			state, err = snapshot.Restore(s.settings.Schema)
			return err
		})
		if err == nil && state.ID() == id {
			snapshot.State = ""
			return state, snapshot, nil
		}
		s.log.Warn("snapshot not used", "organization", id.String(), "sequence", snapshot.Sequence, "cause", err)
		if atMost = snapshot.Sequence - 1; atMost == 0 { // 0 would select the latest
			return organization.NewState(), messages.Snapshot{}, nil
		}
	}
}
