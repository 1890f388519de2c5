package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// ToolSettings configure the limits of the calls of tools.
type ToolSettings struct {
	Limits messages.ToolLimits
	Uses   ToolUses
}

// ToolUses stores the calls of tools.
type ToolUses interface {
	// Add stores a call later. It does not block.
	Add(use messages.ToolUse)
	// Since returns the calls in an organization after the time, in their order, with all that were added before.
	Since(ctx context.Context, in organization.ID, since time.Time) ([]messages.ToolUse, error)
}

// toolWindows are the recent calls of tools in an organization. Assistant, MCP and hooks share them.
type toolWindows struct {
	uses    []messages.ToolUse // in their order; nil before they are read
	read    bool
	reading bool
	queued  []envelope // messages that arrived while the calls of the past are read
}

type (
	// toolAllowance requests the number of calls that are permitted now.
	toolAllowance struct{ at time.Time }
	// usesRead is the result of reading the calls of the past.
	usesRead struct {
		of   *organizationActor
		uses []messages.ToolUse
		err  error
	}
)

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*usesRead) IgnoreDeadLetterLogging() {}

// longestWindow is the length of the longest window.
const longestWindow = time.Hour

// assist handles a message of the assistant.
func (o *organizationActor) assist(c actor.Context, e envelope) {
	if o.published == nil {
		tell(c, e.sender, &messages.Reply{Err: errNoOrganization()})
		return
	}
	switch m := e.message.(type) {
	case *messages.ExchangeStart:
		o.exchanges.start(c, m, e.sender, o.shared.settings.Now())
		return
	case *exchangeEnd:
		o.exchanges.end(m.id)
		return
	}
	switch {
	case o.shared.settings.Tools == nil:
		tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
	case !o.tools.read:
		o.tools.readPast(c, o, e)
	default:
		o.tools.handle(c, o.shared.settings.Tools, e)
	}
}

// readPast reads the calls of the past, in a goroutine. The message waits.
func (t *toolWindows) readPast(c actor.Context, o *organizationActor, e envelope) {
	if len(t.queued) >= mostWaiting {
		tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
		return
	}
	t.queued = append(t.queued, e)
	if t.reading {
		return
	}
	t.reading = true
	self, root, settings, since := c.Self(), c.ActorSystem().Root, &o.shared.settings, o.shared.settings.Now().Add(-longestWindow)
	go func() { // ends with its deadline
		ctx, cancel := context.WithTimeout(context.Background(), settings.Patience)
		defer cancel()
		uses, err := settings.Tools.Uses.Since(ctx, o.id, since)
		root.Send(self, &usesRead{o, uses, err})
	}()
}

// takeOver takes over the calls of the past, and handles the messages that waited for them.
func (t *toolWindows) takeOver(c actor.Context, m *usesRead) {
	waiting := t.queued
	t.queued, t.reading = nil, false
	if m.err != nil {
		m.of.log.Warn("the calls of tools were not read", "cause", m.err)
		for _, e := range waiting {
			tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
		}
		return
	}
	t.uses, t.read = m.uses, true
	for _, e := range waiting {
		t.handle(c, m.of.shared.settings.Tools, e)
	}
}

// handle admits a call of a tool, or answers with the remaining calls.
func (t *toolWindows) handle(c actor.Context, settings *ToolSettings, e envelope) {
	switch m := e.message.(type) {
	case *toolAllowance:
		tell(c, e.sender, t.allowance(settings.Limits, m.at))
	case *messages.ToolUse:
		if err := t.admit(settings.Limits, *m); err != nil {
			tell(c, e.sender, &messages.Reply{Err: err})
			return
		}
		settings.Uses.Add(*m)
		tell(c, e.sender, t.allowance(settings.Limits, m.At))
	}
}

// window is a limit of calls in a time.
type window struct {
	class messages.ToolClass // ToolRead stands for the calls of all classes
	limit int
	span  time.Duration
}

// windowsOf returns the windows of a class.
func windowsOf(l messages.ToolLimits, class messages.ToolClass) []window {
	found := []window{{messages.ToolRead, l.CallsPerMinute, time.Minute}}
	switch class {
	case messages.ToolWrite:
		found = append(found, window{class, l.WritesPerMinute, time.Minute})
	case messages.ToolDestructive:
		found = append(found, window{class, l.DestructivePerHour, time.Hour})
	case messages.ToolRead:
	}
	return found
}

// admit adds a call, or refuses it if one of its windows is full.
func (t *toolWindows) admit(limits messages.ToolLimits, use messages.ToolUse) error {
	t.forget(use.At)
	for _, w := range windowsOf(limits, use.Class) {
		inside := t.inside(w, use.At)
		if over := len(inside) - w.limit; over >= 0 {
			retry := use.At.Add(w.span) // a limit of 0
			if w.limit > 0 {
				retry = inside[over].Add(w.span)
			}
			return messages.RateLimited(w.class, w.limit, w.span, retry, use.At)
		}
	}
	t.uses = append(t.uses, use)
	return nil
}

// inside returns the times of the calls in the window.
func (t *toolWindows) inside(w window, now time.Time) []time.Time {
	var found []time.Time
	for _, use := range t.uses {
		if now.Sub(use.At) < w.span && (w.class == messages.ToolRead || w.class == use.Class) {
			found = append(found, use.At)
		}
	}
	return found
}

// forget removes the calls before all windows.
func (t *toolWindows) forget(now time.Time) {
	n := 0
	for n < len(t.uses) && now.Sub(t.uses[n].At) >= longestWindow {
		n++
	}
	t.uses = t.uses[n:]
}

// allowance returns the number of permitted calls.
func (t *toolWindows) allowance(limits messages.ToolLimits, now time.Time) *messages.ToolAllowance {
	left := func(class messages.ToolClass) int {
		windows := windowsOf(limits, class)
		w := windows[len(windows)-1]
		return max(w.limit-len(t.inside(w, now)), 0)
	}
	return &messages.ToolAllowance{ToolCalls: left(messages.ToolRead), Writes: left(messages.ToolWrite), Destructive: left(messages.ToolDestructive)}
}

// AdmitTool admits a call of a tool in its organization, or refuses it beyond a limit.
func (o *Organizations) AdmitTool(ctx context.Context, use messages.ToolUse) (messages.ToolAllowance, error) {
	return o.askAllowance(ctx, use.Organization, &use)
}

// ToolAllowance returns the number of calls of tools that an organization permits at the time.
func (o *Organizations) ToolAllowance(ctx context.Context, in organization.ID, at time.Time) (messages.ToolAllowance, error) {
	return o.askAllowance(ctx, in, &toolAllowance{at})
}

func (o *Organizations) askAllowance(ctx context.Context, in organization.ID, message any) (messages.ToolAllowance, error) {
	if err := o.present(ctx, in); err != nil {
		return messages.ToolAllowance{}, err
	}
	answer, err := o.ask(ctx, in, message, o.shared.settings.Patience)
	if err != nil {
		return messages.ToolAllowance{}, nothingChanged(err)
	}
	allowance, ok := answer.(*messages.ToolAllowance)
	if !ok {
		return messages.ToolAllowance{}, messages.ErrUnavailable
	}
	return *allowance, nil
}
