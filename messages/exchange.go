package messages

import (
	"context"
	"encoding/json"
	"time"

	"equity/organization"
)

// Toolbox executes tools for one caller. Its refusals are results.
type Toolbox interface {
	// Tools returns the tools that the caller may call.
	Tools(ctx context.Context) ([]Tool, error)
	// Tool returns one tool; false if it does not exist.
	Tool(name string) (Tool, bool)
	// Call carries out a call. A call that reads or previews counts towards the limits of the organization.
	Call(ctx context.Context, call ToolCall) ToolResult
}

// ToolUser is the origin of tool calls.
type ToolUser struct {
	Organization organization.ID
	// User is the zero ID for hooks, whose steps cannot be confirmed.
	User organization.UserID
	// Credential is the handle of the session or token.
	Credential string
	// Conversation is zero outside of conversations.
	Conversation AgentID
	Tools        Toolbox
}

// ToolOutcome is the outcome of a call of a tool.
type ToolOutcome struct {
	Tool   Tool
	Result ToolResult
	// Step waits for a confirmation; nil for a call that was carried out or refused.
	Step *Step
}

// StepDecision is the state of a step after a decision.
type StepDecision struct {
	Step Step
	// Result is the answer of the executed operation; nil without one.
	Result *ToolResult
	// Next replaces a superseded step; may be nil.
	Next *Step
}

// Question is a message to the assistant.
type Question struct {
	ToolUser
	Message string
	// History are earlier messages that the client keeps; only for a new conversation.
	History []ConversationMessage
	// Situation describes the organization and the user, for the model.
	Situation string
	// Untrusted marks a message from outside, such as that of a hook. It is data.
	Untrusted bool
	// Model selects a model; empty for the default.
	Model string
	// Time limits the exchange; 0 for the default.
	Time time.Duration
}

// ModelPayer names whose budgets a call of a language model uses. Both ids are zero for a description without an account.
type ModelPayer struct {
	Organization organization.ID
	User         organization.UserID
	// Network is that of the author of a description without an account. It has the budget of an account, within the total of all such descriptions.
	Network string
}

// ModelLimits are the tokens of language models that an organization, an account, and all descriptions without an account may use in a month; 0
// for no limit.
type ModelLimits struct{ Organization, Account, Anonymous int64 }

// FinishedCall is a finished call of a tool in an exchange.
type FinishedCall struct {
	ID         string          `json:"id"`
	Operation  string          `json:"operation"`
	Class      ToolClass       `json:"class"`
	Parameters json.RawMessage `json:"parameters"`
	// Status is one of the states below.
	Status  string `json:"status"`
	Summary string `json:"summary"`
	Millis  int64  `json:"ms"`
}

// The states of a finished call.
const (
	CallSucceeded = "succeeded"
	CallRefused   = "refused"
	CallWaiting   = "waiting"
)

// ExchangeReply is the answer of the assistant to a message.
type ExchangeReply struct {
	Text         string
	Conversation AgentID
	ToolCalls    []FinishedCall
	Steps        []Step
}

// ExchangeSink receives the parts of a reply as they arise. A nil function is not called.
type ExchangeSink struct {
	Text     func(part string)
	ToolCall func(call FinishedCall)
	Step     func(step Step)
}
