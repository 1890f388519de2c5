package hook

import (
	"time"

	"equity/messages"
)

// The limits of an organization.
const (
	mostRequests = 60
	mostRuns     = 20
)

// Limits are the numbers of hooks that an organization may receive in a minute. Zero selects the default.
type Limits struct {
	// Requests counts all hooks, Runs those that request a run.
	Requests, Runs int
}

// Windows returns the windows of the limits.
func (l Limits) Windows() []messages.CallWindow {
	if l.Requests == 0 {
		l.Requests = mostRequests
	}
	if l.Runs == 0 {
		l.Runs = mostRuns
	}
	return []messages.CallWindow{
		{Kinds: []messages.CallKind{messages.CallWake, messages.CallRun}, Limit: l.Requests, Span: time.Minute},
		{Kinds: []messages.CallKind{messages.CallRun}, Limit: l.Runs, Span: time.Minute},
	}
}
