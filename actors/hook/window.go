package hook

import (
	"slices"
	"time"

	"equity/messages"
)

// The limits of an organization.
const (
	mostRequests = 60
	mostRuns     = 20
	windowTime   = time.Minute
)

// Limits are the numbers of hooks that an organization may receive in a minute. Zero selects the default.
type Limits struct {
	// Requests counts all hooks, Runs those that request a run.
	Requests, Runs int
}

// Window is a sliding log of the hooks of one organization. It is not safe for concurrent use. The zero value is empty.
type Window struct {
	requests, runs []time.Time
}

// Admit counts a hook, or returns a [messages.HookLimitError].
func (w *Window) Admit(limits Limits, now time.Time, run bool) error {
	w.requests, w.runs = recent(w.requests, now), recent(w.runs, now)
	if err := full(w.requests, limits.Requests, mostRequests, now); err != nil {
		return err
	}
	if run {
		if err := full(w.runs, limits.Runs, mostRuns, now); err != nil {
			return err
		}
		w.runs = append(w.runs, now)
	}
	w.requests = append(w.requests, now)
	return nil
}

// Refund removes the last run: it repeated an earlier one.
func (w *Window) Refund() {
	if len(w.runs) > 0 {
		w.runs = w.runs[:len(w.runs)-1]
	}
}

// recent removes the times before the window.
func recent(times []time.Time, now time.Time) []time.Time {
	first := slices.IndexFunc(times, func(t time.Time) bool { return now.Sub(t) < windowTime })
	if first < 0 {
		return times[:0]
	}
	return slices.Delete(times, 0, first)
}

// full refuses a hook if the log has as many times as the limit.
func full(times []time.Time, limit, standard int, now time.Time) error {
	if limit == 0 {
		limit = standard
	}
	if len(times) < limit {
		return nil
	}
	return &messages.HookLimitError{After: times[len(times)-limit].Add(windowTime).Sub(now)}
}
