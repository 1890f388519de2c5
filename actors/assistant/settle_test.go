package assistant_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"equity/actors/assistant"
	"equity/messages"
	"equity/persistence"
)

// outcomes counts the executions of the tools by key.
func (t *toolbox) outcomes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.executed)
}

func TestStepIsEitherRejectedOrRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for round := range 30 {
		step := b.propose(t, "addMember")
		before := b.tools.outcomes()
		var rejected, executed sync.Map
		var all sync.WaitGroup
		for i := range 6 {
			confirmed := i%2 == 0
			all.Go(func() {
				got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, confirmed, "")
				switch {
				case errors.Is(err, messages.ErrStepDecided):
				case err == nil && confirmed && got.Step.Status == messages.StepExecuted:
					executed.Store(i, true)
				case err == nil && !confirmed && got.Step.Status == messages.StepRejected:
					rejected.Store(i, true)
				default:
					t.Errorf("%v %+v", err, got)
				}
			})
		}
		all.Wait()
		count := func(m *sync.Map) (n int) {
			m.Range(func(any, any) bool { n++; return true })
			return n
		}
		recorded := b.tools.outcomes() > before
		found, err := b.changes.Step(t.Context(), b.caller.User, step.ID)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case recorded && (found.Status != messages.StepExecuted || count(&executed) != 3 || count(&rejected) != 0),
			!recorded && (found.Status != messages.StepRejected || count(&executed) != 0 || count(&rejected) != 3):
			t.Errorf("round %d: recorded %t, %s, %d confirmed, %d rejected", round, recorded, found.Status, count(&executed), count(&rejected))
		}
	}
}

// faulty is a store that fails at a decision, before or after it is stored.
type faulty struct {
	*persistence.Steps
	at    messages.StepStatus
	after bool
}

var errFaulty = errors.New("the store failed")

// Decide fails once at a status.
func (s *faulty) Decide(ctx context.Context, from messages.StepStatus, step messages.Step) (bool, error) {
	if step.Status != s.at {
		return s.Steps.Decide(ctx, from, step)
	}
	s.at = ""
	if s.after {
		_, _ = s.Steps.Decide(ctx, from, step)
	}
	return false, errFaulty
}

// TestFailureAtEachPointLeavesOneOutcome plants a failure of the store before and after each decision. The step is then confirmed, rejected,
// or settled by another server.
func TestFailureAtEachPointLeavesOneOutcome(t *testing.T) {
	t.Parallel()
	type then struct {
		name string
		do   func(t *testing.T, b *bundle, step messages.Step)
	}
	confirm := then{"confirmed", func(t *testing.T, b *bundle, step messages.Step) {
		t.Helper()
		if got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); err != nil || got.Step.Status != messages.StepExecuted {
			t.Errorf("%v %+v", err, got)
		}
	}}
	reject := then{"rejected", func(t *testing.T, b *bundle, step messages.Step) {
		t.Helper()
		_, _ = b.changes.Confirm(t.Context(), b.caller, step.ID, false, "")
	}}
	settle := then{"settled", func(t *testing.T, b *bundle, _ messages.Step) {
		t.Helper()
		b.advance(time.Minute)
		if err := b.changes.Settle(t.Context(), func(messages.Step) messages.ToolUser { return b.caller }); err != nil {
			t.Error(err)
		}
	}}
	for _, status := range []messages.StepStatus{messages.StepTaken, messages.StepExecuted} {
		for _, after := range []bool{false, true} {
			for _, next := range []then{confirm, reject, settle} {
				t.Run(string(status)+" "+next.name, func(t *testing.T) {
					t.Parallel()
					b := setup(t)
					step := b.propose(t, "addMember")
					failing := assistant.NewChanges(&faulty{b.steps, status, after}, true, b.clock, newID, slog.New(slog.DiscardHandler))
					_, _ = failing.Confirm(t.Context(), b.caller, step.ID, true, "")
					next.do(t, b, step)
					found, err := b.changes.Step(t.Context(), b.caller.User, step.ID)
					if err != nil {
						t.Fatal(err)
					}
					recorded, n := b.tools.outcomes() > 0, b.tools.outcomes()
					if n > 1 || recorded && found.Status == messages.StepRejected || !recorded && found.Status == messages.StepExecuted {
						t.Errorf("%d changes, %s", n, found.Status)
					}
					if next.name != "rejected" && recorded != (found.Status == messages.StepExecuted) {
						t.Errorf("recorded %t, %s", recorded, found.Status)
					}
				})
			}
		}
	}
}

func TestSettleLeavesWaitingAndRecentSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.propose(t, "addMember")
	taken := b.propose(t, "addMember")
	taken.Status, taken.DecidedAt = messages.StepTaken, b.clock()
	if done, err := b.steps.Decide(t.Context(), messages.StepPending, taken); err != nil || !done {
		t.Fatalf("%t %v", done, err)
	}
	by := func(messages.Step) messages.ToolUser { return b.caller }
	if err := b.changes.Settle(t.Context(), by); err != nil || b.tools.outcomes() != 0 {
		t.Errorf("a recent step: %v, %d changes", err, b.tools.outcomes())
	}
	b.advance(messages.SettleWithin)
	if err := b.changes.Settle(t.Context(), by); err != nil || b.tools.outcomes() != 0 {
		t.Errorf("after the keys are forgotten: %v, %d changes", err, b.tools.outcomes())
	}
	if _, err := b.changes.Confirm(t.Context(), b.caller, taken.ID, true, ""); !errors.Is(err, messages.ErrOutcomeUnknown) {
		t.Errorf("%v", err)
	}
}

func TestExpiredStepIsStoredAsExpired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "addMember")
	b.advance(messages.StepValid)
	for range 2 {
		if _, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); !errors.Is(err, messages.ErrStepExpired) {
			t.Errorf("%v", err)
		}
	}
	if found, err := b.changes.Step(t.Context(), b.caller.User, step.ID); err != nil || found.Status != messages.StepExpired {
		t.Errorf("%v %s", err, found.Status)
	}
}

func TestStepThatGivesAuthorityNeedsAPersonUnderEverySetting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	relaxed := assistant.NewChanges(b.steps, false, b.clock, newID, slog.New(slog.DiscardHandler))
	b.caller.Credential = messages.TokenHandle(newID())
	got, err := relaxed.Run(t.Context(), b.caller, "createRole", nil)
	if err != nil || got.Step == nil {
		t.Fatalf("%v %+v", err, got)
	}
	if _, err := relaxed.Confirm(t.Context(), b.caller, got.Step.ID, true, ""); !errors.Is(err, messages.ErrPersonRequired) {
		t.Errorf("the token confirms: %v", err)
	}
	person := b.caller
	person.Credential = "a session"
	if got, err := relaxed.Confirm(t.Context(), person, got.Step.ID, true, ""); err != nil || got.Step.Status != messages.StepExecuted {
		t.Errorf("the person confirms: %v %+v", err, got)
	}
	if got, err := relaxed.Confirm(t.Context(), b.caller, got.Step.ID, true, ""); err != nil || got.Step.Status != messages.StepExecuted {
		t.Errorf("the token reads the result: %v %+v", err, got)
	}
}
