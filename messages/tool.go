package messages

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"equity/fault"
	"equity/organization"
)

// ToolClass is the effect of an operation that the assistant offers as a tool. It is the extension x-agent of the contract.
type ToolClass string

// The classes of tools.
const (
	ToolRead        ToolClass = "read"
	ToolWrite       ToolClass = "write"
	ToolDestructive ToolClass = "destructive"
)

// Changes reports whether calls of the class change records.
func (c ToolClass) Changes() bool { return c == ToolWrite || c == ToolDestructive }

// Tool is an operation of the contract that a caller may request through the assistant or MCP.
type Tool struct {
	// Name is the operationId.
	Name, Title, Description string
	Class                    ToolClass
	// ConfirmAlways reports a change that gives authority: the user confirms it under every setting, in a session. It is the extension
	// x-confirm of the contract.
	ConfirmAlways bool
	// Common reports a tool that is offered without a search. It is the extension x-agent-common of the contract.
	Common bool
	// Permission is the x-permission of the operation.
	Permission string
	// Tags are the resources of the operation.
	Tags []string
	// InputSchema is a JSON schema of the arguments: path and query parameters, and the body.
	InputSchema json.RawMessage
}

// ToolMode is the way in which a tool call is carried out.
type ToolMode uint8

const (
	// ToolReads carries out a reading operation.
	ToolReads ToolMode = iota
	// ToolPreviews decides a change without recording it.
	ToolPreviews
	// ToolExecutes records a change.
	ToolExecutes
)

// ToolCall is a request for an operation.
type ToolCall struct {
	Operation string
	// Arguments is a JSON object of parameters by name, with the body under "body".
	Arguments json.RawMessage
	Mode      ToolMode
	// Key makes an execution idempotent; empty if absent. Again reports that an earlier execution with the key may have succeeded.
	Key   string
	Again bool
	// Previewed refuses an execution whose events differ from those of the preview.
	Previewed Previewed
}

// ToolResult is the answer to a call of a tool.
type ToolResult struct {
	// Status and Body are those of the HTTP answer.
	Status int
	Body   json.RawMessage
	// Previewed identifies the events of a preview.
	Previewed Previewed
	// Sequence is the last sequence of the recorded events, or that on which a preview was decided; 0 for operations outside the journal.
	Sequence uint64
	// Location is the path of a new record.
	Location string
	// Busy reports that an earlier call with the same key is still running.
	Busy bool
}

// Succeeded reports whether the operation was carried out.
func (r ToolResult) Succeeded() bool { return r.Status >= 200 && r.Status < 300 }

// statusUnavailable is the status of an operation that can be repeated later.
const statusUnavailable = 503

// UnavailableResult is the result of a call that was not carried out and can be repeated later.
func UnavailableResult() ToolResult { return ToolResult{Status: statusUnavailable} }

// Repeatable reports whether the call failed for a reason that passes: an unavailable service, a rate limit, or the same call that is still
// running. Its change may have been recorded.
func (r ToolResult) Repeatable() bool { return r.Status >= 500 || r.Status == 429 || r.Busy }

// Previewed identifies the decisions of a dry run. The zero value identifies no decisions.
type Previewed struct {
	// At is the time that the decisions used.
	At time.Time
	// Digests are the digests of the events of each command; see [DigestOf].
	Digests []Hash
}

// IsZero reports whether no decision is identified.
func (p Previewed) IsZero() bool { return p.At.IsZero() }

// ErrSuperseded refuses a confirmed change whose events would differ from those of its preview.
var ErrSuperseded = fault.Refuse("superseded", "The organization changed after the preview. Nothing was changed. Check the new preview.")

// ToolLimits are the limits of the calls of tools in an organization. Assistant, MCP and hooks share them.
type ToolLimits struct {
	CallsPerMinute     int
	WritesPerMinute    int
	DestructivePerHour int
}

// ToolUse is a call of a tool that counts towards the limits.
type ToolUse struct {
	Organization organization.ID
	Class        ToolClass
	At           time.Time
}

// ToolAllowance is the number of calls that the limits permit at the moment.
type ToolAllowance struct {
	ToolCalls   int `json:"toolCalls"`
	Writes      int `json:"writes"`
	Destructive int `json:"destructive"`
}

// CodeRateLimited refuses a call of a tool beyond a limit.
const CodeRateLimited fault.Code = "rateLimited"

// RateLimited returns the refusal of a call beyond the limit of a window. ToolRead stands for the calls of all classes.
func RateLimited(class ToolClass, limit int, window time.Duration, retryAt, now time.Time) error {
	name := map[ToolClass]string{ToolRead: "tool calls", ToolWrite: "writing tool calls", ToolDestructive: "destructive tool calls"}[class]
	span := "minute"
	if window == time.Hour {
		span = "hour"
	}
	text := fmt.Sprintf("An organization has at most %d %s in one %s. Try again later.", limit, name, span)
	return &fault.FailureError{
		Refusal: fault.Refuse(CodeRateLimited, text).With("limit", strconv.Itoa(limit)).With("window", span).
			With("retryAt", retryAt.UTC().Format(time.RFC3339Nano)),
		RetryAfter: max(retryAt.Sub(now), time.Second),
	}
}
