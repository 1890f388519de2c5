package hook_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"

	"equity/features/hook"
	"equity/hooks"
	"equity/messages"
	"equity/organization"
)

// groups counts the transactions of an intake.
type groups struct {
	mu     sync.Mutex
	sizes  []int
	gate   chan struct{}
	refuse string
}

func (g *groups) Accept(_ context.Context, arrived []hook.Hook, _ []messages.CallWindow) (receipts []hook.Receipt, err error) {
	<-g.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sizes = append(g.sizes, len(arrived))
	for _, h := range arrived {
		if h.ID == g.refuse {
			return nil, errors.New("refused")
		}
		receipts = append(receipts, hook.Receipt{ID: h.ID})
	}
	return receipts, nil
}

func TestIntakeStoresWaitingHooksTogether(t *testing.T) {
	t.Parallel()
	g := &groups{gate: make(chan struct{}, 1000), refuse: "7"}
	intake := hook.NewIntake(g, hook.Limits{}, func(organization.ID, string) {}, slog.New(slog.DiscardHandler))
	var answered sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	for i := range 100 {
		answered.Add(1)
		id := strconv.Itoa(i)
		intake.Accept(hook.Hook{ID: id, Wake: &hooks.Wake{}}, func(receipt hook.Receipt, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
			} else if receipt.ID != id {
				t.Errorf("%s received the receipt of %s", id, receipt.ID)
			}
			answered.Done()
		})
	}
	for range cap(g.gate) {
		g.gate <- struct{}{}
	}
	answered.Wait()
	if failed != 1 || slices.Max(g.sizes) < 50 {
		t.Errorf("%d failed, groups %v", failed, g.sizes)
	}
	intake.Close()
	intake.Accept(hook.Hook{Wake: &hooks.Wake{}}, func(_ hook.Receipt, err error) {
		if !errors.Is(err, messages.ErrUnavailable) {
			t.Errorf("after the end: %v", err)
		}
	})
}
