package consumer_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors/consumer"
)

// taken takes slots until none is free, and returns their number.
func taken(t *testing.T, slots *consumer.Slots) (number int) {
	t.Helper()
	const soon = 50 * time.Millisecond
	for {
		ctx, cancel := context.WithTimeout(t.Context(), soon)
		leave, err := slots.Enter(ctx, time.Hour)
		cancel()
		if err != nil {
			return number
		}
		t.Cleanup(leave)
		number++
	}
}

func TestRequestsReduceTheSlotsDownToOne(t *testing.T) {
	t.Parallel()
	last := 1000
	for _, requests := range []int{0, runtime.GOMAXPROCS(0), 3 * runtime.GOMAXPROCS(0), 4 * runtime.GOMAXPROCS(0), 1_000_000} {
		slots := consumer.NewSlots(time.Now)
		slots.Follow(func() int { return requests / 2 })
		slots.Follow(func() int { return requests - requests/2 })
		number := taken(t, slots)
		if number < 1 || number > last || (requests >= 4*runtime.GOMAXPROCS(0)) != (number == 1) {
			t.Errorf("%d slots with %d requests, %d with fewer", number, requests, last)
		}
		last = number
	}
}

func TestSlotIsReturnedDuringALongWait(t *testing.T) {
	t.Parallel()
	slots := consumer.NewSlots(time.Now)
	slots.Follow(func() int { return 1_000_000 })
	held, err := slots.Enter(t.Context(), consumer.AnswerTime)
	if err != nil {
		t.Fatal(err)
	}
	next, err := slots.Enter(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	held() // must not free the slot of the next one
	if number := taken(t, slots); number != 0 {
		t.Errorf("%d slots beside the only one", number)
	}
	next()
}

func TestSlotsAreGivenInTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	slots, order, ended := consumer.NewSlots(time.Now), make(chan int, 3), atomic.Int64{}
	slots.Follow(func() int { return 1_000_000 })
	leave, err := slots.Enter(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	left, cancel := context.WithCancel(t.Context())
	for i := range 3 {
		ctx := t.Context()
		if i == 1 {
			ctx = left
		}
		go func() {
			leave, err := slots.Enter(ctx, time.Hour)
			if errors.Is(err, context.Canceled) {
				ended.Add(1)
				return
			}
			order <- i
			leave()
		}()
		<-time.After(20 * time.Millisecond) // until it waits
	}
	cancel()
	<-time.After(20 * time.Millisecond)
	leave()
	if first, second := <-order, <-order; first != 0 || second != 2 || ended.Load() != 1 {
		t.Errorf("%d, then %d; %d ended", first, second, ended.Load())
	}
}

func TestOnlySlotRestsBetweenEffectsWhileRequestsCrowd(t *testing.T) {
	t.Parallel()
	slots := consumer.NewSlots(time.Now)
	slots.Follow(func() int { return 1_000_000 })
	leave, err := slots.Enter(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	const held = 100 * time.Millisecond
	<-time.After(held)
	leave()
	returned := time.Now()
	next, err := slots.Enter(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	next()
	if rested := time.Since(returned); rested < held/2 {
		t.Errorf("the slot rested for %s", rested)
	}
}
