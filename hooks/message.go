package hooks

import (
	"errors"
	"strings"

	"equity/captable"
	"equity/organization"
)

// The moments at which a hook requests a heartbeat of the main session.
const (
	Now           = "now"
	NextHeartbeat = "next-heartbeat"
)

// The statuses of a result. An executor may return another short word.
const (
	StatusOK    = "ok"
	StatusError = "error"
)

// TokenID identifies a hook token of an organization.
type TokenID = captable.ID[tokenRecord]

// tokenRecord is the record of a token, which this package does not know.
type tokenRecord struct{}

// Source is the authorization of a hook: the organization to which its token leads.
type Source struct {
	Organization organization.ID `json:"-"`
	// Token is the id of the token; the zero id is that of the setting HOOKS_TOKEN, and of runs that earlier versions accepted.
	Token TokenID `json:"token,omitzero"`
}

// Wake is an event for the main session.
type Wake struct {
	Source
	Text string
	// Mode is Now or NextHeartbeat.
	Mode string
	// Repetition identifies the request among its repetitions; zero if the sender did not name it.
	Repetition [32]byte
}

// Agent requests a run of the assistant.
type Agent struct {
	Source `json:"source"`
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

// Result is the result of a run.
type Result struct {
	// Status is StatusOK, StatusError or another short word.
	Status  string
	Summary string
	Error   string
	// Reply is the text to deliver.
	Reply string
}

// ErrToken reports a token that was revoked.
var ErrToken = errors.New("hook: the token was revoked")

// Text returns the text of a result: its summary, its error or its status.
func Text(result Result) string {
	for _, text := range []string{result.Summary, result.Error} {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return result.Status
}

// Summary returns the event of the main session for a run that ended.
func Summary(name string, result Result) string {
	label := "Hook " + name
	if result.Status != StatusOK {
		label += " (" + result.Status + ")"
	}
	return strings.TrimSpace(label + ": " + Text(result))
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
