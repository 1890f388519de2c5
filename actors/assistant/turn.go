package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"equity/messages"
)

// turn is the work on one message.
type turn struct {
	*Engine
	in     messages.Question
	sink   messages.ExchangeSink
	fence  fence
	all    []messages.Tool
	chosen map[string]bool
	tools  []messages.Tool
	reply  messages.ExchangeReply
}

// run alternates between the model and its tools until the model answers without a call.
func (t *turn) run(ctx context.Context, history []Message) error {
	var err error
	if t.fence, err = newFence(t.random); err != nil {
		return err
	}
	if t.all, err = t.in.Tools.Tools(ctx); err != nil {
		return err
	}
	t.choose(t.in.Message)
	prompt := Prompt{
		Model: t.in.Model, System: t.fence.rules() + t.fence.wrap(t.in.Situation), MaxTokens: t.settings.MaxOutputTokens,
		Payer:    messages.ModelPayer{Organization: t.in.Organization, User: t.in.User},
		Messages: append(history, t.question()),
	}
	for range maxModelCalls {
		prompt.Tools = t.tools
		made, err := t.provider.Complete(ctx, prompt, t.sink.Text)
		if err != nil {
			return failure(ctx, err)
		}
		if len(made.Calls) == 0 {
			t.reply.Text = made.Text
			return nil
		}
		results, ended, err := t.call(ctx, made.Calls)
		if err != nil {
			return err
		}
		if ended {
			break
		}
		prompt.Messages = append(prompt.Messages,
			Message{Role: messages.RoleAssistant, Text: made.Text, Calls: made.Calls}, Message{Role: messages.RoleUser, Results: results})
	}
	t.reply.Text = "I stopped, because this needs more steps than one message may use. Ask for a smaller part."
	if t.sink.Text != nil {
		t.sink.Text(t.reply.Text)
	}
	return nil
}

// question returns the message for the model. A message from outside is data.
func (t *turn) question() Message {
	if !t.in.Untrusted {
		return Message{Role: messages.RoleUser, Text: t.in.Message}
	}
	text := "A service sent the following message. Answer it as far as the tools permit.\n" + t.fence.wrap(t.in.Message)
	return Message{Role: messages.RoleUser, Text: text, Plain: t.in.Message}
}

// choose sets the tools of the prompt to those that match the text, in addition to the present ones.
func (t *turn) choose(text string) {
	if t.chosen == nil {
		t.chosen = map[string]bool{}
		t.tools = []messages.Tool{findTools()}
	}
	for _, tool := range messages.MatchTools(t.all, text, maxTools) {
		if !t.chosen[tool.Name] && len(t.chosen) < maxTools {
			t.chosen[tool.Name] = true
			t.tools = append(t.tools, tool)
		}
	}
}

// call carries out the calls of the model. It reports whether the exchange has used all its calls.
func (t *turn) call(ctx context.Context, calls []Call) (results []Result, ended bool, err error) {
	for i, call := range calls {
		if len(t.reply.ToolCalls) >= maxToolCalls {
			return nil, true, nil
		}
		if call.ID == "" {
			call.ID = "call" + strconv.Itoa(i)
		}
		result := Result{ID: call.ID, Name: call.Name}
		if call.Name == toolFindTools {
			result.Text = t.find(call.Arguments)
			results = append(results, result)
			t.reply.ToolCalls = append(t.reply.ToolCalls, messages.FinishedCall{
				ID: call.ID, Operation: call.Name, Class: messages.ToolRead, Parameters: parameters(call.Arguments),
				Status: messages.CallSucceeded, Summary: "Searched tools",
			})
			continue
		}
		if result, err = t.execute(ctx, call); err != nil {
			return nil, false, err
		}
		results = append(results, result)
		if ctx.Err() != nil {
			return nil, false, failure(ctx, ctx.Err())
		}
	}
	return results, false, nil
}

// execute carries out one call. Its result is data for the model.
func (t *turn) execute(ctx context.Context, call Call) (Result, error) {
	begin := t.now()
	outcome, err := t.changes.Run(ctx, t.in.ToolUser, call.Name, call.Arguments)
	if err != nil {
		return Result{}, err
	}
	made := messages.FinishedCall{
		ID: call.ID, Operation: call.Name, Class: outcome.Tool.Class, Parameters: parameters(call.Arguments),
		Status:  messages.CallSucceeded,
		Summary: outcome.Tool.Title, Millis: t.now().Sub(begin).Milliseconds(),
	}
	result := Result{ID: call.ID, Name: call.Name, Text: t.fence.wrap(shortened(outcome.Result.Body)), Body: outcome.Result.Body}
	switch {
	case !outcome.Result.Succeeded():
		made.Status, made.Summary, result.Failed = messages.CallRefused, refusalOf(outcome.Result), true
	case outcome.Step != nil:
		made.Status, result.Waiting = messages.CallWaiting, true
		result.Text = "The change waits for the confirmation of the user. It is not carried out yet. Its preview:\n" + result.Text
		t.reply.Steps = append(t.reply.Steps, *outcome.Step)
		if t.sink.Step != nil {
			t.sink.Step(*outcome.Step)
		}
	}
	t.reply.ToolCalls = append(t.reply.ToolCalls, made)
	if t.sink.ToolCall != nil {
		t.sink.ToolCall(made)
	}
	return result, nil
}

// find adds the tools that match a query, and returns their names.
func (t *turn) find(arguments json.RawMessage) string {
	var given struct {
		Query string `json:"query"`
	}
	if json.Unmarshal(arguments, &given) != nil || given.Query == "" {
		return "query is required."
	}
	t.chosen, t.tools = nil, nil
	t.choose(given.Query)
	names := make([]string, 0, len(t.tools))
	for _, tool := range t.tools[1:] {
		names = append(names, tool.Name+": "+tool.Title)
	}
	return "These tools are available now:\n" + strings.Join(names, "\n")
}

// parameters returns the arguments of a call, or an empty object if they are no JSON.
func parameters(arguments json.RawMessage) json.RawMessage {
	if !json.Valid(arguments) || len(bytes.TrimSpace(arguments)) == 0 {
		return json.RawMessage("{}")
	}
	return arguments
}

// maxResult bounds the result of a tool in a prompt, in bytes.
const maxResult = 24 << 10

// shortened returns the beginning of a long result.
func shortened(body []byte) string {
	if len(body) <= maxResult {
		return string(body)
	}
	return strings.ToValidUTF8(string(body[:maxResult]), "") + fmt.Sprintf(
		"… (%d of %d bytes; request less with the parameters)", maxResult, len(body),
	)
}

// refusalOf returns the message of a refusal.
func refusalOf(result messages.ToolResult) string {
	var refusal struct {
		Error   string `json:"error"`
		Message string `json:"message"`
	}
	if json.Unmarshal(result.Body, &refusal) != nil {
		return "Refused"
	}
	if refusal.Message != "" {
		return refusal.Message
	}
	return refusal.Error
}
