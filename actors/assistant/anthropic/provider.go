// Package anthropic is a provider of the assistant that calls the messages of Anthropic.
package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"equity/actors/assistant"
	"equity/egress"
	"equity/messages"
)

// Settings configure a [Provider].
type Settings struct {
	Key, Model string
	// URL is the base address of the API; empty for that of Anthropic.
	URL string
	// Transport makes the requests; nil for that of the standard library.
	Transport http.RoundTripper
}

// Provider calls the messages API.
type Provider struct {
	settings Settings
	client   *http.Client
}

const (
	defaultURL = "https://api.anthropic.com/v1"
	apiVersion = "2023-06-01"
)

// New returns a Provider.
func New(s Settings) *Provider {
	if s.URL == "" {
		s.URL = defaultURL
	}
	return &Provider{s, egress.NewClient(assistant.BoundedTransport{Base: s.Transport}, 0)}
}

// Name returns the name of the provider.
func (*Provider) Name() string { return "anthropic" }

// Model returns the default model.
func (p *Provider) Model() string { return p.settings.Model }

// Complete returns the next message of the model.
func (p *Provider) Complete(ctx context.Context, prompt assistant.Prompt, text func(part string)) (made assistant.Completion, err error) {
	body, err := json.Marshal(p.request(prompt))
	if err != nil {
		return made, fmt.Errorf("encode prompt: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.settings.URL+"/messages", bytes.NewReader(body))
	if err != nil {
		return made, fmt.Errorf("%w: %w", assistant.ErrProvider, err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Anthropic-Version", apiVersion)
	request.Header.Set("X-Api-Key", p.settings.Key)
	answer, err := p.client.Do(request)
	if err != nil {
		return made, fmt.Errorf("%w: %w", assistant.ErrProvider, err)
	}
	defer func() { _ = answer.Body.Close() }() // the answer was read, or failed
	if answer.StatusCode != http.StatusOK {
		var refusal event
		const most = 2048
		text, _ := io.ReadAll(io.LimitReader(answer.Body, most))
		_ = json.Unmarshal(text, &refusal) // otherwise the error has no type
		return made, assistant.NewServiceError(answer.StatusCode, refusal.Error.Type)
	}
	return read(answer.Body, text)
}

// The parts of a request.
type (
	request struct {
		Model     string    `json:"model"`
		MaxTokens int       `json:"max_tokens"`
		System    string    `json:"system"`
		Messages  []message `json:"messages"`
		Tools     []tool    `json:"tools,omitempty"`
		Stream    bool      `json:"stream"`
	}
	message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	block struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		Content   string          `json:"content,omitempty"`
		IsError   bool            `json:"is_error,omitempty"`
	}
	tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	}
)

func (p *Provider) request(prompt assistant.Prompt) request {
	made := request{Model: p.settings.Model, MaxTokens: prompt.MaxTokens, System: prompt.System, Stream: true}
	if prompt.Model != "" {
		made.Model = prompt.Model
	}
	for _, one := range prompt.Messages {
		made.Messages = append(made.Messages, converted(one))
	}
	for _, one := range prompt.Tools {
		made.Tools = append(made.Tools, tool{one.Name, one.Title + ". " + one.Description, one.InputSchema})
	}
	return made
}

// converted returns a message in the form of the service.
func converted(m assistant.Message) message {
	made := message{Role: m.Role}
	if m.Role != messages.RoleAssistant {
		made.Role = messages.RoleUser
	}
	if m.Text != "" {
		made.Content = append(made.Content, block{Type: "text", Text: m.Text})
	}
	for _, call := range m.Calls {
		made.Content = append(made.Content, block{Type: typeToolUse, ID: call.ID, Name: call.Name, Input: inputOf(call.Arguments)})
	}
	for _, one := range m.Results {
		made.Content = append(made.Content, block{Type: "tool_result", ToolUseID: one.ID, Content: one.Text, IsError: one.Failed})
	}
	if len(made.Content) == 0 {
		made.Content = []block{{Type: "text", Text: "…"}} // the service refuses empty messages
	}
	return made
}

// inputOf returns the arguments of a call. The service refuses arguments that are no JSON object, also if its model wrote them.
func inputOf(arguments json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(arguments, &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return arguments
}
