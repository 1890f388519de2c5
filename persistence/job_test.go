package persistence_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestOneServerDoesAJobInEachPeriod(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		now := storetest.Epoch()
		for _, step := range []struct {
			at   time.Time
			want int64
		}{{now, 1}, {now.Add(time.Hour - time.Microsecond), 0}, {now.Add(time.Hour), 1}, {now.Add(-time.Hour), 1}} { // the last one after a clock that was ahead
			var claimed atomic.Int64
			var servers sync.WaitGroup
			for range 8 {
				servers.Go(func() {
					mine, err := persistence.NewJobs(db).Claim(t.Context(), "sweep", step.at, time.Hour)
					if err != nil {
						t.Error(err)
					}
					if mine {
						claimed.Add(1)
					}
				})
			}
			servers.Wait()
			if claimed.Load() != step.want {
				t.Errorf("%d servers do the job at %s; want %d", claimed.Load(), step.at, step.want)
			}
		}
		if other, err := persistence.NewJobs(db).Claim(t.Context(), "another", now, time.Hour); err != nil || !other {
			t.Errorf("another job: %t %v", other, err)
		}
	})
}
