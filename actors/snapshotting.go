package actors

import (
	"context"
	"time"

	"equity/messages"
)

// snapshotter decides when an organization's state is packed again. Packing works
// on a published view, beside the actor, one at a time.
type snapshotter struct {
	last uint64        // the sequence of the latest snapshot
	busy chan struct{} // closed when the one under way is done; nil when none
}

// snapshotTime bounds how long storing a snapshot may take.
const snapshotTime = time.Minute

// take packs the published view when enough events have come since the last one.
func (s *snapshotter) take(o *organizationActor) {
	if o.head.sequence-s.last < o.shared.settings.SnapshotEvery || s.underWay() {
		return
	}
	view := o.shared.views.get(o.id, o.active)
	s.last, s.busy = view.Sequence, make(chan struct{})
	busy := s.busy
	go func() {
		defer close(busy)
		o.shared.snapshot(view)
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

// snapshot stores the packed view. One that cannot be stored costs time at the next
// start and nothing else.
func (s *shared) snapshot(view *messages.View) {
	ctx, cancel := context.WithTimeout(context.Background(), snapshotTime)
	defer cancel()
	id := view.State.ID()
	if err := s.journal.SaveSnapshot(ctx, id, view.Sequence, view.State.Snapshot()); err != nil {
		s.log.Warn("snapshot not stored", "organization", id.String(), "sequence", view.Sequence, "cause", err)
	}
}
