package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"equity/messages"
)

// confirmTool is the name of the tool that carries out a step.
const confirmTool = "confirmStep"

// toolList is a list of tools with a mark for its prepared JSON. It takes the place of the list of the embedded result.
type toolList struct {
	*sdk.ListToolsResult
	Mark json.RawMessage `json:"tools"`
}

// list returns the tools of the caller.
func (c caller) list(ctx context.Context) (sdk.Result, error) {
	c.answer.once.Do(func() { c.answer.list, c.answer.err = c.texts(ctx) })
	if c.answer.err != nil {
		return nil, c.answer.err
	}
	if !c.size.add(c.answer.list.size()) {
		return nil, errProtocol(errTooLarge())
	}
	return &toolList{&sdk.ListToolsResult{Cacheable: sdk.Cacheable{CacheScope: private}}, c.mark}, nil
}

// texts returns the JSON of the tools of the caller.
func (c caller) texts(ctx context.Context) (toolTexts, error) {
	found, err := c.tools.Tools(ctx)
	if err != nil {
		return nil, err
	}
	texts := make(toolTexts, 0, len(found)+1)
	changes := false
	for i := range found {
		changes = changes || found[i].Class.Changes()
		text, err := c.text(found[i].Name, func() *sdk.Tool { return shown(&found[i]) })
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if changes {
		text, err := c.text(confirmTool, confirmation)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// text returns the JSON of a tool. It is kept by the name, because tools do not change while the server runs.
func (s *Server) text(name string, tool func() *sdk.Tool) ([]byte, error) {
	if kept, ok := s.kept.Load(name); ok {
		text, _ := kept.([]byte)
		return text, nil
	}
	text, err := json.Marshal(tool())
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", name, err)
	}
	s.kept.Store(name, text)
	return text, nil
}

// shown returns the protocol's form of a tool.
func shown(tool *messages.Tool) *sdk.Tool {
	destructive, closed := tool.Class == messages.ToolDestructive, false
	return &sdk.Tool{
		Name: tool.Name, Title: tool.Title, Description: tool.Description, InputSchema: tool.InputSchema,
		Annotations: &sdk.ToolAnnotations{
			Title: tool.Title, ReadOnlyHint: tool.Class == messages.ToolRead, DestructiveHint: &destructive, OpenWorldHint: &closed,
		},
	}
}

// confirmation returns the tool that carries out a step.
func confirmation() *sdk.Tool {
	destructive, closed := true, false
	return &sdk.Tool{
		Name: confirmTool, Title: "Confirm a change",
		Description: "Carry out a change that the user has seen as a preview and agreed to. A destructive change needs two confirmations.",
		InputSchema: json.RawMessage(`{"type":"object","required":["stepId"],"additionalProperties":false,` +
			`"properties":{"stepId":{"type":"string","format":"uuid","description":"The stepId of the preview."}}}`),
		Annotations: &sdk.ToolAnnotations{Title: "Confirm a change", DestructiveHint: &destructive, IdempotentHint: true, OpenWorldHint: &closed},
	}
}

// call carries out a call of a tool.
func (c caller) call(ctx context.Context, asked *sdk.CallToolParamsRaw) (sdk.Result, error) {
	if asked.Name == confirmTool {
		return c.confirm(ctx, asked.Arguments), nil
	}
	outcome, err := c.tools.Run(ctx, asked.Name, asked.Arguments)
	if err != nil {
		return c.refused(err), nil
	}
	if outcome.Step == nil {
		if !c.size.addResult(outcome.Result.Body) {
			return c.refused(errTooLarge()), nil
		}
		return result(outcome.Result), nil
	}
	if !c.size.addResult(outcome.Step.Preview) { // the id of a step without its preview is not shown
		return c.refused(errTooLarge()), nil
	}
	made := waiting(outcome.Step, remaining(outcome.Step))
	made.PersonRequired = outcome.Tool.ConfirmAlways
	return structured(made, false), nil
}

// remaining returns the number of confirmations of a new step.
func remaining(step *messages.Step) int {
	if step.Class == messages.ToolDestructive {
		return 2
	}
	return 1
}

// proposal is the answer to a call that needs a confirmation.
type proposal struct {
	Status              string             `json:"status"`
	StepID              uuid.UUID          `json:"stepId"`
	Operation           string             `json:"operation"`
	Class               messages.ToolClass `json:"class"`
	Title               string             `json:"title"`
	ConfirmationsNeeded int                `json:"confirmationsNeeded"`
	// PersonRequired reports that confirmStep refuses the step: the user confirms it in the browser app.
	PersonRequired bool      `json:"personRequired,omitempty"`
	ExpiresAt      time.Time `json:"expiresAt"`
	// Preview contains all arguments in words.
	Preview json.RawMessage `json:"preview,omitempty"`
}

func waiting(step *messages.Step, needed int) proposal {
	return proposal{
		Status: "confirmationRequired", StepID: step.ID, Operation: step.Operation, Class: step.Class, Title: step.Title, ConfirmationsNeeded: needed,
		ExpiresAt: step.ExpiresAt.UTC(), Preview: step.Preview,
	}
}

// decided is the answer to a confirmation.
type decided struct {
	Status              messages.StepStatus `json:"status"`
	StepID              uuid.UUID           `json:"stepId"`
	ConfirmationsNeeded int                 `json:"confirmationsNeeded"`
	Result              json.RawMessage     `json:"result,omitempty"`
	// Next replaces a step whose preview was outdated.
	Next *proposal `json:"next,omitempty"`
}

// confirm confirms a step.
func (c caller) confirm(ctx context.Context, arguments json.RawMessage) *sdk.CallToolResult {
	var given struct {
		StepID uuid.UUID `json:"stepId"`
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil || given.StepID == uuid.Nil {
		return structured(map[string]string{"error": "The arguments must be {\"stepId\": \"<the stepId of a preview>\"}.", "code": "invalidFields"}, true)
	}
	decision, needed, err := c.tools.Confirm(ctx, messages.AgentID(given.StepID))
	if err != nil {
		return c.refused(err)
	}
	shown := decided{Status: decision.Step.Status, StepID: given.StepID, ConfirmationsNeeded: needed}
	failed := decision.Step.Status != messages.StepExecuted && decision.Step.Status != messages.StepConfirmedOnce
	if decision.Result != nil && c.size.addResult(decision.Result.Body) { // the status does not depend on the limit
		shown.Result = decision.Result.Body
	}
	if decision.Next != nil && c.size.addResult(decision.Next.Preview) {
		next := waiting(decision.Next, remaining(decision.Next))
		shown.Next = &next
	}
	return structured(shown, failed)
}

// refused returns an error of the server as the result of a tool.
func (c caller) refused(err error) *sdk.CallToolResult { return structured(c.explain(err), true) }

// result returns the result of an operation.
func result(of messages.ToolResult) *sdk.CallToolResult {
	body := of.Body
	if len(body) == 0 {
		body = json.RawMessage("{}")
	}
	made := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}, IsError: !of.Succeeded()}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) { // older versions of the protocol permit objects only
		made.StructuredContent = body
	}
	return made
}

// structured returns a record as a result.
func structured(record any, failed bool) *sdk.CallToolResult {
	text, err := json.Marshal(record)
	if err != nil {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "The answer cannot be shown."}}, IsError: true}
	}
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text), IsError: failed,
	}
}
