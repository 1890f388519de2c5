package admission_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/http/admission"
)

const wait = time.Second

func setup(parallel int) *admission.Queue {
	return admission.New(admission.Settings{Parallel: parallel, Wait: wait})
}

func flow(group, caller string) admission.Flow { return admission.Flow{Group: group, Caller: caller} }

// enter takes a slot and fails the test on an error.
func enter(t *testing.T, q *admission.Queue, f admission.Flow) *admission.Ticket {
	t.Helper()
	ticket, err := q.Enter(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func refused(err error) bool {
	_, is := errors.AsType[*admission.RefusalError](err)
	return is
}

// background enters in a new goroutine and appends the name of the flow after its admission.
func background(t *testing.T, q *admission.Queue, f admission.Flow, order *[]string) {
	t.Helper()
	go func() {
		ticket, err := q.Enter(t.Context(), f)
		if err != nil {
			return
		}
		*order = append(*order, f.Group+f.Caller)
		ticket.Leave()
	}()
	synctest.Wait()
}

func TestFreeSlotIsTakenAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		enter(t, setup(4), flow("a", "1"))
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestWaitBeyondTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		enter(t, q, flow("a", "1"))
		begin := time.Now()
		_, err := q.Enter(t.Context(), flow("b", "2"))
		if waited := time.Since(begin); !refused(err) || waited != wait {
			t.Errorf("%v after %s, not a refusal after %s", err, waited, wait)
		}
	})
}

func TestLongQueueIsRefusedAtArrival(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		const service = 300 * time.Millisecond
		var refusals, late int
		var mutex sync.Mutex
		for i := range 12 { // each takes 300 ms, so that three may wait
			go func() {
				begin := time.Now()
				ticket, err := q.Enter(t.Context(), flow(strconv.Itoa(i), ""))
				if err == nil {
					time.Sleep(service)
					ticket.Leave()
					return
				}
				mutex.Lock()
				defer mutex.Unlock()
				refusals++
				if time.Since(begin) > 0 {
					late++
				}
			}()
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if refusals == 0 || late > 3 {
			t.Errorf("%d of 12 were refused, %d of them late; the later ones should be refused at arrival", refusals, late)
		}
	})
}

func TestGroupsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		first := enter(t, q, flow("first", ""))
		var order []string
		for range 3 {
			background(t, q, flow("a", "1"), &order)
		}
		background(t, q, flow("b", "1"), &order)
		first.Leave()
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[a1 b1 a1 a1]" {
			t.Errorf("served %s", got)
		}
	})
}

func TestCallersOfAGroupTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		first := enter(t, q, flow("first", ""))
		var order []string
		for range 3 {
			background(t, q, flow("a", "1"), &order)
		}
		background(t, q, flow("a", "2"), &order)
		first.Leave()
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[a1 a2 a1 a1]" {
			t.Errorf("served %s", got)
		}
	})
}

func TestStuckGroupLeavesSlotsToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(8)
		for i := range 20 {
			go func() { _, _ = q.Enter(t.Context(), flow("stuck", strconv.Itoa(i))) }()
		}
		synctest.Wait()
		begin := time.Now()
		enter(t, q, flow("other", "1"))
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("another organization waited %s", waited)
		}
	})
}

func TestStuckCallerLeavesSlotsToOthersOfTheGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(8)
		for range 20 {
			go func() { _, _ = q.Enter(t.Context(), flow("a", "stuck")) }()
		}
		synctest.Wait()
		begin := time.Now()
		enter(t, q, flow("a", "other"))
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("another caller waited %s", waited)
		}
	})
}

func TestRequestOfACallerWhoLeftIsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		enter(t, q, flow("a", "1"))
		ctx, leave := context.WithCancel(t.Context())
		go func() { _, _ = q.Enter(ctx, flow("b", "1")) }()
		synctest.Wait()
		leave()
		synctest.Wait()
		if waiting := q.Stats().Waiting; waiting != 0 {
			t.Errorf("%d requests wait", waiting)
		}
	})
}

func TestWaitAsideLendsTheSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		ticket := enter(t, q, flow("a", "1"))
		err := admission.WaitWithoutSlot(admission.NewContext(t.Context(), ticket), func() error {
			other, err := q.Enter(t.Context(), flow("b", "1"))
			other.Leave()
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestSlotIsHeldAgainAfterAWaitAside(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(1)
		ticket := enter(t, q, flow("a", "1"))
		_ = admission.WaitWithoutSlot(admission.NewContext(t.Context(), ticket), func() error { return nil })
		if running := q.Stats().Running; running != 1 {
			t.Errorf("%d slots are held", running)
		}
	})
}

func TestSlotIsReturnedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := setup(2)
		enter(t, q, flow("a", "1"))
		ticket := enter(t, q, flow("b", "1"))
		ticket.Leave()
		ticket.Leave()
		if running := q.Stats().Running; running != 1 {
			t.Errorf("%d slots are held", running)
		}
	})
}

// crowd offers more requests than the queue can serve. It returns the longest wait of the admitted requests that
// arrived in the second half of the time, when the queue is standing, and the number of served requests.
func crowd(q *admission.Queue, d time.Duration) (longest time.Duration, served int) {
	const service, every = 10 * time.Millisecond, 2 * time.Millisecond
	var mutex sync.Mutex
	begin := time.Now()
	for i := 0; time.Since(begin) < d; i++ {
		go func() {
			arrived := time.Now()
			ticket, err := q.Enter(context.Background(), flow(strconv.Itoa(i%8), ""))
			if err != nil {
				return
			}
			waited := time.Since(arrived)
			time.Sleep(service)
			ticket.Leave()
			mutex.Lock()
			defer mutex.Unlock()
			served++
			if arrived.Sub(begin) > d/2 {
				longest = max(longest, waited)
			}
		}()
		time.Sleep(every)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	return longest, served
}

func standing() *admission.Queue {
	return admission.New(admission.Settings{Parallel: 1, Wait: wait, Standing: wait / 10})
}

func TestStandingQueueIsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if longest, _ := crowd(standing(), 20*time.Second); longest > wait/2 { // the estimate on arrival does not include flows that arrive later
			t.Errorf("a request waited %s in a lasting overload", longest)
		}
	})
}

func TestStandingQueueKeepsTheServerBusy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if _, served := crowd(standing(), 20*time.Second); served < 1990 { // 2,000 requests fit into the time
			t.Errorf("%d requests were served", served)
		}
	})
}

func TestBurstWaitsUpToTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := standing()
		var served sync.WaitGroup
		var count atomic.Int64
		for i := range 30 { // takes 900 ms in total
			served.Go(func() {
				ticket, err := q.Enter(t.Context(), flow(strconv.Itoa(i), ""))
				if err != nil {
					return
				}
				time.Sleep(wait * 3 / 100)
				ticket.Leave()
				count.Add(1)
			})
		}
		served.Wait()
		if count.Load() != 30 {
			t.Errorf("%d of a burst of 30 requests were served", count.Load())
		}
	})
}

func TestRefuseAgreesWithEnter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := standing()
		go func() { _, _ = crowd(q, 20*time.Second) }()
		time.Sleep(10*time.Second + time.Millisecond)
		for i := range 200 {
			f := flow(strconv.Itoa(i%10), strconv.Itoa(i%3))
			_, refusedAtArrival := q.Refuse(f)
			begin := time.Now()
			ticket, err := q.Enter(t.Context(), f)
			ticket.Leave()
			if refusedAtArrival != (refused(err) && time.Since(begin) == 0) {
				t.Fatalf("request %d: Refuse %t, Enter %v after %s", i, refusedAtArrival, err, time.Since(begin))
			}
		}
		time.Sleep(2 * time.Minute)
	})
}

// TestIdleQueueRemembersNothing checks that no groups remain after random loads.
func TestIdleQueueRemembersNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			q := setup(1 + random.IntN(6))
			for range 300 {
				f := flow(strconv.Itoa(random.IntN(4)), strconv.Itoa(random.IntN(3)))
				service, patience := time.Duration(random.IntN(200))*time.Millisecond, time.Duration(random.IntN(2000))*time.Millisecond
				aside := random.IntN(4) == 0
				go func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					ticket, err := q.Enter(ctx, f)
					if err != nil {
						return
					}
					defer ticket.Leave()
					time.Sleep(service)
					if aside {
						_ = admission.WaitWithoutSlot(admission.NewContext(ctx, ticket), func() error { time.Sleep(service); return nil })
					}
				}()
				time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if stats := q.Stats(); stats.Running != 0 || stats.Waiting != 0 || q.Groups() != 0 {
				t.Errorf("seed %d: %+v, %d groups", seed, stats, q.Groups())
			}
		})
	}
}

// TestSlotsAreNeverExceeded counts the requests that run concurrently.
func TestSlotsAreNeverExceeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const parallel = 5
		q := setup(parallel)
		var mutex sync.Mutex
		running, most := 0, 0
		for i := range 200 {
			go func() {
				ticket, err := q.Enter(t.Context(), flow(strconv.Itoa(i%7), strconv.Itoa(i%3)))
				if err != nil {
					return
				}
				mutex.Lock()
				running++
				most = max(most, running)
				mutex.Unlock()
				time.Sleep(10 * time.Millisecond)
				mutex.Lock()
				running--
				mutex.Unlock()
				ticket.Leave()
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if most != parallel {
			t.Errorf("%d ran at a time, not %d", most, parallel)
		}
	})
}

func TestRequestIsAloneWithoutOthers(t *testing.T) {
	t.Parallel()
	queue := admission.New(admission.Settings{Parallel: 4, Wait: time.Second})
	if admission.IsAlone(t.Context()) {
		t.Error("a call without a slot is alone")
	}
	first, err := queue.Enter(t.Context(), admission.Flow{Group: "a", Caller: "a"})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Leave()
	ctx := admission.NewContext(t.Context(), first)
	if !admission.IsAlone(ctx) {
		t.Error("the only request is not alone")
	}
	second, err := queue.Enter(t.Context(), admission.Flow{Group: "b", Caller: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if admission.IsAlone(ctx) {
		t.Error("a request beside another one is alone")
	}
	second.Leave()
	if !admission.IsAlone(ctx) {
		t.Error("a request is not alone after the end of the other one")
	}
}
