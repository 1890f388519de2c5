package persistence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func agentHook(id string, in organization.ID, repetition byte, at time.Time) messages.Hook {
	return messages.Hook{ID: id, At: at, Agent: &messages.HookAgent{
		HookSource: messages.HookSource{Organization: in}, RunID: id, Repetition: [32]byte{repetition}, Message: "m", Name: "n",
		WakeMode: messages.HookNow, SessionKey: "hook:" + id, Deliver: true, Channel: "last",
	}}
}

func wakeHook(id string, in organization.ID, mode string, at time.Time) messages.Hook {
	return messages.Hook{ID: id, At: at, Wake: &messages.HookWake{HookSource: messages.HookSource{Organization: in}, Text: "text of " + id, Mode: mode}}
}

func accept(t *testing.T, store *persistence.Hooks, hooks ...messages.Hook) []messages.HookReceipt {
	t.Helper()
	receipts, err := store.Accept(t.Context(), hooks, nil)
	must(t, err)
	if len(receipts) != len(hooks) {
		t.Fatalf("%d receipts", len(receipts))
	}
	return receipts
}

func TestAcceptedHooksAreInTheirSession(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, a, b := persistence.NewHooks(db), storetest.Epoch(), organization.ID{1}, organization.ID{2}
		accept(t, store, wakeHook("1", a, messages.HookNextHeartbeat, now), agentHook("r", a, 0, now), wakeHook("2", b, messages.HookNow, now))
		session, err := store.Session(t.Context(), a)
		must(t, err)
		if len(session.Events) != 1 || session.Events[0].Text != "text of 1" || !session.Events[0].At.Equal(now) || !session.HeartbeatRequestedAt.IsZero() {
			t.Errorf("%+v", session)
		}
		if len(session.Runs) != 1 || session.Runs[0].RunID != "r" || session.Runs[0].Status != messages.HookQueued || session.Runs[0].SessionKey != "hook:r" {
			t.Errorf("%+v", session.Runs)
		}
		other, err := store.Session(t.Context(), b)
		must(t, err)
		if len(other.Events) != 1 || len(other.Runs) != 0 || !other.HeartbeatRequestedAt.Equal(now) {
			t.Errorf("%+v", other)
		}
		_, alarm, err := persistence.NewConsumers(db).Load(t.Context(), a, messages.HookConsumer)
		must(t, err)
		if !alarm.DueAt.Equal(now) {
			t.Errorf("%+v", alarm)
		}
		must(t, store.HandleEvents(t.Context(), a, "1"))
		if session, err = store.Session(t.Context(), a); err != nil || !session.Events[0].Handled {
			t.Errorf("%+v %v", session, err)
		}
	})
}

func TestRepetitionReturnsTheFirstRunForADay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, a, b := persistence.NewHooks(db), storetest.Epoch(), organization.ID{1}, organization.ID{2}
		got := accept(
			t, store, agentHook("r1", a, 7, now), agentHook("r2", a, 7, now), agentHook("r3", b, 7, now), agentHook("r4", a, 0, now),
			agentHook("r5", a, 0, now),
		)
		later := accept(t, store, agentHook("r6", a, 7, now.Add(24*time.Hour-time.Second)), agentHook("r7", a, 8, now))
		after := accept(t, store, agentHook("r8", a, 7, now.Add(24*time.Hour)))
		again := accept(t, store, agentHook("r9", a, 7, now.Add(25*time.Hour)))
		var text []string
		for _, receipt := range slices.Concat(got, later, after, again) {
			text = append(text, fmt.Sprint(receipt.ID, " ", receipt.Repeated))
		}
		want := "r1 false, r1 true, r3 false, r4 false, r5 false, r1 true, r7 false, r8 false, r8 true"
		if got := strings.Join(text, ", "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		session, err := store.Session(t.Context(), a)
		must(t, err)
		if len(session.Runs) != 5 {
			t.Errorf("%d runs", len(session.Runs))
		}
	})
}

func TestRunEndsOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, a := persistence.NewHooks(db), storetest.Epoch(), organization.ID{1}
		accept(t, store, agentHook("r", a, 0, now))
		leased, err := store.Lease(t.Context(), "r", now, now.Add(time.Minute))
		must(t, err)
		again, err := store.Lease(t.Context(), "r", now.Add(time.Second), now.Add(time.Minute))
		must(t, err)
		if !leased || again {
			t.Errorf("leased %v, then %v", leased, again)
		}
		if due, err := store.Due(t.Context(), a, now.Add(time.Second), 9); err != nil || len(due) != 0 {
			t.Errorf("due during the lease: %v %v", due, err)
		}
		must(t, store.Renew(t.Context(), "r", now.Add(2*time.Minute)))
		if due, err := store.Due(t.Context(), a, now.Add(time.Minute), 9); err != nil || len(due) != 0 {
			t.Errorf("due during the renewed lease: %v %v", due, err)
		}
		if open, err := store.Open(t.Context(), a); err != nil || !open {
			t.Errorf("open %v %v", open, err)
		}
		due, err := store.Due(t.Context(), a, now.Add(2*time.Minute), 9)
		must(t, err)
		if len(due) != 1 || due[0].Attempts != 1 {
			t.Fatalf("%+v", due)
		}
		end := messages.HookOutcome{HookResult: messages.HookResult{Status: "ok", Summary: "done"}, Event: "e", Reason: messages.HookNotConfigured}
		first, err := store.Finish(t.Context(), due[0], end, now)
		must(t, err)
		end.Event = "f"
		second, err := store.Finish(t.Context(), due[0], end, now)
		must(t, err)
		session, err := store.Session(t.Context(), a)
		must(t, err)
		if !first || second || len(session.Events) != 1 || session.Events[0].Text != "Hook n: done" || session.HeartbeatRequestedAt.IsZero() {
			t.Errorf("%v %v %+v", first, second, session)
		}
		if run := session.Runs[0]; run.Status != "ok" || run.Summary != "done" || run.Delivered || run.Reason != messages.HookNotConfigured || run.EndedAt.IsZero() {
			t.Errorf("%+v", run)
		}
		if open, err := store.Open(t.Context(), a); err != nil || open {
			t.Errorf("open %v %v", open, err)
		}
	})
}

func TestRecoveryArmsOpenRuns(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, alarms, now, a := persistence.NewHooks(db), persistence.NewConsumers(db), storetest.Epoch(), organization.ID{1}
		accept(t, store, agentHook("r", a, 0, now), agentHook("s", a, 0, now))
		_, stored, err := alarms.Load(t.Context(), a, messages.HookConsumer)
		must(t, err)
		must(t, alarms.Clear(t.Context(), a, messages.HookConsumer, 0, stored))
		must(t, store.Recover(t.Context(), now))
		_, alarm, err := alarms.Load(t.Context(), a, messages.HookConsumer)
		must(t, err)
		if alarm.DueAt.IsZero() {
			t.Error("no alarm")
		}
	})
}

func TestHookTokensLeadToTheirOrganization(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now := persistence.NewHooks(db), storetest.Epoch()
		first := messages.HookSource{Organization: organization.ID{1}, Token: organization.HookTokenID{2}}
		second := messages.HookSource{Organization: organization.ID{3}, Token: organization.HookTokenID{4}}
		must(t, store.AddToken(t.Context(), first, [32]byte{1}, now))
		must(t, store.AddToken(t.Context(), second, [32]byte{2}, now))
		for hash, want := range map[[32]byte]messages.HookSource{{1}: first, {2}: second, {3}: {}} {
			if got, ok, err := store.Source(t.Context(), hash); err != nil || got != want || ok != (want != messages.HookSource{}) {
				t.Errorf("%v %v %v", got, ok, err)
			}
		}
		must(t, store.RemoveToken(t.Context(), first))
		if _, ok, err := store.Source(t.Context(), [32]byte{1}); err != nil || ok {
			t.Errorf("a revoked token: %v %v", ok, err)
		}
	})
}

func TestOldHooksAreForgotten(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now, a := persistence.NewHooks(db), storetest.Epoch(), organization.ID{1}
		accept(t, store, wakeHook("1", a, messages.HookNow, now), agentHook("open", a, 1, now), wakeHook("2", a, messages.HookNow, now.Add(time.Hour)))
		must(t, store.Forget(t.Context(), now.Add(time.Minute), now.Add(48*time.Hour)))
		session, err := store.Session(t.Context(), a)
		must(t, err)
		if len(session.Events) != 1 || len(session.Runs) != 1 {
			t.Errorf("%+v", session)
		}
		if got := accept(t, store, agentHook("next", a, 1, now.Add(time.Hour))); got[0].Repeated {
			t.Error("an expired repetition was kept")
		}
	})
}
