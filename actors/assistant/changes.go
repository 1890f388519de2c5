package assistant

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"equity/messages"
	"equity/organization"
)

// Steps stores steps.
type Steps interface {
	Add(ctx context.Context, step messages.Step) error
	// Find returns a step of the user, or messages.ErrNoStep.
	Find(ctx context.Context, user organization.UserID, id messages.AgentID) (messages.Step, error)
	// Decide replaces a step that has the status. It reports whether the step still had it.
	Decide(ctx context.Context, from messages.StepStatus, step messages.Step) (bool, error)
	// Unsettled returns at most limit steps without a result that were taken in the time, the earliest first.
	Unsettled(ctx context.Context, after, before time.Time, limit int) ([]messages.Step, error)
	// Supersede replaces a step that has the status by another one. It reports whether the step still had it.
	Supersede(ctx context.Context, from messages.StepStatus, step, next messages.Step) (bool, error)
}

// Changes executes tools. Calls that change something become steps.
type Changes struct {
	steps Steps
	// confirmWrites requires a confirmation of writing calls. Destructive ones and those that give authority always need one.
	confirmWrites bool
	now           func() time.Time
	newID         func() [16]byte
	log           *slog.Logger
}

// NewChanges returns a Changes.
func NewChanges(steps Steps, confirmWrites bool, now func() time.Time, newID func() [16]byte, log *slog.Logger) *Changes {
	return &Changes{steps, confirmWrites, now, newID, log}
}

// Run carries out a call of a tool, or proposes the change. The arguments are a JSON object; empty if absent.
func (s *Changes) Run(ctx context.Context, by messages.ToolUser, name string, arguments json.RawMessage) (messages.ToolOutcome, error) {
	tool, ok := by.Tools.Tool(name)
	if !ok {
		return messages.ToolOutcome{Tool: messages.Tool{Name: name}, Result: noTool()}, nil
	}
	outcome := messages.ToolOutcome{Tool: tool}
	if tool.Class == messages.ToolRead {
		outcome.Result = by.Tools.Call(ctx, messages.ToolCall{Operation: name, Arguments: arguments, Mode: messages.ToolReads})
		return outcome, nil
	}
	outcome.Result = by.Tools.Call(ctx, messages.ToolCall{Operation: name, Arguments: arguments, Mode: messages.ToolPreviews})
	if !outcome.Result.Succeeded() {
		return outcome, nil
	}
	step := s.step(by, tool, arguments, outcome.Result)
	if tool.Class == messages.ToolWrite && !s.confirmWrites && !tool.ConfirmAlways && by.User != (organization.UserID{}) {
		outcome.Result = by.Tools.Call(ctx, execution(step, false))
		return outcome, nil
	}
	if err := s.steps.Add(ctx, step); err != nil {
		return outcome, messages.Unavailable(ctx, "store step", err)
	}
	outcome.Step = &step
	return outcome, nil
}

// noTool is the result of a call of an unknown tool.
func noTool() messages.ToolResult {
	return messages.ToolResult{Status: http.StatusNotFound, Body: []byte(`{"error":"This tool does not exist.","code":"resourceNotFound"}`)}
}

// step returns a step for the result of a preview.
func (s *Changes) step(by messages.ToolUser, tool messages.Tool, arguments json.RawMessage, result messages.ToolResult) messages.Step {
	now := s.now()
	return messages.Step{
		ID: s.newID(), Organization: by.Organization, User: by.User, Credential: by.Credential, Conversation: by.Conversation,
		Operation: tool.Name, Class: tool.Class, Title: tool.Title, Arguments: arguments, Preview: result.Body, Previewed: result.Previewed,
		Basis: result.Sequence, Status: messages.StepPending, CreatedAt: now, ExpiresAt: now.Add(messages.StepValid),
	}
}

// execution returns the call that carries out a confirmed step, or carries it out again.
func execution(step messages.Step, again bool) messages.ToolCall {
	return messages.ToolCall{
		Operation: step.Operation, Arguments: step.Arguments, Mode: messages.ToolExecutes, Key: stepKey(step.ID), Again: again,
		Previewed: step.Previewed,
	}
}
