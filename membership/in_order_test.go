package membership_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/membership"
)

// reads counts the reads of numbers, each of which takes the given time of the fake clock.
type reads struct {
	started, running, most atomic.Int64
	took                   func(item int) time.Duration
	outcome                func(item int) error
}

func (r *reads) read(ctx context.Context, item int) (int, error) {
	r.started.Add(1)
	running := r.running.Add(1)
	defer r.running.Add(-1)
	for most := r.most.Load(); running > most && !r.most.CompareAndSwap(most, running); most = r.most.Load() {
	}
	select {
	case <-time.After(r.took(item)):
		return 10 * item, r.outcome(item)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// run reads the numbers below n, three at the same time, and returns the results and the error.
func (r *reads) run(ctx context.Context, n int) (results []int, err error) {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	for result, err := range membership.InOrder(ctx, 3, items, r.read) {
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
	return results, nil
}

func equallyLong(int) time.Duration { return time.Second }

func succeeds(int) error { return nil }

func TestReadsInOrderAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, begin := &reads{took: equallyLong, outcome: succeeds}, time.Now()
		if _, err := r.run(t.Context(), 9); err != nil {
			t.Fatal(err)
		}
		if most, took := r.most.Load(), time.Since(begin); most != 3 || took != 3*time.Second {
			t.Errorf("%d reads at the same time, %s in total; want 3 and 3s", most, took)
		}
	})
}

func TestReadsInOrderKeepTheOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &reads{took: func(item int) time.Duration { return time.Duration(7-item) * time.Second }, outcome: succeeds}
		results, err := r.run(t.Context(), 7)
		if want := []int{0, 10, 20, 30, 40, 50, 60}; err != nil || !slices.Equal(results, want) {
			t.Errorf("%v %v, want %v", results, err, want)
		}
	})
}

var (
	errEarly = errors.New("early in the list, late in time")
	errLate  = errors.New("late in the list, early in time")
)

func TestReadsInOrderEndAtTheFirstError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &reads{
			took: func(item int) time.Duration { return time.Duration(10-item) * time.Second },
			outcome: func(item int) error {
				return map[int]error{2: errEarly, 3: errLate, 4: errLate}[item]
			},
		}
		results, err := r.run(t.Context(), 100)
		if !errors.Is(err, errEarly) || !slices.Equal(results, []int{0, 10}) {
			t.Errorf("%v %v", results, err)
		}
		if started, running := r.started.Load(), r.running.Load(); started > 5 || running != 0 {
			t.Errorf("%d reads were started, %d still run", started, running)
		}
	})
}

func TestReadsInOrderEndWithTheLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &reads{took: equallyLong, outcome: succeeds}
		for _, err := range membership.InOrder(t.Context(), 3, make([]int, 100), r.read) {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if started, running := r.started.Load(), r.running.Load(); started != 3 || running != 0 {
			t.Errorf("%d reads were started, %d still run", started, running)
		}
	})
}

func TestPanicOfAReadInOrderIsAnError(t *testing.T) {
	t.Parallel()
	r := &reads{took: func(int) time.Duration { return 0 }, outcome: func(int) error { panic("broken promise") }}
	if _, err := r.run(t.Context(), 4); err == nil || !strings.Contains(err.Error(), "broken promise") {
		t.Errorf("the error is %v", err)
	}
}
