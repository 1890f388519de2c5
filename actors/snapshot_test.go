package actors_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

func every(events uint64) func(*actors.Settings) {
	return func(s *actors.Settings) { s.SnapshotEvery = events }
}

func TestSnapshots(t *testing.T) {
	t.Parallel()
	claims := map[string]func(*company){
		"are taken after so many events": func(c *company) {
			for range 30 {
				c.must(c.issue(c.ada, 1))
				time.Sleep(time.Second)
			}
			if saved := c.store.saved(c.id); !slices.Equal(saved, []uint64{10, 20, 30}) {
				c.Errorf("snapshots of %v; want every tenth", saved)
			}
		},
		"are counted from the last one after a restart": func(c *company) {
			for range 8 { // sequence 13
				c.must(c.issue(c.ada, 1))
			}
			c.restart()
			for range 8 {
				c.must(c.issue(c.ada, 1))
				time.Sleep(time.Second)
			}
			if saved := c.store.saved(c.id); !slices.Equal(saved, []uint64{10, 20}) {
				c.Errorf("snapshots of %v; want every tenth", saved)
			}
		},
		"restore the same state as a replay": func(c *company) {
			h := holding(c, c.must(c.issue(c.ada, 10)))
			for i := range 9 {
				c.must(c.transfer(h.ID, c.bob, 1))
				for own := range c.view().State.Table().ShareholdingsOf(c.ada) {
					if own.Status.Outstanding() {
						h = own
					}
				}
				_ = i
			}
			time.Sleep(time.Second)
			if len(c.store.saved(c.id)) == 0 {
				c.Fatal("there is no snapshot")
			}
			c.restart()
			same(c, c.view().State, c.store.replay(c.id))
			c.must(c.issue(c.ada, 1)) // the chain continues after a snapshot
		},
		"are taken one at a time": func(c *company) {
			var storing atomic.Int32
			c.store.whileSaving(func(context.Context) error {
				if storing.Add(1) > 1 {
					c.Error("two snapshots are stored at the same time")
				}
				time.Sleep(time.Minute / 2)
				storing.Add(-1)
				return nil
			})
			for range 100 {
				c.must(c.issue(c.ada, 1))
			}
			time.Sleep(time.Hour)
		},
		"that cannot be stored are tried again after as many events": func(c *company) {
			var tries atomic.Int32
			c.store.whileSaving(func(context.Context) error { tries.Add(1); return errors.New("no room") })
			for range 30 {
				c.must(c.issue(c.ada, 1))
				time.Sleep(time.Second)
			}
			if tries.Load() != 3 || len(c.store.saved(c.id)) != 0 {
				c.Errorf("tried %d times, stored %v", tries.Load(), c.store.saved(c.id))
			}
		},
		"that panic do not end the actor": func(c *company) {
			c.store.whileSaving(func(context.Context) error { panic("out of luck") })
			for range 20 {
				c.must(c.issue(c.ada, 1))
			}
		},
	}
	for name, run := range claims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { run(setup(t, every(10))) })
		})
	}
}

func TestUnusableSnapshots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, every(10))
		for range 30 {
			c.must(c.issue(c.ada, 1))
			time.Sleep(time.Second)
		}
		other := c.newID()
		c.must(c.create(other))
		another, _ := c.View(context.Background(), other)
		c.stop(c.Organizations)
		good := c.store.snapshots[c.id]
		latest := good[len(good)-1]
		spoilt := map[string][]byte{
			"empty":                   {},
			"of another version":      append([]byte{0xff, 0x01}, latest.State...),
			"cut off":                 []byte(latest.State[:len(latest.State)/2]),
			"longer than it should":   append([]byte(latest.State), 0),
			"of another organization": []byte(messages.NewSnapshot(latest.Sequence, latest.Hash, another.State).State),
			"of an earlier row":       []byte(good[len(good)-2].State),
			"of another hash":         []byte(messages.NewSnapshot(latest.Sequence, messages.Hash{1}, c.store.replay(c.id)).State),
		}
		for at := 1; at < len(latest.State); at += len(latest.State) / 24 {
			flipped := []byte(latest.State)
			flipped[at] ^= 0x10
			spoilt[fmt.Sprint("damaged at byte ", at)] = flipped
		}
		for name, state := range spoilt {
			c.store.snapshots[c.id] = append(
				slices.Clone(good[:len(good)-1]), snapshot{Sequence: latest.Sequence, Hash: latest.Hash, State: string(state)},
			)
			c.start()
			view, err := c.View(context.Background(), c.id)
			if err != nil {
				t.Fatalf("a snapshot that is %s: %v", name, err)
			}
			if !bytes.Equal(view.State.Snapshot(), c.store.replay(c.id).Snapshot()) {
				t.Errorf("a snapshot that is %s was used", name)
			}
			c.stop(c.Organizations)
		}
		c.store.snapshots[c.id] = good
	})
}
