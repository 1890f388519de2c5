package hook_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/captable"
	"equity/features/hook"
	"equity/features/hook/token"
	"equity/hooks"
	"equity/messages"
	"equity/organization"
)

// ledger stores hooks in memory, like a store that other servers use too.
type ledger struct {
	mu       sync.Mutex
	accepted []hook.Hook
	counted  messages.Calls
	repeated bool
	err      error
}

func (l *ledger) Accept(_ context.Context, arrived []hook.Hook, windows []messages.CallWindow) (receipts []hook.Receipt, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range arrived {
		h := &arrived[i]
		l.accepted = append(l.accepted, *h)
		kind := h.Kind()
		if l.repeated {
			kind = "wake"
		}
		var refused error
		l.counted, refused = l.counted.Admit(kind, h.At, windows)
		limit, _ := errors.AsType[*messages.CallLimitError](refused)
		receipts = append(receipts, hook.Receipt{ID: h.ID, Repeated: l.repeated, Refused: limit, Counted: l.counted})
	}
	return receipts, l.err
}

// host is the actor of one organization. It answers one visit after another.
type host struct {
	state  *organization.State
	memory messages.Memory
	intake *hook.Intake
}

// Visit enters the visit, and executes what it does later before it returns the answer.
func (h *host) Visit(_ context.Context, _ organization.ID, v messages.Visit) (any, error) {
	type outcome struct {
		answer any
		err    error
	}
	answered, later := make(chan outcome, 1), make(chan func(messages.Memory), 1)
	v.Enter(messages.Visited{
		View: &messages.View{State: h.state}, Now: time.Now(), Memory: h.memory, Log: slog.New(slog.DiscardHandler),
		Answer: func(answer any, err error) { answered <- outcome{answer, err} },
		Later:  func(change func(messages.Memory)) { later <- change },
	})
	got := <-answered
	select {
	case change := <-later:
		change(h.memory)
	default:
	}
	return got.answer, got.err
}

func (h *host) do(t *testing.T, command organization.Command) {
	t.Helper()
	events, err := organization.Decide(h.state, command, organization.DecideContext{
		Schema: organization.NewSchema(token.Extension()), Now: time.Now(), NewID: func() [16]byte { return [16]byte{1} },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		h.state.Apply(event, captable.Stamp{Sequence: 1, At: captable.InstantOf(time.Now())})
	}
}

// hosted returns an organization whose hooks the ledger stores.
func hosted(t *testing.T, l *ledger) *host {
	t.Helper()
	intake := hook.NewIntake(l, hook.Limits{}, func(organization.ID, string) {}, slog.New(slog.DiscardHandler))
	t.Cleanup(intake.Close)
	h := &host{state: organization.NewState(), memory: messages.NewMemory(), intake: intake}
	h.do(t, organization.Create{
		ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"},
	})
	return h
}

func (h *host) wake(ctx context.Context, of token.ID) error {
	source := hooks.Source{Organization: organization.ID{1}, Token: hooks.TokenID(of)}
	_, err := hook.Pass(ctx, h, h.intake, hook.Hook{ID: "w", At: time.Now(), Wake: &hooks.Wake{Source: source}})
	return err
}

func (h *host) run(ctx context.Context, id string) error {
	source := hooks.Source{Organization: organization.ID{1}}
	_, err := hook.Pass(ctx, h, h.intake, hook.Hook{ID: id, At: time.Now(), Agent: &hooks.Agent{Source: source}})
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
		l := &ledger{}
		h := hosted(t, l)
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // calls are counted by second
		for range 60 {
			if err := h.wake(t.Context(), token.ID{}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Second)
		if after := limited(t, h.wake(t.Context(), token.ID{})); after != 50*time.Second {
			t.Errorf("after %v", after)
		}
		time.Sleep(50 * time.Second)
		if err := h.wake(t.Context(), token.ID{}); err != nil {
			t.Errorf("after the window: %v", err)
		}
		if len(l.accepted) != 61 {
			t.Errorf("%d accepted", len(l.accepted))
		}
	})
}

func TestRunsAreLimitedPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := hosted(t, &ledger{})
		for i := range 20 {
			if err := h.run(t.Context(), strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
		}
		limited(t, h.run(t.Context(), "r"))
		if err := h.wake(t.Context(), token.ID{}); err != nil {
			t.Errorf("a wake: %v", err)
		}
	})
}

func TestRepeatedRunsDoNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := hosted(t, &ledger{repeated: true})
		for i := range 30 {
			if err := h.run(t.Context(), "r"); err != nil {
				t.Fatalf("repetition %d: %v", i, err)
			}
		}
	})
}

func TestRevokedHookTokenIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, id := hosted(t, &ledger{}), token.ID{7}
		if err := h.wake(t.Context(), id); !errors.Is(err, hooks.ErrToken) {
			t.Errorf("an unknown token: %v", err)
		}
		h.do(t, token.Create{ID: id, Name: "ci"})
		if err := h.wake(t.Context(), id); err != nil {
			t.Errorf("a valid token: %v", err)
		}
		h.do(t, token.Revoke{ID: id})
		if err := h.wake(t.Context(), id); !errors.Is(err, hooks.ErrToken) {
			t.Errorf("a revoked token: %v", err)
		}
	})
}

func TestHookIsAnsweredAfterItIsStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := hosted(t, &ledger{err: messages.ErrUnavailable})
		if err := h.wake(t.Context(), token.ID{}); !errors.Is(err, messages.ErrUnavailable) {
			t.Errorf("%v", err)
		}
	})
}

func TestHookBeyondALimitOfTheStoreIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{}
		for range 60 { // of another server
			l.counted, _ = l.counted.Admit("wake", time.Now(), hook.Limits{}.Windows())
		}
		h := hosted(t, l)
		for range 3 {
			limited(t, h.wake(t.Context(), token.ID{}))
		}
		if len(l.accepted) != 1 {
			t.Errorf("the store was asked %d times", len(l.accepted))
		}
	})
}
