package assistant

import (
	"context"
	"encoding/json"
	"errors"

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
	// Tokens is the number of used tokens, of the prompt and of the message.
	Tokens int64
}

// ErrProvider reports a provider that did not answer as expected. The cause is only logged.
var ErrProvider = errors.New("language model")
