package office_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"equity/actors/office/officetest"
)

func TestBusyOfficeSuiteIsCalledAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults officetest.Faults
		calls  int
		waits  []int
		fails  bool
		after  time.Duration
	}{
		"429 twice":           {officetest.Faults{Status: 429, RetryAfter: "2", Times: 2}, 3, []int{2, 2}, false, 0},
		"503 once":            {officetest.Faults{Status: 503, RetryAfter: "10", Times: 1}, 2, []int{10}, false, 0},
		"at most three tries": {officetest.Faults{Status: 429, RetryAfter: "2"}, 3, []int{2, 2}, true, 2 * time.Second},
		"at most 10 seconds":  {officetest.Faults{Status: 503, RetryAfter: "6"}, 2, []int{6}, true, 6 * time.Second},
		"a long time":         {officetest.Faults{Status: 429, RetryAfter: "90", Times: 1}, 1, nil, true, 90 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.server.Break(test.faults)
			err := b.call()
			if test.fails {
				if after := b.isUnavailable(err).Round(time.Second); after != test.after {
					t.Errorf("the next attempt is possible after %v", after)
				}
			} else if err != nil {
				t.Error(err)
			}
			if calls, waits := b.server.Calls("root"), b.waited(); calls != test.calls || !slices.Equal(waits, test.waits) {
				t.Errorf("%d calls, waited %v", calls, waits)
			}
		})
	}
}

func TestBusyOfficeSuiteWithoutATimeGetsABackOff(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "0", "soon"} {
		b := setup(t)
		b.server.Break(officetest.Faults{Status: http.StatusTooManyRequests, RetryAfter: header})
		b.isUnavailable(b.call())
		if len(b.waits) != 2 || b.waits[0] <= 0 || b.waits[0] > time.Second || b.waits[1] <= 0 || b.waits[1] > 2*time.Second {
			t.Errorf("%q: waited %v", header, b.waits)
		}
	}
}

func TestCallerWithoutTimeDoesNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Status: http.StatusTooManyRequests, RetryAfter: "9"})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, err := b.client.Root(ctx)
	if after := b.isUnavailable(err).Round(time.Second); after != 9*time.Second || len(b.waits) != 0 {
		t.Errorf("after %v, waited %v", after, b.waits)
	}
}

func TestFailuresAreNotRepeated(t *testing.T) {
	t.Parallel()
	for _, status := range []int{500, 501, 502, 504, 509, 302} {
		b := setup(t)
		b.server.Break(officetest.Faults{Status: status})
		b.isUnavailable(b.call())
		if calls := b.server.Calls("root"); calls != 1 {
			t.Errorf("%d: %d calls", status, calls)
		}
	}
}

func TestBreakerStopsCallsOfAFailingOfficeSuite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Status: http.StatusInternalServerError})
	for range 7 {
		b.isUnavailable(b.call())
	}
	if calls := b.server.Calls("root"); calls != 5 {
		t.Errorf("%d calls", calls)
	}
	if after := b.isUnavailable(b.call()); after <= 20*time.Second || after > 30*time.Second {
		t.Errorf("the next attempt is possible after %v", after)
	}
	b.server.Break(officetest.Faults{})
	b.pass(31 * time.Second)
	if err := b.call(); err != nil {
		t.Error(err)
	}
}

func TestHangingCallEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	b.client.Limit(20*time.Millisecond, time.Minute)
	release := b.server.Hold()
	defer release()
	b.isUnavailable(b.call())
}

func TestEndedCallerIsNotUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.server.Hold()
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.client.Root(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUnreachableOfficeSuiteIsUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	b.server.Close()
	b.isUnavailable(b.call())
}

func TestLargeAnswerIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Padding: 1 << 20})
	if err := b.call(); err != nil {
		t.Errorf("1 MB: %v", err)
	}
	b.server.Break(officetest.Faults{Padding: 5 << 20})
	b.isUnavailable(b.call())
}

func TestEachThirdRefusalIsSurvived(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 30 {
		b.server.Put(officetest.Root, "file "+strconv.Itoa(i), "")
	}
	b.server.Break(officetest.Faults{Status: http.StatusTooManyRequests, RetryAfter: "1", Every: 3, Page: 2})
	if names := b.names(officetest.Root); len(names) != 30 {
		t.Errorf("%d names", len(names))
	}
}
