package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"equity/messages"
)

// Names of the tools that are no operations.
const (
	confirmTool = "confirmStep" // carries out a step
	searchTool  = "findTools"   // searches the tools that are not listed
	callTool    = "callTool"    // calls a tool that was found
)

// toolList is a list of tools with a mark for its prepared JSON. It takes the place of the list of the embedded result.
type toolList struct {
	*sdk.ListToolsResult
	Mark json.RawMessage `json:"tools"`
}

// list returns the common tools of the caller, and those that find and call the others. Clients refuse long lists, or fill the context of
// their model with them.
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

// texts returns the JSON of the listed tools of the caller.
func (c caller) texts(ctx context.Context) (toolTexts, error) {
	found, err := c.tools.Tools(ctx)
	if err != nil {
		return nil, err
	}
	listed := []*sdk.Tool{search()}
	changes := slices.ContainsFunc(found, func(t messages.Tool) bool { return t.Class.Changes() })
	if changes {
		listed = append(listed, confirmation())
	}
	texts := make(toolTexts, 0, len(found))
	for i := range found {
		if !found[i].Common {
			continue
		}
		text, err := c.text(&found[i])
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	for _, tool := range slices.Concat(listed, []*sdk.Tool{indirection(changes)}) {
		text, err := json.Marshal(tool)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// text returns the JSON of a tool. It is kept by the name, because tools do not change while the server runs.
func (s *Server) text(tool *messages.Tool) ([]byte, error) {
	if kept, ok := s.kept.Load(tool.Name); ok {
		text, _ := kept.([]byte)
		return text, nil
	}
	text, err := json.Marshal(shown(tool))
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", tool.Name, err)
	}
	s.kept.Store(tool.Name, text)
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
		Annotations: &sdk.ToolAnnotations{
			Title: "Confirm a change", DestructiveHint: &destructive, IdempotentHint: true, OpenWorldHint: &closed,
		},
	}
}

// call carries out a call of a tool.
func (c caller) call(ctx context.Context, asked *sdk.CallToolParamsRaw) (sdk.Result, error) {
	switch asked.Name {
	case confirmTool:
		return c.confirm(ctx, asked.Arguments), nil
	case searchTool:
		return c.find(ctx, asked.Arguments)
	case callTool:
		var given struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if !decode(asked.Arguments, &given) || given.Name == "" {
			return invalid(`{"name": "<the name of a tool>", "arguments": {…}}`), nil
		}
		return c.run(ctx, given.Name, given.Arguments), nil
	}
	return c.run(ctx, asked.Name, asked.Arguments), nil
}

// run carries out a reading operation, or proposes the change of another one.
func (c caller) run(ctx context.Context, name string, arguments json.RawMessage) *sdk.CallToolResult {
	outcome, err := c.tools.Run(ctx, name, arguments)
	if err != nil {
		return c.refused(err)
	}
	if outcome.Step == nil {
		if !c.size.addResult(outcome.Result.Body) {
			return c.refused(errTooLarge())
		}
		return result(outcome.Result)
	}
	if !c.size.addResult(outcome.Step.Preview) { // the id of a step without its preview is not shown
		return c.refused(errTooLarge())
	}
	made := waiting(outcome.Step, remaining(outcome.Step))
	made.PersonRequired = outcome.Tool.ConfirmAlways
	return structured(made, false)
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
		Status: "confirmationRequired", StepID: step.ID, Operation: step.Operation, Class: step.Class, Title: step.Title,
		ConfirmationsNeeded: needed,
		ExpiresAt:           step.ExpiresAt.UTC(), Preview: step.Preview,
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
	if !decode(arguments, &given) || given.StepID == uuid.Nil {
		return invalid(`{"stepId": "<the stepId of a preview>"}`)
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

// decode reads the arguments of a tool without unknown fields.
func decode(arguments json.RawMessage, to any) bool {
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	return decoder.Decode(to) == nil
}

// invalid refuses arguments of another form.
func invalid(form string) *sdk.CallToolResult {
	return structured(map[string]string{"error": "The arguments must be " + form + ".", "code": "invalidFields"}, true)
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
