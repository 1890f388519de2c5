package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Call carries out an operation for the assistant or MCP, exactly as a request of the caller. A refusal is a result too.
func (t *Toolbox) Call(ctx context.Context, call messages.ToolCall) messages.ToolResult {
	s, now := t.kernel, t.kernel.now()
	run := messages.NewToolRun(call, now)
	answer, err := t.run(messages.WithToolRun(messages.WithOrigin(ctx, cmp.Or(t.by.Origin, messages.OriginAssistant)), run), now, call)
	result := messages.ToolResult{Status: max(answer.Status, http.StatusOK), Sequence: run.Sequence, Location: answer.Location}
	if err == nil {
		result.Body, err = answer.content()
		if err != nil && call.Mode == messages.ToolExecutes { // the change is made, although its answer cannot be shown
			result.Body, err = []byte("{}"), nil
		}
	}
	if err == nil && len(result.Body) > maxToolAnswer && call.Mode == messages.ToolReads {
		err = errNotJSON
	}
	if err != nil && call.Again && s.operations[call.Operation].deletesOutside() && fault.Is(err, fault.NotFound) {
		result.Status, result.Body, err = http.StatusNoContent, []byte("{}"), nil
	}
	if err != nil {
		status, body, _ := s.Explain(err, t.id)
		if status >= http.StatusInternalServerError {
			s.log.Log(
				ctx, FailureLevel(ctx), "tool failed", slog.String("request", t.id), slog.String("operation", call.Operation),
				slog.Int("status", status), slog.Any("error", err),
			)
		}
		result.Status, result.Busy = status, errors.Is(err, messages.ErrKeyBusy)
		result.Body, _ = RenderJSON(body) // such a body always encodes
		return result
	}
	if declared := s.operations[call.Operation].tool; declared != nil {
		result.Body = declared.secrets.without(result.Body)
	}
	if call.Mode == messages.ToolPreviews {
		result.Previewed = run.Previewed()
	}
	return result
}

// run runs the operation of a call. A panic affects only this call.
func (t *Toolbox) run(ctx context.Context, now time.Time, call messages.ToolCall) (answer Answer, err error) {
	s, by := t.kernel, t.by
	defer func() {
		if reason := recover(); reason != nil {
			s.log.Error("panic", slog.String("request", t.id), slog.String("operation", call.Operation),
				slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
			answer, err = Answer{}, fmt.Errorf("%w: %v", ErrPanic, reason)
		}
	}()
	op := s.operations[call.Operation]
	if op == nil || op.Off || op.tool == nil {
		return Answer{}, fault.Refuse(fault.NotFound, "This tool does not exist.")
	}
	if op.Reads() != (call.Mode == messages.ToolReads) {
		return Answer{}, fault.Refuse(fault.Forbidden, "This tool changes records. It needs a confirmation.")
	}
	request := &Request{
		Operation: op.ID, Caller: by.Caller, ID: t.id, At: now, Within: by.Organization,
		CheckOnly: call.Mode == messages.ToolPreviews && !op.canBeTried(),
		// A step that was taken before a failure runs again, also if its operation declares no key.
		Repeated: call.Mode == messages.ToolExecutes && call.Key != "",
		Header: func(name string) string {
			if strings.EqualFold(name, IdempotencyHeader) || strings.EqualFold(name, CommandHeader) {
				return call.Key
			}
			return onlyJSON(name)
		},
	}
	if by.Admit != nil && call.Mode != messages.ToolExecutes {
		request.Admit = func(ctx context.Context, in organization.ID) error { return by.Admit(ctx, in, op.tool.Class) }
	}
	if err := op.setArguments(request, call); err != nil {
		return Answer{}, err
	}
	return s.Run(ctx, request)
}

// deletesOutside reports whether the operation deletes a record outside of the journals, which remember no key. Its repetition finds nothing.
func (op *Operation) deletesOutside() bool {
	return op != nil && op.Method == http.MethodDelete && op.home == "" && !op.canBeTried()
}

// setArguments sets the parameters and the body of the request. The organization of the caller is the default of a missing one.
func (op *Operation) setArguments(r *Request, call messages.ToolCall) error {
	given := map[string]json.RawMessage{}
	if len(call.Arguments) > 0 {
		if err := json.Unmarshal(call.Arguments, &given); err != nil || given == nil {
			return WrongField("", "wrongType", "The arguments of a tool must be a JSON object.")
		}
	}
	for name, value := range given {
		if excludedParameter(name) {
			return WrongField("/"+name, "unknownField", "This parameter does not exist.")
		}
		if len(bytes.TrimSpace(value)) == 0 || string(value) == "null" {
			delete(given, name) // models send null for absent
		}
	}
	if own, err := json.Marshal(r.Within); err == nil && !r.Within.IsZero() {
		op.addOrganization(given, own)
	}
	if call.Mode == messages.ToolPreviews && op.canBeTried() {
		given["dryRun"] = json.RawMessage("true")
	}
	return op.setParameters(r, given)
}

// addOrganization sets the organization in the path or in the body, if it is missing.
func (op *Operation) addOrganization(given map[string]json.RawMessage, own json.RawMessage) {
	if op.hasInPath("organization") && given["organization"] == nil {
		given["organization"] = own
	}
	if op.home != homeInBody {
		return
	}
	var body map[string]json.RawMessage
	if json.Unmarshal(given["body"], &body) == nil && body != nil && body["organization"] == nil {
		body["organization"] = own
		if whole, err := json.Marshal(body); err == nil {
			given["body"] = whole
		}
	}
}

// InToolRuns returns organizations whose commands obey the conditions of confirmed previews.
func InToolRuns(inner Organizations) Organizations { return toolOrganizations{inner} }

type toolOrganizations struct{ Organizations }

// Do carries out a command.
func (o toolOrganizations) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	return messages.DoInToolRun(ctx, o.Organizations.Do, command)
}

// maxToolAnswer bounds the answer of a tool that reads, in bytes.
const maxToolAnswer = 4 << 20

var errNotJSON = fault.Refuse(
	fault.TooLarge, "The answer of a tool has at most 4 MB. Restrict it with the parameters, or read it outside of the assistant.",
)

// content returns the JSON body of the answer.
func (a *Answer) content() ([]byte, error) {
	defer a.Done()
	switch {
	case a.TakeOver != nil:
		return nil, errNotJSON
	case a.Stream != nil:
		limited := &limitedBuffer{}
		if err := a.Stream(limited); err != nil {
			return nil, err
		}
		return limited.Bytes(), nil
	case a.Rendered != nil:
		return a.Rendered, nil
	case a.Record != nil:
		return RenderJSON(a.Record)
	}
	return []byte("{}"), nil
}

// limitedBuffer refuses content beyond the limit of a tool.
type limitedBuffer struct{ bytes.Buffer }

// Write adds the content.
func (b *limitedBuffer) Write(content []byte) (int, error) {
	if b.Len()+len(content) > maxToolAnswer {
		return 0, errNotJSON
	}
	return b.Buffer.Write(content)
}
