package persistence_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// windowsOfHooks permit ten hooks, of which three request a run.
func windowsOfHooks() []messages.CallWindow {
	return []messages.CallWindow{
		{Kinds: []messages.CallKind{messages.CallWake, messages.CallRun}, Limit: 10, Span: time.Minute},
		{Kinds: []messages.CallKind{messages.CallRun}, Limit: 3, Span: time.Minute},
	}
}

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

func TestHooksBeyondTheLimitAreNotStored(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, here := persistence.NewHooks(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		var hooks []messages.Hook
		for i := range 5 {
			hooks = append(hooks, agentHook(fmt.Sprintf("run %d", i), here, 0, now))
		}
		hooks = append(hooks, agentHook("of another company", storetest.NewID[organization.Organization](), 0, now))
		receipts, err := store.Accept(t.Context(), hooks, windowsOfHooks())
		must(t, err)
		for i, want := range []bool{true, true, true, false, false, true} {
			if receipts[i].Stored() != want {
				t.Errorf("hook %d: %+v", i, receipts[i])
			}
		}
		session, err := store.Session(t.Context(), here)
		must(t, err)
		if len(session.Runs) != 3 {
			t.Errorf("%d runs", len(session.Runs))
		}
	})
}

func TestServersCountHooksTogether(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		now, here := storetest.Epoch(), storetest.NewID[organization.Organization]()
		var stored atomic.Int64
		var servers sync.WaitGroup
		for server := range 3 {
			servers.Go(func() {
				store := persistence.NewHooks(db)
				for i := range 8 {
					receipts, err := store.Accept(
						t.Context(), []messages.Hook{wakeHook(fmt.Sprintf("%d-%d", server, i), here, messages.HookNow, now)},
						windowsOfHooks(),
					)
					if err != nil {
						t.Error(err)
					} else if receipts[0].Stored() {
						stored.Add(1)
					}
				}
			})
		}
		servers.Wait()
		if stored.Load() != 10 {
			t.Errorf("%d hooks stored", stored.Load())
		}
	})
}

func TestRepetitionsOfRunsAreNoRuns(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, here := persistence.NewHooks(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		var hooks []messages.Hook
		for i := range 9 {
			hooks = append(hooks, agentHook(fmt.Sprintf("run %d", i), here, 7, now))
		}
		for i := range hooks {
			receipts, err := store.Accept(t.Context(), hooks[i:i+1], windowsOfHooks())
			must(t, err)
			if receipts[0].Refused != nil || receipts[0].ID != "run 0" {
				t.Errorf("request %d: %+v", i, receipts[0])
			}
		}
	})
}

func TestRefusedRunIsNotRepeatedByALaterOne(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, here := persistence.NewHooks(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		hooks := []messages.Hook{
			agentHook("a", here, 1, now), agentHook("b", here, 2, now), agentHook("c", here, 3, now),
			agentHook("refused", here, 4, now), agentHook("repeated", here, 4, now), agentHook("later", here, 4, now.Add(2*time.Minute)),
		}
		receipts, err := store.Accept(t.Context(), hooks, windowsOfHooks())
		must(t, err)
		if receipts[3].Refused == nil || receipts[4].Refused == nil || !receipts[5].Stored() {
			t.Errorf("%+v", receipts[3:])
		}
	})
}
