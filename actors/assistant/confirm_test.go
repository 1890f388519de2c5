package assistant_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"equity/messages"
)

// propose returns the step of a call of the tool.
func (b *bundle) propose(t *testing.T, tool string) messages.Step {
	t.Helper()
	got, err := b.changes.Run(t.Context(), b.caller, tool, nil)
	if err != nil || got.Step == nil {
		t.Fatalf("%v %+v", err, got)
	}
	return *got.Step
}

func TestDestructiveStepNeedsTwoConfirmations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "voidShares")
	if got := b.changes.Remaining(step); got != 2 {
		t.Errorf("%d confirmations", got)
	}
	first, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "")
	if err != nil || first.Step.Status != messages.StepConfirmedOnce || len(b.tools.executed) != 0 {
		t.Fatalf("%v %+v", err, first)
	}
	second, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "")
	if err != nil || second.Step.Status != messages.StepExecuted || second.Result == nil {
		t.Errorf("%v %+v", err, second)
	}
}

func TestRepeatedRequestCountsAsOneConfirmation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "voidShares")
	for range 2 {
		got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "the same key")
		if err != nil || got.Step.Status != messages.StepConfirmedOnce {
			t.Errorf("%v %+v", err, got)
		}
	}
}

func TestConcurrentConfirmationsHaveOneKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "addMember")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); err != nil || got.Step.Status != messages.StepExecuted {
				t.Errorf("%v %+v", err, got)
			}
		})
	}
	all.Wait()
	if len(b.tools.executed) != 1 {
		t.Errorf("%d keys", len(b.tools.executed))
	}
}

func TestSupersededStepHasANextOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "addMember")
	b.tools.refuse = &messages.ToolResult{Status: http.StatusConflict, Body: []byte(`{"code":"superseded"}`)}
	got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "")
	if err != nil || got.Step.Status != messages.StepSuperseded || got.Next == nil {
		t.Fatalf("%v %+v", err, got)
	}
	again, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "")
	if err != nil || again.Next == nil || again.Next.ID != got.Next.ID {
		t.Errorf("repeated: %v %+v", err, again)
	}
}

func TestRefusedStepFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "addMember")
	b.tools.refuse = &messages.ToolResult{Status: http.StatusForbidden, Body: []byte(`{"code":"forbidden"}`)}
	got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, "")
	if err != nil || got.Step.Status != messages.StepFailed || got.Result.Status != http.StatusForbidden {
		t.Errorf("%v %+v", err, got)
	}
}

func TestUnavailableStoreLeavesTheStepTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	step := b.propose(t, "addMember")
	b.tools.refuse = &messages.ToolResult{Status: http.StatusServiceUnavailable, Body: []byte(`{"code":"unavailable"}`)}
	if got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); err != nil || got.Step.Status != messages.StepTaken {
		t.Fatalf("%v %+v", err, got)
	}
	if _, err := b.changes.Confirm(t.Context(), b.caller, step.ID, false, ""); !errors.Is(err, messages.ErrStepDecided) {
		t.Errorf("rejected although it may be recorded: %v", err)
	}
	b.tools.refuse = nil
	if got, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); err != nil || got.Step.Status != messages.StepExecuted {
		t.Errorf("%v %+v", err, got)
	}
}

func TestStepOfAHookCannotBeConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := b.caller.User
	b.caller.User = [16]byte{}
	step := b.propose(t, "addMember")
	for _, by := range [][16]byte{user, {}} {
		b.caller.User = by
		if _, err := b.changes.Confirm(t.Context(), b.caller, step.ID, true, ""); !errors.Is(err, messages.ErrNoStep) {
			t.Errorf("%v", err)
		}
	}
}
