package actors_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/actors/hook"
	"equity/messages"
	"equity/organization"
)

// intake is a HookIntake in memory.
type intake struct {
	mu       sync.Mutex
	accepted []messages.Hook
	repeated bool
	err      error
}

func (i *intake) Accept(h messages.Hook, done func(messages.HookReceipt, error)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.accepted = append(i.accepted, h)
	go done(messages.HookReceipt{ID: h.ID, Repeated: i.repeated}, i.err)
}

func hooked(t *testing.T, in *intake) *company {
	t.Helper()
	return setup(t, func(s *actors.Settings) { s.Hooks = in })
}

func (c *company) wake(ctx context.Context, token organization.HookTokenID) error {
	_, err := c.Hook(ctx, messages.Hook{ID: "w", At: time.Now(), Wake: &messages.HookWake{HookSource: messages.HookSource{Organization: c.id, Token: token}}})
	return err
}

func (c *company) run(ctx context.Context, id string) error {
	_, err := c.Hook(ctx, messages.Hook{ID: id, At: time.Now(), Agent: &messages.HookAgent{HookSource: messages.HookSource{Organization: c.id}}})
	return err
}

// limited returns the wait of a refusal, or fails.
func limited(t *testing.T, err error) time.Duration {
	t.Helper()
	limit, ok := errors.AsType[*messages.HookLimitError](err)
	if !ok {
		t.Fatalf("not limited: %v", err)
	}
	return limit.After
}

func TestHooksAreLimitedPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &intake{}
		c := hooked(t, in)
		for range 60 {
			if err := c.wake(t.Context(), organization.HookTokenID{}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Second)
		if after := limited(t, c.wake(t.Context(), organization.HookTokenID{})); after != 50*time.Second {
			t.Errorf("after %v", after)
		}
		time.Sleep(50 * time.Second)
		if err := c.wake(t.Context(), organization.HookTokenID{}); err != nil {
			t.Errorf("after the window: %v", err)
		}
		if len(in.accepted) != 61 {
			t.Errorf("%d accepted", len(in.accepted))
		}
	})
}

func TestRunsAreLimitedPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &intake{}
		c := hooked(t, in)
		for i := range 20 {
			if err := c.run(t.Context(), strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
		}
		limited(t, c.run(t.Context(), "r"))
		if err := c.wake(t.Context(), organization.HookTokenID{}); err != nil {
			t.Errorf("a wake: %v", err)
		}
	})
}

func TestRepeatedRunsDoNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &intake{repeated: true}
		c := hooked(t, in)
		for i := range 30 {
			if err := c.run(t.Context(), "r"); err != nil {
				t.Fatalf("repetition %d: %v", i, err)
			}
			synctest.Wait()
		}
	})
}

func TestRevokedHookTokenIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := hooked(t, &intake{})
		token := organization.HookTokenID{7}
		if err := c.wake(t.Context(), token); !errors.Is(err, messages.ErrHookToken) {
			t.Errorf("an unknown token: %v", err)
		}
		for _, body := range []organization.Command{organization.CreateHookToken{ID: token, Name: "ci"}, nil, organization.RevokeHookToken{ID: token}} {
			if body == nil {
				if err := c.wake(t.Context(), token); err != nil {
					t.Errorf("a valid token: %v", err)
				}
				continue
			}
			if _, err := c.Do(t.Context(), messages.Command{Organization: c.id, By: "user", At: time.Now(), Body: body}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.wake(t.Context(), token); !errors.Is(err, messages.ErrHookToken) {
			t.Errorf("a revoked token: %v", err)
		}
	})
}

func TestHookIsAnsweredAfterItIsStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := hooked(t, &intake{err: messages.ErrUnavailable})
		if err := c.wake(t.Context(), organization.HookTokenID{}); !errors.Is(err, messages.ErrUnavailable) {
			t.Errorf("%v", err)
		}
	})
}

func TestWindowUsesItsLimits(t *testing.T) {
	t.Parallel()
	var w hook.Window
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	limits := hook.Limits{Requests: 3, Runs: 1}
	if err := w.Admit(limits, now, true); err != nil {
		t.Fatal(err)
	}
	limited(t, w.Admit(limits, now, true))
	w.Refund()
	if err := w.Admit(limits, now, true); err != nil {
		t.Errorf("after a refund: %v", err)
	}
}
