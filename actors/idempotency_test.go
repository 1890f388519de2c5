package actors_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// alike checks that two replies have equal sequence, events and result.
func alike(tb testing.TB, got, want messages.Reply) {
	tb.Helper()
	text := func(reply messages.Reply) string {
		written, err := json.MarshalIndent([]any{reply.Sequence, reply.Events, reply.Result}, "", " ")
		if err != nil {
			tb.Fatal(err)
		}
		return string(written)
	}
	if text(got) != text(want) {
		tb.Errorf("the answer is\n%s\nand was\n%s", text(got), text(want))
	}
}

// again repeats the command and compares the answer with the first one.
func (c *company) again(command messages.Command, first messages.Reply) {
	c.Helper()
	before := c.store.head(c.id)
	reply := c.must(command)
	alike(c, reply, first)
	if !reply.Replayed {
		c.Error("the answer does not say that it is a repetition")
	}
	if head := c.store.head(c.id); head != before {
		c.Errorf("the repetition was recorded: the journal went from %d to %d", before, head)
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	claims := map[string]func(*company){
		"the same request gets the same answer": func(c *company) {
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first := c.must(command)
			c.again(command, first)
			c.must(c.transfer(holding(c, first).ID, c.bob, 5))
			c.again(command, first) // with the records of that time
		},
		"the same request gets the same answer after a restart": func(c *company) {
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first := c.must(command)
			c.must(c.transfer(holding(c, first).ID, c.bob, 5))
			c.restart()
			c.again(command, first)
			c.again(command, first)
		},
		"a command of several events is answered completely after a restart": func(c *company) {
			id := c.newID()
			command := keyed(c.create(id), "k", "body")
			first := c.must(command)
			c.restart()
			again := c.must(command)
			alike(c, again, first)
		},
		"the same request gets the same answer when many others came since": func(c *company) {
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first := c.must(command)
			for i := range 300 { // more than the replies kept in memory
				c.must(keyed(c.issue(c.bob, 1), fmt.Sprint("other", i), "body"))
			}
			c.again(command, first)
		},
		"another request with the key is refused": func(c *company) {
			c.must(keyed(c.issue(c.ada, 5), "k", "body"))
			_, err := c.do(keyed(c.issue(c.ada, 6), "k", "another body"))
			refused(c, err, messages.ErrKeyReused.Code)
			c.restart()
			_, err = c.do(keyed(c.issue(c.ada, 6), "k", "another body"))
			refused(c, err, messages.ErrKeyReused.Code)
		},
		"the key of a refused command is free": func(c *company) {
			_, err := c.do(keyed(c.issue(c.ada, 2*authorized), "k", "body"))
			refused(c, err, fault.InsufficientShares)
			if reply := c.must(keyed(c.issue(c.ada, 5), "k", "another body")); reply.Replayed {
				c.Error("the answer claims to be a repetition")
			}
		},
		"the key of a dry run is free": func(c *company) {
			trial := keyed(c.issue(c.ada, 5), "k", "body")
			trial.DryRun = true
			if _, err := c.do(trial); err != nil {
				c.Fatal(err)
			}
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first := c.must(command)
			if first.Replayed {
				c.Error("the answer claims to be a repetition")
			}
			if reply, err := c.do(trial); err != nil || reply.Replayed {
				c.Errorf("the dry run of a stored request gave %+v, %v", reply, err)
			}
		},
		"a key that was forgotten may be used again": func(c *company) {
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first := c.must(command)
			time.Sleep(c.settings.RememberKeys + time.Second)
			c.must(c.issue(c.ada, 1)) // advances the time of the journal
			time.Sleep(3 * c.settings.PassivateAfter)
			if second := c.must(command); second.Replayed || second.Sequence != first.Sequence+2 {
				c.Errorf("a day later: %+v", second)
			}
			c.restart()
			if third := c.must(command); !third.Replayed || third.Sequence != first.Sequence+2 || len(third.Events) != 1 {
				c.Errorf("the repetition of the second use: %+v", third)
			}
		},
	}
	for name, run := range claims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { run(setup(t)) })
		})
	}
}

func TestIdempotencyKeyOfBusyOrganization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // keys expire although the organization stays in memory
		c := setup(t, func(s *actors.Settings) { s.RememberKeys = time.Hour })
		command := keyed(c.issue(c.ada, 5), "k", "body")
		first := c.must(command)
		const others = 1300 // the keys of the last thousand rows do not expire
		for range others {
			time.Sleep(6 * time.Second)
			c.must(c.issue(c.ada, 1))
		}
		if second := c.must(command); second.Replayed || second.Sequence != first.Sequence+others+1 {
			t.Errorf("after its time: %+v", second)
		}
		c.again(command, c.must(command))
	})
}

func TestIdempotencyKeyWhilePending(t *testing.T) {
	t.Parallel()
	t.Run("the repetition waits for the first request and gets its answer", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			before := c.store.head(c.id)
			command := keyed(c.issue(c.ada, 5), "k", "body")
			first, second := c.asked(command), c.asked(command)
			other := c.asked(keyed(c.issue(c.ada, 6), "k", "another body"))
			a, b, third := <-first, <-second, <-other
			if a.err != nil || b.err != nil || a.took != latency || b.took != latency {
				t.Errorf("answered after %v and %v with %v and %v", a.took, b.took, a.err, b.err)
			}
			alike(t, b.Reply, a.Reply)
			refused(t, third.err, messages.ErrKeyReused.Code)
			if c.store.head(c.id) != before+1 {
				t.Errorf("the journal grew by %d", c.store.head(c.id)-before)
			}
		})
	})
	for name, test := range map[string]struct {
		met   failure
		code  fault.Code
		again bool
	}{
		"refused":                  {refuse, messages.ErrUnavailable.Code, false},
		"lost":                     {lose, messages.ErrOutcomeUnknown.Code, false},
		"stored without an answer": {land, messages.ErrOutcomeUnknown.Code, true},
	} {
		t.Run("if the first append was "+name+", both requests fail, and a retry has one effect", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				before := c.store.head(c.id)
				c.store.meet(test.met)
				command := keyed(c.issue(c.ada, 5), "k", "body")
				first, second := c.asked(command), c.asked(command)
				refused(t, (<-first).err, test.code)
				refused(t, (<-second).err, test.code)
				if reply := c.must(command); reply.Replayed != test.again || reply.Sequence != before+1 {
					t.Errorf("the third request got %+v", reply)
				}
				if got := held(c.view().State, c.ada); got != "5" {
					t.Errorf("Ada holds %s shares; want 5", got)
				}
			})
		})
	}
}

func TestIdempotencyOfProfile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // an event without records
		c := setup(t)
		command := keyed(c.command(organization.Amend{Patch: []byte(`{"name":"Acme Ltd"}`)}), "k", "body")
		first := c.must(command)
		c.restart()
		c.again(command, first)
	})
}
