package actors_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
	"equity/organization"
)

func (c *company) viewAt(sequence uint64) *messages.View {
	c.Helper()
	view, err := c.ViewAt(context.Background(), c.id, sequence)
	if err != nil {
		c.Fatalf("view at %d: %v", sequence, err)
	}
	return view
}

func TestViewAt(t *testing.T) {
	t.Parallel()
	for name, every := range map[string]uint64{"the journal alone": 1 << 40, "a snapshot and the journal behind it": 4} {
		t.Run("a past view has the state of its sequence, read from "+name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t, func(s *actors.Settings) { s.SnapshotEvery = every })
				then := map[uint64]*messages.View{}
				for range 20 {
					view := c.view()
					then[view.Sequence] = view
					c.must(c.issue(c.ada, 1))
					time.Sleep(time.Minute)
				}
				for sequence, want := range then {
					got := c.viewAt(sequence)
					same(t, got.State, want.State)
					if got.Sequence != sequence || !got.RecordedAt.Equal(want.RecordedAt) {
						t.Errorf("the view at %d is of %d, recorded at %s; want %s", sequence, got.Sequence, got.RecordedAt, want.RecordedAt)
					}
				}
				if every == 4 && len(c.store.saved(c.id)) < 3 {
					t.Errorf("snapshots of %v: the test has not used them", c.store.saved(c.id))
				}
			})
		})
	}
	t.Run("a past view can end within an append", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			if view := c.viewAt(1); view.Sequence != 1 || view.State.ID() != c.id {
				t.Errorf("the view at 1 is of %d", view.Sequence)
			}
		})
	})
	t.Run("a view at a later sequence is the present view", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			now := c.view()
			if c.viewAt(now.Sequence) != now || c.viewAt(now.Sequence+100) != now {
				t.Error("the present view was not given")
			}
		})
	})
	t.Run("a view at the sequence zero is not found", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			_, err := c.ViewAt(context.Background(), c.id, 0)
			refused(t, err, "resourceNotFound")
		})
	})
	t.Run("a past view is refused while the store is unavailable", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.view()
			c.store.fail(errDisk)
			_, err := c.ViewAt(context.Background(), c.id, 2)
			refused(t, err, messages.ErrUnavailable.Code)
			c.store.fail(nil)
			c.viewAt(2)
		})
	})
}

// TestNeighboringPastViewsShareRows reads many neighboring sequences, as the repetitions of writes do after a kill.
func TestNeighboringPastViewsShareRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, func(s *actors.Settings) { s.SnapshotEvery = 1 << 40 })
		const views = 60
		then := map[uint64]*messages.View{} // in random order
		for view := c.view(); view.Sequence < 700; view = c.view() {
			if view.Sequence >= 700-views {
				then[view.Sequence] = view
			}
			c.must(c.issue(c.ada, 1))
		}
		var rows atomic.Int64
		c.store.beforeRow = func(messages.Row) error { rows.Add(1); return nil }
		var everybody sync.WaitGroup
		for sequence, want := range then {
			everybody.Go(func() {
				got := c.viewAt(sequence)
				same(t, got.State, want.State)
				if got.Sequence != sequence || got.Hash != want.Hash || !got.RecordedAt.Equal(want.RecordedAt) {
					t.Errorf("the view at %d is of %d, recorded at %s; want %s", sequence, got.Sequence, got.RecordedAt, want.RecordedAt)
				}
			})
		}
		everybody.Wait()
		if most := int64(2*700 + views*256); rows.Load() > most {
			t.Errorf("%d views required %d rows; at most %d are permitted", len(then), rows.Load(), most)
		}
	})
}

func TestHistoryIsRead(t *testing.T) {
	t.Parallel()
	t.Run("50 equal requests for a past view read the journal at most twice", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.view()
			scans := c.store.scanned()
			c.store.beforeRow = func(messages.Row) error { time.Sleep(time.Second); return nil }
			var everybody sync.WaitGroup
			for range 50 {
				everybody.Go(func() { c.viewAt(3) })
			}
			everybody.Wait()
			if read := c.store.scanned() - scans; read > 2 {
				t.Errorf("the journal was read %d times", read)
			}
		})
	})
	t.Run("a third read of a history is refused at its deadline while two reads are in progress", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.view()
			gate := make(chan struct{})
			c.store.beforeRow = func(messages.Row) error { <-gate; return nil }
			for range 2 {
				go func() { _, _ = c.ViewAt(context.Background(), c.id, 2) }()
			}
			time.Sleep(time.Millisecond)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, err := c.ViewAt(ctx, c.id, 3)
			refused(t, err, messages.ErrUnavailable.Code)
			close(gate)
			c.viewAt(3)
		})
	})
	t.Run("a history is read again after the organization has left memory", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, patient(time.Minute))
			c.viewAt(3)
			time.Sleep(3 * time.Minute) // its past goes with it
			c.view()
			scans := c.store.scanned()
			c.viewAt(3)
			if c.store.scanned() == scans {
				t.Error("an idle organization's past was kept in memory")
			}
		})
	})
	t.Run("the latest of twelve past views is cached, and the first is read again", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			for range 20 {
				c.must(c.command(organization.Amend{Patch: []byte(`{"name":"Acme Ltd"}`)}))
			}
			for sequence := range uint64(12) {
				c.viewAt(sequence + 1)
			}
			scans := c.store.scanned()
			c.viewAt(12)
			if c.store.scanned() != scans {
				t.Error("the latest past view was not at hand")
			}
			c.viewAt(1)
			if c.store.scanned() == scans {
				t.Error("twelve past views are at hand; want a few")
			}
		})
	})
}
