package admission_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/http/admission"
)

// offer sends a request every interval for the duration and returns the number of served requests, and of those among them that had waited.
func offer(q *admission.Queue, d, every time.Duration, service func() time.Duration) (int, int) {
	var mutex sync.Mutex
	served, waited := 0, 0
	for begin, i := time.Now(), 0; time.Since(begin) < d; i++ {
		go func() {
			arrived := time.Now()
			ticket, err := q.Enter(context.Background(), flow(strconv.Itoa(i%16), ""))
			if err != nil {
				return
			}
			defer ticket.Leave()
			mutex.Lock()
			served++
			if time.Since(arrived) > 0 {
				waited++
			}
			mutex.Unlock()
			time.Sleep(service())
		}()
		time.Sleep(every)
	}
	mutex.Lock()
	defer mutex.Unlock()
	return served, waited
}

// TestRequestsWaitAgainAfterASlowTime measures slow requests first. While all slots are taken and nothing waits, no request
// corrects the measurement unless one is let in.
func TestRequestsWaitAgainAfterASlowTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 4, Wait: wait, Standing: wait / 10})
		offer(q, 10*time.Second, 20*time.Millisecond, func() time.Duration { return 1200 * time.Millisecond })
		offer(q, 5*time.Second, 2*time.Millisecond, func() time.Duration { return 10 * time.Millisecond })
		if _, waited := offer(q, 5*time.Second, 2*time.Millisecond, func() time.Duration { return 10 * time.Millisecond }); waited == 0 {
			t.Error("no request was allowed to wait")
		}
		time.Sleep(time.Minute)
	})
}

// TestRequestsThatEndTogetherCountOneByOne ends all requests of a batch in the same moment, as a commit does. 100 ms of the work
// of the server, 53 requests, may wait.
func TestRequestsThatEndTogetherCountOneByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 64, Wait: wait, Standing: wait / 10})
		const batch = 120 * time.Millisecond
		begin := time.Now()
		served, waited := offer(q, 20*time.Second, time.Millisecond/2, func() time.Duration { return batch - time.Since(begin)%batch })
		if waited < served/2 {
			t.Errorf("%d of %d served requests waited", waited, served)
		}
		time.Sleep(time.Minute)
	})
}

func TestRefuseAgreesWithEnterWhileNothingWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := standing()
		offer(q, 10*time.Second, 20*time.Millisecond, func() time.Duration { return wait })
		time.Sleep(time.Minute)
		enter(t, q, flow("a", ""))
		_, refusedAtArrival := q.Refuse(flow("b", ""))
		begin := time.Now()
		_, err := q.Enter(t.Context(), flow("b", ""))
		if atArrival := time.Since(begin) == 0; !refused(err) || atArrival != refusedAtArrival {
			t.Errorf("Refuse %t, Enter %v after %s", refusedAtArrival, err, time.Since(begin))
		}
	})
}

// TestNumberOfWaitingRequestsIsBounded sends a burst before the rate of the server is known.
func TestNumberOfWaitingRequestsIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Waiting: 8})
		enter(t, q, flow("first", ""))
		for i := range 100 {
			go func() { _, _ = q.Enter(t.Context(), flow(strconv.Itoa(i), "")) }()
		}
		synctest.Wait()
		if waiting := q.Stats().Waiting; waiting != 8 {
			t.Errorf("%d requests wait, not 8", waiting)
		}
		time.Sleep(time.Minute)
	})
}

func TestBurstOfOneGroupLeavesPlacesInTheQueueToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Waiting: 8})
		enter(t, q, flow("first", ""))
		for i := range 100 {
			go func() { _, _ = q.Enter(t.Context(), flow("crowd", strconv.Itoa(i))) }()
		}
		synctest.Wait()
		begin := time.Now()
		_, err := q.Enter(t.Context(), flow("other", ""))
		if !refused(err) || time.Since(begin) == 0 {
			t.Errorf("another group: %v after %s, instead of a wait", err, time.Since(begin))
		}
	})
}

func TestBodiesOfWaitingRequestsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := admission.New(admission.Settings{Parallel: 1, Wait: wait, Bytes: 8 << 10})
		enter(t, q, flow("first", ""))
		for i := range 100 {
			go func() { _, _ = q.EnterWith(t.Context(), flow(strconv.Itoa(i), ""), 1<<10) }()
		}
		synctest.Wait()
		if waiting := q.Stats().Waiting; waiting != 8 {
			t.Errorf("%d requests with bodies of 1 KB wait, not 8", waiting)
		}
		time.Sleep(time.Minute)
	})
}
