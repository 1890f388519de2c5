package hook_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/features/hook"
	"equity/hooks"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// windowsOfHooks permit ten hooks, of which three request a run.
func windowsOfHooks() []messages.CallWindow {
	return []messages.CallWindow{
		{Kinds: []messages.CallKind{"wake", "run"}, Limit: 10, Span: time.Minute},
		{Kinds: []messages.CallKind{"run"}, Limit: 3, Span: time.Minute},
	}
}

func TestHooksBeyondTheLimitAreNotStored(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, here := hook.NewStore(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		var sent []hook.Hook
		for i := range 5 {
			sent = append(sent, agentHook(fmt.Sprintf("run %d", i), here, 0, now))
		}
		sent = append(sent, agentHook("of another company", storetest.NewID[organization.Organization](), 0, now))
		receipts, err := store.Accept(t.Context(), sent, windowsOfHooks())
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
				store := hook.NewStore(db)
				for i := range 8 {
					receipts, err := store.Accept(
						t.Context(), []hook.Hook{wakeHook(fmt.Sprintf("%d-%d", server, i), here, hooks.Now, now)},
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
		store, now, here := hook.NewStore(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		var sent []hook.Hook
		for i := range 9 {
			sent = append(sent, agentHook(fmt.Sprintf("run %d", i), here, 7, now))
		}
		for i := range sent {
			receipts, err := store.Accept(t.Context(), sent[i:i+1], windowsOfHooks())
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
		store, now, here := hook.NewStore(db), storetest.Epoch(), storetest.NewID[organization.Organization]()
		sent := []hook.Hook{
			agentHook("a", here, 1, now), agentHook("b", here, 2, now), agentHook("c", here, 3, now),
			agentHook("refused", here, 4, now), agentHook("repeated", here, 4, now), agentHook("later", here, 4, now.Add(2*time.Minute)),
		}
		receipts, err := store.Accept(t.Context(), sent, windowsOfHooks())
		must(t, err)
		if receipts[3].Refused == nil || receipts[4].Refused == nil || !receipts[5].Stored() {
			t.Errorf("%+v", receipts[3:])
		}
	})
}
