package actors

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
)

// ToolSettings configure the limits of the calls of tools.
type ToolSettings struct {
	Limits messages.ToolLimits
	Calls  ToolCalls
}

// ToolCalls counts the calls of tools, for all servers. Assistant, MCP and hooks share the limits.
type ToolCalls interface {
	// Count adds a call to those of the organization. It returns all that are counted, and a [messages.CallLimitError] beyond a limit.
	Count(
		ctx context.Context, in organization.ID, kind messages.CallKind, now time.Time, windows []messages.CallWindow,
	) (messages.Calls, error)
	// Counted returns the calls that are counted in the organization.
	Counted(ctx context.Context, in organization.ID) (messages.Calls, error)
}

// toolCalls are the calls of tools of an organization that the store counted last. A call that exceeds a limit by them needs no question to
// the store.
type toolCalls struct{ counted messages.Calls }

// toolVisit counts a call of a tool. The settings are nil without an assistant.
type toolVisit struct {
	messages.ToolUse
	settings *ToolSettings
	patience time.Duration
}

// Enter counts the call. The store counts it in a goroutine, which answers the caller.
func (t toolVisit) Enter(v messages.Visited) {
	s := t.settings
	if s == nil {
		v.Answer(nil, messages.ErrUnavailable)
		return
	}
	kind, windows := messages.CallKind(t.Class), windowsOf(s.Limits)
	if _, err := messages.Remembered[toolCalls](v.Memory).counted.Admit(kind, t.At, windows); err != nil {
		v.Answer(nil, rateLimited(err, t.At))
		return
	}
	go func() { // ends with its deadline
		ctx, cancel := context.WithTimeout(context.Background(), t.patience)
		defer cancel()
		calls, err := s.Calls.Count(ctx, t.Organization, kind, t.At, windows)
		if _, full := errors.AsType[*messages.CallLimitError](err); err != nil && !full {
			v.Log.Warn("a call of a tool was not counted", "cause", err)
			v.Answer(nil, messages.ErrUnavailable)
			return
		}
		v.Later(func(m messages.Memory) { messages.Remembered[toolCalls](m).counted = calls })
		if err != nil {
			v.Answer(nil, rateLimited(err, t.At))
			return
		}
		v.Answer(allowanceOf(calls, s.Limits, t.At), nil)
	}()
}

// The windows of tools by their position.
const (
	windowOfCalls = iota
	windowOfWrites
	windowOfDestructive
)

// windowsOf returns the windows of tools. The first counts the calls of all classes.
func windowsOf(l messages.ToolLimits) []messages.CallWindow {
	const read, write, destructive = messages.CallKind(messages.ToolRead), messages.CallKind(messages.ToolWrite), messages.CallKind(
		messages.ToolDestructive,
	)
	return []messages.CallWindow{
		windowOfCalls:       {Kinds: []messages.CallKind{read, write, destructive}, Limit: l.CallsPerMinute, Span: time.Minute},
		windowOfWrites:      {Kinds: []messages.CallKind{write}, Limit: l.WritesPerMinute, Span: time.Minute},
		windowOfDestructive: {Kinds: []messages.CallKind{destructive}, Limit: l.DestructivePerHour, Span: time.Hour},
	}
}

// rateLimited returns the refusal of a call of a tool for that of the windows.
func rateLimited(err error, now time.Time) error {
	limit, full := errors.AsType[*messages.CallLimitError](err)
	if !full {
		return err
	}
	w := limit.Window
	return messages.RateLimited(messages.ToolClass(w.Kinds[0]), w.Limit, w.Span, now.Add(limit.After), now)
}

// allowanceOf returns the number of calls that the limits permit.
func allowanceOf(calls messages.Calls, limits messages.ToolLimits, now time.Time) messages.ToolAllowance {
	windows := windowsOf(limits)
	return messages.ToolAllowance{
		ToolCalls: calls.Left(windows[windowOfCalls], now), Writes: calls.Left(windows[windowOfWrites], now),
		Destructive: calls.Left(windows[windowOfDestructive], now),
	}
}

// AdmitTool admits a call of a tool in its organization, or refuses it beyond a limit.
func (o *Organizations) AdmitTool(ctx context.Context, use messages.ToolUse) (messages.ToolAllowance, error) {
	settings := &o.shared.settings
	answer, err := o.Visit(ctx, use.Organization, toolVisit{use, settings.Tools, settings.Patience})
	if err != nil {
		return messages.ToolAllowance{}, nothingChanged(err)
	}
	allowance, _ := answer.(messages.ToolAllowance)
	return allowance, nil
}

// ToolAllowance returns the number of calls of tools that an organization permits at the time.
func (o *Organizations) ToolAllowance(ctx context.Context, in organization.ID, at time.Time) (messages.ToolAllowance, error) {
	settings := o.shared.settings.Tools
	if settings == nil {
		return messages.ToolAllowance{}, messages.ErrUnavailable
	}
	calls, err := settings.Calls.Counted(ctx, in)
	if err != nil {
		return messages.ToolAllowance{}, err
	}
	return allowanceOf(calls, settings.Limits, at), nil
}
