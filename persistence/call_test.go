package persistence_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestServersCountCallsOfToolsTogether(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		const limit = 10
		here, now := storetest.NewID[organization.Organization](), storetest.Epoch()
		windows := []messages.CallWindow{{Kinds: []messages.CallKind{"read"}, Limit: limit, Span: time.Minute}}
		var admitted, refused atomic.Int64
		var servers sync.WaitGroup
		for range 3 {
			servers.Go(func() {
				calls := persistence.NewToolCalls(db)
				for range limit {
					_, err := calls.Count(t.Context(), here, "read", now, windows)
					if _, full := errors.AsType[*messages.CallLimitError](err); full {
						refused.Add(1)
					} else if err == nil {
						admitted.Add(1)
					} else {
						t.Error(err)
					}
				}
			})
		}
		servers.Wait()
		if admitted.Load() != limit || refused.Load() != 2*limit {
			t.Errorf("%d admitted, %d refused", admitted.Load(), refused.Load())
		}
		calls := persistence.NewToolCalls(db)
		counted, err := calls.Counted(t.Context(), here)
		must(t, err)
		if left := counted.Left(windows[0], now); left != 0 {
			t.Errorf("%d calls are left", left)
		}
		if _, err := calls.Count(t.Context(), storetest.NewID[organization.Organization](), "read", now, windows); err != nil {
			t.Errorf("another organization: %v", err)
		}
	})
}
