// Package openai is a provider of the assistant that calls a service with the chat completions of OpenAI.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	service "github.com/sashabaranov/go-openai"

	"equity/actors/assistant"
	"equity/egress"
	"equity/messages"
)

// Settings configure a [Provider].
type Settings struct {
	Key, Model string
	// URL is the base address of the API; empty for that of OpenAI.
	URL string
	// Transport makes the requests; nil for that of the standard library.
	Transport http.RoundTripper
}

// Provider calls chat completions.
type Provider struct {
	client *service.Client
	model  string
}

// New returns a Provider.
func New(s Settings) *Provider {
	configuration := service.DefaultConfig(s.Key)
	if s.URL != "" {
		configuration.BaseURL = s.URL
	}
	configuration.HTTPClient = egress.NewClient(assistant.BoundedTransport{Base: s.Transport}, 0)
	return &Provider{service.NewClientWithConfig(configuration), s.Model}
}

// Name returns the name of the provider.
func (*Provider) Name() string { return "openai" }

// Model returns the default model.
func (p *Provider) Model() string { return p.model }

// Complete returns the next message of the model.
func (p *Provider) Complete(ctx context.Context, prompt assistant.Prompt, text func(part string)) (made assistant.Completion, err error) {
	stream, err := p.client.CreateChatCompletionStream(ctx, p.request(prompt))
	if err != nil {
		return made, problem(err)
	}
	defer func() { _ = stream.Close() }() // the answer was read, or failed
	finished := false
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return made, problem(err)
		}
		if part.Usage != nil {
			made.Tokens = int64(part.Usage.TotalTokens)
		}
		for i := range part.Choices {
			finished = finished || part.Choices[i].FinishReason != ""
			add(&made, part.Choices[i].Delta, text)
		}
	}
	if !finished {
		return made, fmt.Errorf("%w: the answer ended early", assistant.ErrProvider)
	}
	return made, nil
}

// problem returns the error without the text of the service, which can repeat the prompt.
func problem(err error) error {
	if refusal, is := errors.AsType[*service.APIError](err); is {
		return assistant.NewServiceError(refusal.HTTPStatusCode, refusal.Type)
	}
	if refusal, is := errors.AsType[*service.RequestError](err); is {
		return assistant.NewServiceError(refusal.HTTPStatusCode, "")
	}
	if _, is := errors.AsType[*url.Error](err); is {
		return fmt.Errorf("%w: %w", assistant.ErrProvider, err)
	}
	return fmt.Errorf("%w: the answer cannot be read", assistant.ErrProvider)
}

// add adds a part of a message. The parts of a call have its index.
func add(made *assistant.Completion, delta service.ChatCompletionStreamChoiceDelta, text func(part string)) {
	if delta.Content != "" {
		made.Text += delta.Content
		if text != nil {
			text(delta.Content)
		}
	}
	for _, part := range delta.ToolCalls {
		at := len(made.Calls) - 1
		if part.Index != nil {
			at = *part.Index
		} else if part.ID != "" {
			at++
		}
		const most = 64
		if at < 0 || at >= most {
			continue
		}
		for len(made.Calls) <= at {
			made.Calls = append(made.Calls, assistant.Call{})
		}
		call := &made.Calls[at]
		call.ID += part.ID
		call.Name += part.Function.Name
		call.Arguments = append(call.Arguments, part.Function.Arguments...)
	}
}

func (p *Provider) request(prompt assistant.Prompt) service.ChatCompletionRequest {
	request := service.ChatCompletionRequest{
		Model: p.model, MaxCompletionTokens: prompt.MaxTokens, Stream: true, StreamOptions: &service.StreamOptions{IncludeUsage: true},
		Messages: []service.ChatCompletionMessage{{Role: service.ChatMessageRoleSystem, Content: prompt.System}},
	}
	if prompt.Model != "" {
		request.Model = prompt.Model
	}
	for _, one := range prompt.Messages {
		request.Messages = append(request.Messages, converted(one)...)
	}
	for _, tool := range prompt.Tools {
		request.Tools = append(request.Tools, service.Tool{Type: service.ToolTypeFunction, Function: &service.FunctionDefinition{
			Name: tool.Name, Description: tool.Title + ". " + tool.Description, Parameters: tool.InputSchema,
		}})
	}
	return request
}

// converted returns a message in the form of the service. Each result is a message of its own.
func converted(m assistant.Message) []service.ChatCompletionMessage {
	if len(m.Results) > 0 {
		results := make([]service.ChatCompletionMessage, 0, len(m.Results))
		for _, one := range m.Results {
			results = append(
				results, service.ChatCompletionMessage{Role: service.ChatMessageRoleTool, ToolCallID: one.ID, Content: one.Text},
			)
		}
		return results
	}
	message := service.ChatCompletionMessage{Role: service.ChatMessageRoleUser, Content: m.Text}
	if m.Role == messages.RoleAssistant {
		message.Role = service.ChatMessageRoleAssistant
	}
	for _, call := range m.Calls {
		message.ToolCalls = append(message.ToolCalls, service.ToolCall{
			ID: call.ID, Type: service.ToolTypeFunction,
			Function: service.FunctionCall{Name: call.Name, Arguments: argumentsOf(call.Arguments)},
		})
	}
	return []service.ChatCompletionMessage{message}
}

// argumentsOf returns the arguments of a call. Services refuse arguments that are no JSON, also if their model wrote them.
func argumentsOf(arguments json.RawMessage) string {
	if text := strings.TrimSpace(string(arguments)); json.Valid([]byte(text)) && text != "" {
		return text
	}
	return "{}"
}
