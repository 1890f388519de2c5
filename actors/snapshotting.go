package actors

import (
	"context"
	"time"

	"equity/messages"
)

// snapshotter decides when an organization's state is packed again. Packing works
// on a published view, beside the actor, one at a time.
type snapshotter struct {
	last   uint64             // the sequence of the latest snapshot
	busy   chan struct{}      // closed when the one under way is done; nil when there was none
	cancel context.CancelFunc // of the one under way
}

// snapshotTime bounds how long storing a snapshot may take.
const snapshotTime = time.Minute

// due reports whether so many events have come since the last snapshot, and none is
// under way.
func (s *snapshotter) due(view *messages.View, events uint64) bool {
	return view != nil && view.Sequence >= s.last+max(events, s.last/4) && !s.underWay()
}

// take packs the published view in a goroutine, and calls then.
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

// abandon has the snapshot under way end early.
func (s *snapshotter) abandon() {
	if s.cancel != nil {
		s.cancel()
	}
}

// snapshot stores the packed view. One that cannot be stored costs time at the next
// start and nothing else.
func (s *shared) snapshot(ctx context.Context, view *messages.View) {
	id := view.State.ID()
	err := contained(func() error {
		return s.journal.SaveSnapshot(ctx, id, messages.Snapshot{
			Sequence: view.Sequence, Hash: view.Hash, State: view.State.Snapshot(),
		})
	})
	if err != nil {
		s.log.Warn("snapshot not stored", "organization", id.String(), "sequence", view.Sequence, "cause", err)
		return
	}
	s.counters.snapshots.Add(1)
}
