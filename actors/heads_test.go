package actors_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/organization"
)

// slowHead is a journal whose head advances with each read, which takes a second.
type slowHead struct {
	actors.Journal
	reads uint64
}

func (s *slowHead) Heads(_ context.Context, ids []organization.ID) (map[organization.ID]uint64, error) {
	s.reads++
	found := map[organization.ID]uint64{}
	for _, id := range ids {
		found[id] = s.reads
	}
	time.Sleep(time.Second)
	return found, nil
}

func TestReadersOfHeadsShareTheQueryAfterTheirArrival(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		journal := &slowHead{}
		readHead, running := actors.NewHeads(journal)
		var group sync.WaitGroup
		number := byte(0)
		read := func(ctx context.Context, want uint64) {
			number++
			id := organization.ID{number % 3}
			group.Go(func() {
				if got, err := readHead(ctx, id); got != want || err != nil {
					t.Errorf("read %d; want %d: %v", got, want, err)
				}
			})
			synctest.Wait()
		}
		ended, end := context.WithCancel(t.Context())
		read(ended, 1)
		for range 5 {
			read(t.Context(), 2)
		}
		end() // the context of the first caller is not that of the others
		time.Sleep(1500 * time.Millisecond)
		read(t.Context(), 3)
		group.Wait()
		read(t.Context(), 4)
		group.Wait()
		if running() {
			t.Error("a query remains")
		}
	})
}

func TestReaderOfASharedQueryGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		readHead, _ := actors.NewHeads(&slowHead{})
		go func() { _, _ = readHead(t.Context(), organization.ID{}) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := readHead(ctx, organization.ID{}); err == nil {
			t.Error("a caller waited beyond its limit")
		}
		time.Sleep(3 * time.Second)
	})
}
