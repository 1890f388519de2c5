package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"equity/messages"
)

// Provider is a language model.
type Provider interface {
	// Name is the name of the provider, and Model that of its default model.
	Name() string
	Model() string
	// Complete returns the next message of the model. It calls text with each part of a text as it arrives; text may be nil.
	Complete(ctx context.Context, prompt Prompt, text func(part string)) (Completion, error)
}

// Prompt is the input of a model.
type Prompt struct {
	// Model selects a model; empty for the default.
	Model     string
	System    string
	Messages  []Message
	Tools     []messages.Tool
	MaxTokens int
	// Payer uses the budget.
	Payer messages.ModelPayer
}

// Message is a message in a prompt. A message of the user has a text, or the results of the calls before it.
type Message struct {
	Role string // messages.RoleUser or messages.RoleAssistant
	Text string
	// Plain is the text without its marks as data; empty if it has none.
	Plain   string
	Calls   []Call
	Results []Result
}

// Call is a call of a tool by the model.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
}

// Result is the result of a call, as a text for the model.
type Result struct {
	ID, Name string
	Text     string
	// Body is the complete answer of the operation, and Failed reports a refusal. Waiting reports a change that waits for its confirmation.
	Body            json.RawMessage
	Failed, Waiting bool
}

// Completion is a message of the model.
type Completion struct {
	Text  string
	Calls []Call
	// Tokens is the number of used tokens, of the prompt and of the message, as the service states it.
	Tokens int64
}

// ErrProvider reports a provider that did not answer as expected. The cause is only logged.
var ErrProvider = errors.New("language model")

// ServiceError is an error that the service of a language model stated. Its text is not kept: it can repeat the prompt.
type ServiceError struct {
	// Status is the HTTP status; 0 for an error within an answer.
	Status int
	// Type is the type of the error; empty if it has none or is no name.
	Type string
}

// Error returns the status and the type.
func (e *ServiceError) Error() string {
	text := "the service reports an error"
	if e.Status != 0 {
		text = "status " + strconv.Itoa(e.Status)
	}
	if e.Type != "" {
		text += ", type " + e.Type
	}
	return ErrProvider.Error() + ": " + text
}

// Unwrap returns [ErrProvider].
func (*ServiceError) Unwrap() error { return ErrProvider }

// NewServiceError returns the error with the status and the type that the service stated.
func NewServiceError(status int, stated string) error {
	const longest = 64
	name := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)
	}
	if len(stated) > longest || strings.ContainsFunc(stated, func(r rune) bool { return !name(r) }) {
		stated = ""
	}
	return &ServiceError{status, stated}
}
