package consumer_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"equity/actors/consumer"
)

func TestDelayStaysBelowItsBound(t *testing.T) {
	t.Parallel()
	for failures, bound := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: 256 * time.Second, 10: 5 * time.Minute,
		1000: 5 * time.Minute,
	} {
		for range 1000 {
			if delay := consumer.Delay(failures); delay <= 0 || delay > bound {
				t.Fatalf("%v after %d failures, above %v", delay, failures, bound)
			}
		}
	}
}

func TestDelayUsesItsWholeRange(t *testing.T) {
	t.Parallel()
	least, most := time.Hour, time.Duration(0)
	for range 1000 {
		delay := consumer.Delay(10)
		least, most = min(least, delay), max(most, delay)
	}
	if least > 30*time.Second || most < 4*time.Minute+30*time.Second {
		t.Errorf("1000 delays between %v and %v", least, most)
	}
}

func TestRetryAfterReadsSecondsAndDates(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                              {},
		"0":                             now,
		"120":                           now.Add(2 * time.Minute),
		"-1":                            {},
		"soon":                          {},
		"99999999":                      now.Add(24 * time.Hour),
		"9223372036854775807":           now.Add(24 * time.Hour),
		"Fri, 02 Jan 2026 04:04:05 GMT": now.Add(time.Hour),
		"Fri, 02 Jan 2026 02:04:05 GMT": {},
		"Sat, 02 Jan 2027 04:04:05 GMT": now.Add(24 * time.Hour),
	} {
		if got := consumer.RetryAfter(http.Header{"Retry-After": {text}}, now); !got.Equal(want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestErrorsNameTheTimeOfTheNextAttempt(t *testing.T) {
	t.Parallel()
	b, now := breakers()
	fail(t, b, 5)
	_, open := b.Allow("a.example")
	later := now.Add(time.Hour)
	for _, test := range []struct {
		err  error
		want time.Time
	}{
		{nil, time.Time{}},
		{errCall, time.Time{}},
		{fmt.Errorf("call: %w", consumer.Postpone(errCall, later)), later},
		{consumer.Wait(errCall, later), later},
		{open, now.Add(30 * time.Second)},
	} {
		if got := consumer.NotBefore(test.err); !got.Equal(test.want) {
			t.Errorf("%v: %v", test.err, got)
		}
	}
}
