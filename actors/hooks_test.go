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
	counted  messages.Calls
	repeated bool
	err      error
}

func (i *intake) Windows() []messages.CallWindow { return hook.Limits{}.Windows() }

func (i *intake) Accept(h messages.Hook, done func(messages.HookReceipt, error)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.accepted = append(i.accepted, h)
	kind := h.Kind()
	if i.repeated {
		kind = messages.CallWake
	}
	counted, err := i.counted.Admit(kind, h.At, i.Windows())
	refused, _ := errors.AsType[*messages.CallLimitError](err)
	i.counted = counted
	go done(messages.HookReceipt{ID: h.ID, Repeated: i.repeated, Refused: refused, Counted: counted}, i.err)
}

func hooked(t *testing.T, in *intake) *company {
	t.Helper()
	return setup(t, func(s *actors.Settings) { s.Hooks = in })
}

func (c *company) wake(ctx context.Context, token organization.HookTokenID) error {
	_, err := c.Hook(
		ctx,
		messages.Hook{ID: "w", At: time.Now(), Wake: &messages.HookWake{HookSource: messages.HookSource{Organization: c.id, Token: token}}},
	)
	return err
}

func (c *company) run(ctx context.Context, id string) error {
	_, err := c.Hook(ctx, messages.Hook{ID: id, At: time.Now(), Agent: &messages.HookAgent{HookSource: messages.HookSource{Organization: c.id}}})
	return err
}

// limited returns the wait of a refusal, or fails.
func limited(t *testing.T, err error) time.Duration {
	t.Helper()
	limit, ok := errors.AsType[*messages.CallLimitError](err)
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
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // calls are counted by second
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

func TestHookBeyondALimitOfTheStoreIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &intake{}
		for range 60 { // of another server
			in.counted, _ = in.counted.Admit(messages.CallWake, time.Now(), in.Windows())
		}
		c := hooked(t, in)
		for range 3 {
			limited(t, c.wake(t.Context(), organization.HookTokenID{}))
			synctest.Wait()
		}
		if len(in.accepted) != 1 {
			t.Errorf("the store was asked %d times", len(in.accepted))
		}
	})
}
