package simulation_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/organization"
)

// serve lets all accesses succeed except those that break selects, whose answers are lost, until the condition holds.
func (w *world) serve(t *testing.T, breaks func(*access) bool, until func() bool) {
	t.Helper()
	for range 2000 {
		if w.settle(); until() {
			return
		}
		if len(w.accesses) == 0 {
			if !w.deliver() {
				w.pass(time.Second)
			}
			continue
		}
		a := w.accesses[0]
		w.accesses = slices.Delete(w.accesses, 0, 1)
		if breaks(a) {
			_ = a.effect()
			a.fail(errBroken)
			continue
		}
		w.decide(a)
	}
	t.Fatal("the condition does not hold in time")
}

// issues sends issues of shares to the only node, and waits for their acknowledgements.
func (w *world) issues(t *testing.T, number int, breaks func(*access) bool) {
	t.Helper()
	for range number {
		op := &operation{client: &client{}, number: len(w.operations) + 1, organization: w.organizations[0], body: organization.Table{
			Command: captable.IssueShareholding{
				HolderRef: captable.HolderRef{Entity: w.holders[0]}, Security: w.security, Shares: exact.NewDecimal(1), IssueDate: day(),
			},
		}}
		w.operations = append(w.operations, op)
		w.requestAt(op, w.servers[0])
		w.serve(t, breaks, func() bool { return op.done })
		if got := op.latest().outcome; got != done {
			t.Fatalf("issue %d: %s", op.number, got)
		}
	}
}

func TestConsumerGetsItsStatesAfterATornRead(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(plan{
			Servers: 1, Organizations: 1, Consumers: true, Passivate: time.Hour, Patience: time.Minute, SnapshotEvery: 1000,
		}, r.founding, r.system, none)
		w.healed = true
		w.start(0)
		defer w.end()
		intact := func(*access) bool { return false }
		w.issues(t, 1, intact)
		w.serve(t, intact, func() bool { return w.missing() == "" })
		copies, reads := 0, 0
		w.issues(t, 1, func(a *access) bool { // the consumer waits, and reads the next events from the journal
			failed := copies == 0 && strings.HasPrefix(a.text, "copy")
			if failed {
				copies++
			}
			return failed
		})
		w.issues(t, 3, intact)
		w.serve(t, func(a *access) bool {
			torn := reads < 2 && strings.HasPrefix(a.text, "scan")
			if torn {
				reads++
			}
			return torn
		}, func() bool { return reads == 2 && w.missing() == "" })
		if w.violation != nil {
			t.Error(w.violation)
		}
	})
}
