package hook

import (
	"time"

	"equity/hooks"
	"equity/messages"
)

// The statuses of a run that has not ended. A run that the executor ended has the status of its result.
const (
	queued  = "queued"
	running = "running"
)

// ConsumerName is the name of the consumer that executes runs.
const ConsumerName = "hook"

// The reasons for which the reply of a run is not delivered, beside those of the room that delivers it.
const (
	ReasonNotRequested  = "notRequested"
	ReasonHeartbeatOnly = "heartbeatOnly"
	ReasonNoReply       = "noReply"
	ReasonFailed        = "deliveryFailed"
)

// The kinds of calls, for limits.
const (
	callWake messages.CallKind = "wake"
	callRun  messages.CallKind = "run"
)

// Hook is an accepted request: a wake or an agent.
type Hook struct {
	// ID is that of the event or of the run.
	ID    string
	At    time.Time
	Wake  *hooks.Wake
	Agent *hooks.Agent
}

// Source returns the authorization of the hook.
func (h *Hook) Source() hooks.Source {
	if h.Agent != nil {
		return h.Agent.Source
	}
	return h.Wake.Source
}

// Repetition returns the identity of the hook among its repetitions, which is zero if the sender did not name it.
func (h *Hook) Repetition() [32]byte {
	if h.Agent != nil {
		return h.Agent.Repetition
	}
	return h.Wake.Repetition
}

// Kind returns the kind of the hook, for its limits.
func (h *Hook) Kind() messages.CallKind {
	if h.Agent != nil {
		return callRun
	}
	return callWake
}

// Receipt is the answer to a hook.
type Receipt struct {
	// ID is that of the first request if this one repeats it.
	ID       string
	Repeated bool
	// Refused is not nil if the organization has received too many hooks. The hook is not stored.
	Refused *messages.CallLimitError
	// Counted are the hooks of the organization that its limits count.
	Counted messages.Calls
}

// Stored reports whether the request was stored.
func (r *Receipt) Stored() bool { return r.Refused == nil && !r.Repeated }

// Outcome is the end of a run.
type Outcome struct {
	hooks.Result
	// Event is the id of the event with the summary.
	Event     string
	Delivered bool
	Reason    string
}

// Run is a run with its state.
type Run struct {
	hooks.Agent
	Status  string
	Summary string
	// Delivered reports that the reply was posted. Reason is one of the constants otherwise; empty before the end.
	Delivered bool
	Reason    string
	Attempts  int
	CreatedAt time.Time
	// EndedAt is zero before the end.
	EndedAt time.Time
}

// Event is an event of the main session.
type Event struct {
	// ID is a UUID of version 7. Events are in its order.
	ID     string
	At     time.Time
	Text   string
	Source string
	// Handled reports that a heartbeat has read the event.
	Handled bool
}

// Session is the agent session of an organization.
type Session struct {
	Events []Event
	// HeartbeatRequestedAt is the time of the last request of an immediate heartbeat; zero without one.
	HeartbeatRequestedAt time.Time
	Runs                 []Run
}
