package consumer_test

import (
	"errors"
	"testing"
	"time"

	"equity/actors/consumer"
)

var errCall = errors.New("connection refused")

// breakers returns closed breakers and their clock, which stands still unless the test moves it.
func breakers() (*consumer.Breakers, *time.Time) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return consumer.NewBreakers(func() time.Time { return now }), &now
}

// call makes a call with the outcome, and reports whether the breaker allowed it.
func call(t *testing.T, b *consumer.Breakers, host string, outcome error) bool {
	t.Helper()
	done, err := b.Allow(host)
	if err != nil {
		if !errors.Is(err, consumer.ErrOpen) {
			t.Fatal(err)
		}
		return false
	}
	done(outcome)
	return true
}

// fail makes failing calls to a.example.
func fail(t *testing.T, b *consumer.Breakers, times int) {
	t.Helper()
	for range times {
		if !call(t, b, "a.example", errCall) {
			t.Fatal("the breaker opened early")
		}
	}
}

func TestBreakerOpensAfterFiveFailures(t *testing.T) {
	t.Parallel()
	b, _ := breakers()
	fail(t, b, 5)
	if call(t, b, "a.example", nil) {
		t.Error("a call was allowed")
	}
}

func TestBreakerOfOneHostLeavesOthersClosed(t *testing.T) {
	t.Parallel()
	b, _ := breakers()
	fail(t, b, 5)
	if !call(t, b, "b.example", nil) {
		t.Error("a call to another host was refused")
	}
}

func TestBreakerForgetsOldFailures(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 4)
	*now = now.Add(31 * time.Second)
	fail(t, b, 4)
	if !call(t, b, "a.example", nil) {
		t.Error("failures of different windows opened the breaker")
	}
}

func TestSuccessEndsTheCountOfFailures(t *testing.T) {
	t.Parallel()
	b, _ := breakers()
	fail(t, b, 4)
	call(t, b, "a.example", nil)
	fail(t, b, 4)
	if !call(t, b, "a.example", nil) {
		t.Error("failures before a success opened the breaker")
	}
}

func TestSuccessOfAnEarlierCallClosesTheBreaker(t *testing.T) {
	t.Parallel()
	b, _ := breakers()
	done, err := b.Allow("a.example")
	if err != nil {
		t.Fatal(err)
	}
	fail(t, b, 5)
	done(nil)
	if until := b.OpenUntil("a.example"); !until.IsZero() || !call(t, b, "a.example", nil) {
		t.Errorf("the breaker is open until %s", until)
	}
}

func TestFailuresOfSlowCallsOpenTheBreaker(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	for range 2 {
		var calls []func(error)
		for range 4 {
			done, err := b.Allow("a.example")
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, done)
		}
		*now = now.Add(40 * time.Second)
		for _, done := range calls {
			done(errCall)
		}
	}
	if want := now.Add(30 * time.Second); !b.OpenUntil("a.example").Equal(want) {
		t.Errorf("open until %s instead of %s", b.OpenUntil("a.example"), want)
	}
}

func TestBreakerAllowsOneProbe(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 5)
	*now = now.Add(30 * time.Second)
	if _, err := b.Allow("a.example"); err != nil {
		t.Fatalf("the probe was refused: %v", err)
	}
	if call(t, b, "a.example", nil) {
		t.Error("a second call was allowed during the probe")
	}
}

func TestBreakerReplacesALostProbe(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 5)
	*now = now.Add(30 * time.Second)
	if _, err := b.Allow("a.example"); err != nil { // its outcome is never reported
		t.Fatal(err)
	}
	*now = now.Add(30 * time.Second)
	if !call(t, b, "a.example", nil) {
		t.Error("no second probe was allowed")
	}
}

func TestBreakerClosesAfterASuccessfulProbe(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 5)
	*now = now.Add(30 * time.Second)
	if !call(t, b, "a.example", nil) || !call(t, b, "a.example", errCall) || !call(t, b, "a.example", nil) {
		t.Error("calls were refused after a success")
	}
}

func TestBreakerOpensAgainAfterAFailedProbe(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 5)
	*now = now.Add(30 * time.Second)
	fail(t, b, 1)
	*now = now.Add(29 * time.Second)
	if call(t, b, "a.example", nil) {
		t.Error("a call was allowed before the time of the next probe")
	}
}
