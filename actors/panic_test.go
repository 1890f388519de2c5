package actors_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
)

func TestPanic(t *testing.T) {
	t.Parallel()
	boom := func(c *company) messages.Command { return c.table(nil) } // panics in the decision
	unwritable := func(c *company) messages.Command {                 // panics when it is recorded
		return c.table(captable.IssueShareholding{
			HolderRef: captable.HolderRef{Entity: c.bob}, Security: c.security, Shares: exact.NewDecimal(1),
			IssueDate: exact.DateOf(c.settings.Now()), Source: &captable.Source{Object: json.RawMessage("{")},
		})
	}
	t.Run("a panic in a decision answers its caller at once and does not affect others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			flying, waiting := c.asked(c.issue(c.ada, 1)), c.asked(c.issue(c.ada, 2))
			guilty := c.asked(boom(c))
			behind := c.asked(c.issue(c.ada, 4))
			if a := <-guilty; a.took != 0 {
				t.Errorf("answered after %v; want at once", a.took)
			} else {
				refused(t, a.err, "internal")
			}
			for i, caller := range []<-chan answer{flying, waiting, behind} {
				if a := <-caller; a.err != nil {
					t.Errorf("caller %d: %v", i, a.err)
				}
			}
			if got := held(c.view().State, c.ada); got != "7" {
				t.Errorf("Ada holds %s; want 7", got)
			}
		})
	})
	t.Run("a panic while recording leaves no partial change", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			flying, waiting := c.asked(c.issue(c.ada, 1)), c.asked(c.issue(c.ada, 2))
			guilty := c.asked(unwritable(c))
			refused(t, (<-guilty).err, "internal")
			if a := <-flying; a.err != nil {
				t.Error(a.err)
			}
			refused(t, (<-waiting).err, messages.ErrUnavailable.Code) // its batch is tainted
			c.must(c.issue(c.ada, 4))
			if ada, bob := held(c.view().State, c.ada), held(c.view().State, c.bob); ada != "5" || bob != "0" {
				t.Errorf("Ada holds %s and Bob %s; want 5 and 0", ada, bob)
			}
		})
	})
	t.Run("a panic of a message that waits for a load answers its caller and keeps the others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.stop(c.Organizations)
			gate := make(chan struct{})
			c.store.beforeRow = func(messages.Row) error { <-gate; return nil }
			c.start()
			before, guilty, behind := c.asked(c.issue(c.ada, 1)), c.asked(boom(c)), c.asked(c.issue(c.ada, 2))
			close(gate)
			if a := <-guilty; a.took >= c.settings.Patience {
				t.Errorf("the caller was left to wait for %v", a.took)
			} else {
				refused(t, a.err, "internal")
			}
			for i, caller := range []<-chan answer{before, behind} {
				if a := <-caller; a.err != nil {
					t.Errorf("caller %d: %v after %v", i, a.err, a.took)
				}
			}
		})
	})
	t.Run("a panic while loading does not mix up two loads", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var bomb atomic.Bool
			c := setup(t, func(s *actors.Settings) {
				s.Now = func() time.Time {
					if bomb.Swap(false) {
						panic("the clock has stopped")
					}
					return time.Now()
				}
			})
			c.stop(c.Organizations)
			c.store.beforeRow = func(messages.Row) error { time.Sleep(time.Second); return nil }
			c.start()
			early := c.asked(c.issue(c.ada, 1))
			command := c.issue(c.ada, 2)
			bomb.Store(true)
			refused(t, (<-c.ask(command)).err, "internal")
			if a := <-early; a.err != nil {
				t.Errorf("%v after %v", a.err, a.took)
			}
			if n := c.Stats().Restarts; n != 1 {
				t.Errorf("%d restarts; want one: the first load is of no interest any more", n)
			}
		})
	})
	t.Run("an organization is served again after repeated panics, with the state of its journal", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			for range 20 {
				if _, err := c.do(boom(c)); err == nil {
					t.Fatal("no panic")
				}
			}
			waitUntilServed(t, c)
			same(t, c.view().State, c.store.replay(c.id))
		})
	})
}

func waitUntilServed(tb testing.TB, c *company) {
	tb.Helper()
	for range 100 {
		if _, err := c.do(c.issue(c.ada, 1)); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	tb.Fatal("the organization does not come back")
}

func TestCorruptJournal(t *testing.T) {
	t.Parallel()
	damage := func(c *company, spoil func(*messages.Row)) {
		c.stop(c.Organizations)
		rows := c.store.stored(c.id)
		spoil(&rows[len(rows)-1])
		c.store.mu.Lock()
		c.store.rows[c.id] = rows
		c.store.mu.Unlock()
		c.start()
		refused(c, (<-c.ask(c.issue(c.ada, 1))).err, messages.ErrDamaged.Code)
		if n := c.Stats().Damaged; n != 1 {
			c.Errorf("%d organizations are reported as damaged", n)
		}
		other := c.newID()
		c.must(c.create(other)) // other organizations are not affected
		c.store.mu.Lock()
		delete(c.store.rows, c.id) // excludes the damaged rows from verification
		c.store.mu.Unlock()
	}
	for name, spoil := range map[string]func(*messages.Row){
		"a chain that is broken":        func(r *messages.Row) { r.PreviousHash[0]++ },
		"a sequence that is missing":    func(r *messages.Row) { r.Sequence++ },
		"an event of another version":   func(r *messages.Row) { r.Type = "shareholdingTokenized" },
		"an event that cannot be read":  func(r *messages.Row) { r.Payload = []byte("{") },
		"an event that panics on apply": func(r *messages.Row) { r.Type, r.Payload = "securitySplit", []byte(`{"ratio":"x"}`) },
	} {
		t.Run(name+" ends neither the program nor the others", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { damage(setup(t), spoil) })
		})
	}
	t.Run("an event that panics on apply ends neither the program nor the others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.must(c.issue(c.ada, 1))
			damage(c, func(r *messages.Row) {
				id, _ := c.security.MarshalText()
				r.Type, r.Payload = "securitySplit", []byte(`{"id":"`+string(id)+`","ratio":{"numerator":"1","denominator":"0"}}`)
			})
		})
	})
}
