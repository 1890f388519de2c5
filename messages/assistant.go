package messages

import (
	"encoding/json"
	"time"

	"equity/fault"
	"equity/organization"
)

// AgentID identifies a conversation or a step of the assistant. It is a UUID.
type AgentID = [16]byte

// StepStatus is the state of a step.
type StepStatus string

// The states of a step. A destructive step is confirmed twice. A step is taken before its command, so that it is either rejected or recorded,
// never both. A taken step has no result yet: its command may have been recorded, and runs again with the key of the step.
const (
	StepPending       StepStatus = "pending"
	StepConfirmedOnce StepStatus = "confirmedOnce"
	StepTaken         StepStatus = "taken"
	StepExecuted      StepStatus = "executed"
	StepRejected      StepStatus = "rejected"
	StepExpired       StepStatus = "expired"
	StepFailed        StepStatus = "failed"
	StepSuperseded    StepStatus = "superseded"
)

// Waits reports whether a user can still decide about the step.
func (s StepStatus) Waits() bool { return s == StepPending || s == StepConfirmedOnce }

// StepValid is the time in which a step can be confirmed.
const StepValid = 15 * time.Minute

// SettleWithin is the time after its confirmation in which a taken step is carried out again. It is less than the time for which idempotency
// keys are remembered.
const SettleWithin = 24 * time.Hour

// Step is a change that waits for the confirmation of its user.
type Step struct {
	ID           AgentID
	Organization organization.ID
	// User requested the change; the zero ID for a hook, whose steps cannot be confirmed.
	User organization.UserID
	// Credential is the handle of the session or of the token of the request. Only it can confirm.
	Credential string
	// Conversation is zero for changes through MCP.
	Conversation AgentID
	Operation    string
	Class        ToolClass
	// Title is the summary of the operation.
	Title string
	// Arguments are the parameters and the body; see [ToolCall].
	Arguments json.RawMessage
	// Preview is the answer to the dry run, and Previewed identifies its events.
	Preview   json.RawMessage
	Previewed Previewed
	// Basis is the sequence on which the preview was decided.
	Basis  uint64
	Status StepStatus
	// LastKey is the idempotency key of the last confirmation, so that a repeated request counts once.
	LastKey              string
	CreatedAt, ExpiresAt time.Time
	// DecidedAt is the time at which the step was taken, rejected or found expired.
	DecidedAt time.Time
	// Sequence is that of the last recorded event; 0 without one.
	Sequence uint64
	// Next is the step that replaces a superseded one.
	Next AgentID
}

// The errors of steps.
var (
	// ErrStepExpired refuses a decision about an expired step.
	ErrStepExpired = fault.Refuse("expired", "The step has expired. Nothing was changed. Request the change again.")
	// ErrStepDecided refuses a decision that differs from an earlier one.
	ErrStepDecided = fault.Refuse("alreadyDecided", "The step was already decided differently. Request the change again.")
	// ErrOtherCredential refuses a decision through another session or token than that of the request.
	ErrOtherCredential = fault.Refuse("otherSession", "A step can only be confirmed with the session or the token that requested it.")
	// ErrPersonRequired refuses the confirmation of a change that gives authority through a token.
	ErrPersonRequired = fault.Refuse("personRequired",
		"This change gives authority. The user of the token must confirm it in the browser app, under Settings, API tokens.")
	// ErrNoStep refuses an unknown step.
	ErrNoStep = fault.Refuse(fault.NotFound, "There is no such step.")
	// ErrNoConversation refuses an unknown conversation.
	ErrNoConversation = fault.Refuse(fault.NotFound, "There is no such conversation.")
	// ErrBudgetSpent refuses a call of a language model beyond the tokens of the month.
	ErrBudgetSpent = fault.Refuse("budgetSpent",
		"The organization has used its budget for the assistant of this month. Ask the operator for a larger one, or wait for the next month.")
	// ErrAccountBudgetSpent refuses a call beyond the tokens of an account.
	ErrAccountBudgetSpent = fault.Refuse("budgetSpent",
		"Your account has used its budget for the assistant of this month. Ask the operator for a larger one, or wait for the next month.")
	// ErrConversationBusy refuses a second message before the answer to the first.
	ErrConversationBusy = fault.Refuse("conversationBusy", "The assistant is still answering in this conversation. Wait for the answer.")
	// ErrExchangesBusy refuses more concurrent messages of an organization.
	ErrExchangesBusy = fault.Refuse(
		fault.TooManyAttempts, "The assistant is answering four messages of this organization. Try again later.",
	)
)

// The roles of messages in a conversation.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Conversation is a conversation of a user with the assistant.
type Conversation struct {
	ID                   AgentID
	Organization         organization.ID
	User                 organization.UserID
	Title                string
	CreatedAt, UpdatedAt time.Time
}

// ConversationMessage is a message of a conversation.
type ConversationMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	// ToolCalls are the calls of tools before an answer, as JSON.
	ToolCalls json.RawMessage `json:"-"`
	At        time.Time       `json:"-"`
}

// ExchangeStart requests the beginning of an answer of the assistant.
type ExchangeStart struct {
	// ID identifies the exchange.
	ID AgentID
	// Conversation has at most one exchange at a time.
	Conversation AgentID
	// Until is the time at which the exchange has ended at the latest.
	Until time.Time
}
