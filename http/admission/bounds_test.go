package admission_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/http/admission"
)

// wide returns a queue with enough slots for every request and with the bounds on open tickets.
func wide(bounds admission.Bounds) *admission.Queue {
	return admission.New(admission.Settings{Parallel: 100, Wait: wait, Open: bounds})
}

func TestTicketsBeyondABoundAreRefusedAtArrival(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		bounds        admission.Bounds
		first, second admission.Flow
	}{
		"in total":                 {admission.Bounds{All: 1}, flow("a", "1"), flow("b", "2")},
		"of a group":               {admission.Bounds{Group: 1}, flow("a", "1"), flow("a", "2")},
		"of a caller":              {admission.Bounds{Caller: 1}, flow("a", "1"), flow("a", "1")},
		"of a caller in any group": {admission.Bounds{Caller: 1}, flow("a", "1"), flow("b", "1")},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := wide(c.bounds)
				enter(t, q, c.first)
				begin := time.Now()
				_, err := q.Enter(t.Context(), c.second)
				if waited := time.Since(begin); !refused(err) || waited != 0 {
					t.Errorf("%v after %s", err, waited)
				}
			})
		})
	}
}

func TestBoundsOfOneGroupLeaveTheOthersAlone(t *testing.T) {
	t.Parallel()
	q := wide(admission.Bounds{Group: 1, Caller: 1})
	enter(t, q, flow("a", "1"))
	enter(t, q, flow("b", "2"))
}

func TestTicketThatLentItsSlotIsOpen(t *testing.T) {
	t.Parallel()
	q := wide(admission.Bounds{Caller: 1})
	enter(t, q, flow("a", "1")).Release()
	if _, err := q.Enter(t.Context(), flow("a", "1")); !refused(err) {
		t.Errorf("got %v", err)
	}
}

func TestTicketThatWaitsIsOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Patient: true, Open: admission.Bounds{All: 2}})
		enter(t, q, flow("a", "1"))
		go func() { _, _ = q.Enter(t.Context(), flow("b", "1")) }()
		synctest.Wait()
		begin := time.Now()
		_, err := q.Enter(t.Context(), flow("c", "1"))
		if waited := time.Since(begin); !refused(err) || waited != 0 {
			t.Errorf("%v after %s", err, waited)
		}
	})
}

func TestReturnedTicketIsNotOpen(t *testing.T) {
	t.Parallel()
	q := wide(admission.Bounds{All: 1, Group: 1, Caller: 1})
	for range 3 {
		ticket := enter(t, q, flow("a", "1"))
		ticket.Release()
		ticket.Leave()
		ticket.Leave()
	}
}

func TestRequestThatGotNoSlotIsNotOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Open: admission.Bounds{Group: 1}})
		first := enter(t, q, flow("a", "1"))
		for range 2 {
			if _, err := q.Enter(t.Context(), flow("b", "1")); !refused(err) {
				t.Errorf("got %v", err)
			}
		}
		first.Leave()
		enter(t, q, flow("b", "1"))
	})
}

func TestWithoutAWaitARequestThatFindsNoSlotIsRefusedAtArrival(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 3, PerGroup: 1})
		enter(t, q, flow("a", "1"))
		begin := time.Now()
		_, err := q.Enter(t.Context(), flow("a", "1"))
		if waited := time.Since(begin); !refused(err) || waited != 0 {
			t.Errorf("%v after %s", err, waited)
		}
		enter(t, q, flow("b", "1"))
	})
}

func TestReturningRequestWaitsForItsSlotBeyondTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Returning: true})
		ticket := enter(t, q, flow("a", "1"))
		ticket.Release()
		other := enter(t, q, flow("b", "1"))
		go func() { time.Sleep(10 * wait); other.Leave() }()
		begin := time.Now()
		if err := ticket.Resume(t.Context()); err != nil || time.Since(begin) != 10*wait {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
	})
}

func TestReturningRequestEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Returning: true})
		ticket := enter(t, q, flow("a", "1"))
		ticket.Release()
		enter(t, q, flow("b", "1"))
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		if err := ticket.Resume(ctx); err == nil || refused(err) {
			t.Errorf("got %v", err)
		}
	})
}

func TestGroupMayHoldEverySlotIfItsLimitAllows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 4, PerGroup: 4, PerCaller: 4, Wait: wait})
		begin := time.Now()
		for range 4 {
			enter(t, q, flow("a", "1"))
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("waited %s", waited)
		}
	})
}
