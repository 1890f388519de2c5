package actors_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/messages"
)

func TestCommandOfACallerWhoLeftIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		head := c.store.head(c.id)
		c.restart()
		c.store.mu.Lock()
		c.store.beforeRow = func(messages.Row) error { time.Sleep(time.Second); return nil }
		c.store.mu.Unlock()
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { _, err := c.Do(ctx, c.issue(c.ada, 1)); done <- err }()
		synctest.Wait() // the command waits for the organization to be loaded
		leave()
		refused(t, <-done, messages.ErrUnavailable.Code)
		if now := c.store.head(c.id); now != head {
			t.Errorf("the journal went on from %d to %d", head, now)
		}
	})
}
