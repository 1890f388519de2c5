package messages

import (
	"errors"
	"strings"
	"time"

	"equity/organization"
)

// The moments at which a hook requests a heartbeat of the main session.
const (
	HookNow           = "now"
	HookNextHeartbeat = "next-heartbeat"
)

// The states of the run of a hook. A run that the executor ended has the status of its result.
const (
	HookQueued  = "queued"
	HookRunning = "running"
	HookOK      = "ok"
	HookError   = "error"
)

// HookConsumer is the name of the consumer that executes runs.
const HookConsumer = "hook"

// The reasons for which the reply of a run is not delivered.
const (
	HookNotRequested   = "notRequested"
	HookHeartbeatOnly  = "heartbeatOnly"
	HookNoReply        = "noReply"
	HookNotConfigured  = "channelNotConfigured"
	HookNoChannel      = "channelNotFound"
	HookDeliveryFailed = "deliveryFailed"
)

// HookSource is the authorization of a hook: the organization to which its token leads.
type HookSource struct {
	Organization organization.ID `json:"-"`
	// Token is the id of the token; the zero id is that of the setting HOOKS_TOKEN, and of runs that earlier versions accepted.
	Token organization.HookTokenID `json:"token,omitzero"`
}

// HookWake is an event for the main session.
type HookWake struct {
	HookSource
	Text string
	// Mode is HookNow or HookNextHeartbeat.
	Mode string
	// Repetition identifies the request among its repetitions; zero if the sender did not name it.
	Repetition [32]byte
}

// HookAgent requests a run of the assistant.
type HookAgent struct {
	HookSource `json:"source"`
	// RunID is the id of the run, unless the request repeats an earlier one.
	RunID      string   `json:"-"`
	Repetition [32]byte `json:"-"`

	Message    string `json:"message"`
	Name       string `json:"name"`
	Agent      string `json:"agentId,omitempty"`
	WakeMode   string `json:"wakeMode"`
	SessionKey string `json:"sessionKey"`
	Deliver    bool   `json:"deliver"`
	// Channel is "last" or the name of a chat channel. To is the recipient; empty for the default.
	Channel  string `json:"channel"`
	To       string `json:"to,omitempty"`
	Model    string `json:"model,omitempty"`
	Thinking string `json:"thinking,omitempty"`
	// TimeoutSeconds bounds the run; nil for the default.
	TimeoutSeconds *int64 `json:"timeoutSeconds,omitempty"`
}

// Hook is an accepted request: a wake or an agent.
type Hook struct {
	// ID is that of the event or of the run.
	ID    string
	At    time.Time
	Wake  *HookWake
	Agent *HookAgent
}

// Source returns the authorization of the hook.
func (h *Hook) Source() HookSource {
	if h.Agent != nil {
		return h.Agent.HookSource
	}
	return h.Wake.HookSource
}

// Repetition returns the identity of the hook among its repetitions, which is zero if the sender did not name it.
func (h *Hook) Repetition() [32]byte {
	if h.Agent != nil {
		return h.Agent.Repetition
	}
	return h.Wake.Repetition
}

// Kind returns the kind of the hook, for its limits.
func (h *Hook) Kind() CallKind {
	if h.Agent != nil {
		return CallRun
	}
	return CallWake
}

// HookReceipt is the answer to a hook.
type HookReceipt struct {
	// ID is that of the first request if this one repeats it.
	ID       string
	Repeated bool
	// Refused is not nil if the organization has received too many hooks. The hook is not stored.
	Refused *CallLimitError
	// Counted are the hooks of the organization that its limits count.
	Counted Calls
}

// Stored reports whether the request was stored.
func (r *HookReceipt) Stored() bool { return r.Refused == nil && !r.Repeated }

// HookOutcome is the end of a run.
type HookOutcome struct {
	HookResult
	// Event is the id of the event with the summary.
	Event     string
	Delivered bool
	Reason    string
}

// HookResult is the result of a run.
type HookResult struct {
	// Status is HookOK, HookError or another short word.
	Status  string
	Summary string
	Error   string
	// Reply is the text to deliver.
	Reply string
}

// HookRun is a run with its state.
type HookRun struct {
	HookAgent
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

// HookEvent is an event of the main session.
type HookEvent struct {
	// ID is a UUID of version 7. Events are in its order.
	ID     string
	At     time.Time
	Text   string
	Source string
	// Handled reports that a heartbeat has read the event.
	Handled bool
}

// HookSession is the agent session of an organization.
type HookSession struct {
	Events []HookEvent
	// HeartbeatRequestedAt is the time of the last request of an immediate heartbeat; zero without one.
	HeartbeatRequestedAt time.Time
	Runs                 []HookRun
}

// ErrHookToken reports a token that was revoked.
var ErrHookToken = errors.New("hook: the token was revoked")

// HookText returns the text of a result: its summary, its error or its status.
func HookText(result HookResult) string {
	for _, text := range []string{result.Summary, result.Error} {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return result.Status
}

// HookSummary returns the event of the main session for a run that ended.
func HookSummary(name string, result HookResult) string {
	label := "Hook " + name
	if result.Status != HookOK {
		label += " (" + result.Status + ")"
	}
	return strings.TrimSpace(label + ": " + HookText(result))
}

// The acknowledgement of a heartbeat, and the number of other characters with which a reply still is one.
const (
	heartbeatOK   = "HEARTBEAT_OK"
	mostBesideAck = 300
)

// IsHeartbeatAck reports whether a reply only acknowledges a heartbeat: it starts or ends with HEARTBEAT_OK and has at most 300
// other characters.
func IsHeartbeatAck(reply string) bool {
	reply = strings.TrimSpace(reply)
	rest, found := strings.CutPrefix(reply, heartbeatOK)
	if !found {
		if rest, found = strings.CutSuffix(reply, heartbeatOK); !found {
			return false
		}
	}
	return len([]rune(strings.TrimSpace(rest))) <= mostBesideAck
}
