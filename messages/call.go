package messages

import (
	"slices"
	"time"
)

// CallKind is the kind of a call that windows count: the class of a tool, or one of the kinds of hooks.
type CallKind string

// The kinds of hooks.
const (
	CallWake CallKind = "wake"
	CallRun  CallKind = "run"
)

// CallWindow permits at most Limit calls of its kinds in each Span.
type CallWindow struct {
	Kinds []CallKind
	Limit int
	Span  time.Duration
}

// CallLimitError refuses a call because a window is full.
type CallLimitError struct {
	Window CallWindow
	After  time.Duration // until the call can be repeated
}

// Error describes the refusal.
func (*CallLimitError) Error() string { return "rate limited" }

// CallCount is the number of calls of a kind in the second that ends at At.
type CallCount struct {
	Kind  CallKind
	At    time.Time
	Count int
}

// Calls are the recent calls of an organization, the earliest first. A log has at most one record per kind and second.
type Calls []CallCount

// Admit returns the calls with one more of the kind, without those that no window counts any more. It returns a [CallLimitError] if a window of
// the kind is full.
func (c Calls) Admit(kind CallKind, now time.Time, windows []CallWindow) (Calls, error) {
	for _, w := range windows {
		if !slices.Contains(w.Kinds, kind) {
			continue
		}
		if after, full := c.full(w, now); full {
			return c, &CallLimitError{w, after}
		}
	}
	at := now.Add(time.Second - 1).Truncate(time.Second)
	var kept Calls
	for _, one := range c {
		if slices.ContainsFunc(windows, func(w CallWindow) bool { return w.counts(one, now) }) {
			kept = append(kept, one)
		}
	}
	same := slices.IndexFunc(kept, func(one CallCount) bool { return one.Kind == kind && one.At.Equal(at) })
	if same >= 0 {
		kept[same].Count++
		return kept, nil
	}
	kept = append(kept, CallCount{kind, at, 1})
	slices.SortStableFunc(kept, func(x, y CallCount) int { return x.At.Compare(y.At) })
	return kept, nil
}

// Left returns the number of calls that the window still permits.
func (c Calls) Left(w CallWindow, now time.Time) int {
	return max(w.Limit-c.inside(w, now), 0)
}

// counts reports whether the call is in the window. Records that are further in the future than the span come from a wrong clock.
func (w CallWindow) counts(one CallCount, now time.Time) bool {
	age := now.Sub(one.At)
	return age < w.Span && age > -w.Span && slices.Contains(w.Kinds, one.Kind)
}

func (c Calls) inside(w CallWindow, now time.Time) int {
	total := 0
	for _, one := range c {
		if w.counts(one, now) {
			total += one.Count
		}
	}
	return total
}

// full reports whether the window permits no call now, and returns the time until the next one.
func (c Calls) full(w CallWindow, now time.Time) (after time.Duration, full bool) {
	left := c.inside(w, now)
	if left < w.Limit {
		return 0, false
	}
	last := now // for a limit of 0
	for _, one := range c {
		if left < w.Limit {
			break
		}
		if w.counts(one, now) {
			left -= one.Count
			last = one.At
		}
	}
	return last.Add(w.Span).Sub(now), true
}
