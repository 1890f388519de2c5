package actors

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

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

// counted are the calls of an organization that the store counted last. A call that exceeds a limit by them needs no question to the store.
type counted struct{ tools, hooks messages.Calls }

type (
	// toolsCounted and hooksCounted report what the store counted.
	toolsCounted struct{ calls messages.Calls }
	hooksCounted struct{ calls messages.Calls }
)

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*toolsCounted) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*hooksCounted) IgnoreDeadLetterLogging() {}

// assist handles a message of the assistant.
func (o *organizationActor) assist(c actor.Context, e envelope) {
	if o.published == nil {
		tell(c, e.sender, &messages.Reply{Err: errNoOrganization()})
		return
	}
	switch m := e.message.(type) {
	case *messages.ExchangeStart:
		o.exchanges.start(c, m, e.sender, o.shared.settings.Now())
	case *exchangeEnd:
		o.exchanges.end(m.id)
	case *messages.ToolUse:
		o.shared.settings.Tools.count(c, o, m, e.sender)
	}
}

// count counts a call of a tool. The store counts it in a goroutine, which answers the caller. The settings are nil without an assistant.
func (s *ToolSettings) count(c actor.Context, o *organizationActor, use *messages.ToolUse, caller *actor.PID) {
	if s == nil {
		tell(c, caller, &messages.Reply{Err: messages.ErrUnavailable})
		return
	}
	kind, windows := messages.CallKind(use.Class), windowsOf(s.Limits)
	if _, err := o.counted.tools.Admit(kind, use.At, windows); err != nil {
		tell(c, caller, &messages.Reply{Err: rateLimited(err, use.At)})
		return
	}
	self, root, log, patience := c.Self(), c.ActorSystem().Root, o.log, o.shared.settings.Patience
	go func() { // ends with its deadline
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		calls, err := s.Calls.Count(ctx, use.Organization, kind, use.At, windows)
		if _, full := errors.AsType[*messages.CallLimitError](err); err != nil && !full {
			log.Warn("a call of a tool was not counted", "cause", err)
			root.Send(caller, &messages.Reply{Err: messages.ErrUnavailable})
			return
		}
		root.Send(self, &toolsCounted{calls})
		if err != nil {
			root.Send(caller, &messages.Reply{Err: rateLimited(err, use.At)})
			return
		}
		allowance := allowanceOf(calls, s.Limits, use.At)
		root.Send(caller, &allowance)
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
	if err := o.present(ctx, use.Organization); err != nil {
		return messages.ToolAllowance{}, err
	}
	allowance, err := answerTo[messages.ToolAllowance](ctx, o, use.Organization, &use)
	if err != nil {
		return messages.ToolAllowance{}, nothingChanged(err)
	}
	return *allowance, nil
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
