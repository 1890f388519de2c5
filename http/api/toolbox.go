package api

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

// ToolAdmission limits the calls of tools in an organization.
type ToolAdmission interface {
	AdmitTool(ctx context.Context, use messages.ToolUse) (messages.ToolAllowance, error)
}

// Toolbox executes tools for a caller within the limits of its organization.
type Toolbox struct {
	kernel *Kernel
	by     ToolCaller
	id     string // of the request
}

// NewToolbox returns the tools of a caller. The organization confines them; the zero ID permits all organizations of the caller.
// Calls outside of organizations are limited for each user.
func (s *Kernel) NewToolbox(admission ToolAdmission, limits messages.ToolLimits, caller Caller, in organization.ID, requestID string) *Toolbox {
	admit := func(ctx context.Context, placed organization.ID, class messages.ToolClass) error {
		if placed.IsZero() {
			placed = in
		}
		if placed.IsZero() {
			return s.throttleTools(ctx, limits, caller, class)
		}
		_, err := admission.AdmitTool(ctx, messages.ToolUse{Organization: placed, Class: class, At: s.now()})
		return err
	}
	return &Toolbox{s, ToolCaller{Caller: caller, Organization: in, Admit: admit}, requestID}
}

// throttleTools limits the calls of a user outside of organizations.
func (s *Kernel) throttleTools(ctx context.Context, limits messages.ToolLimits, caller Caller, class messages.ToolClass) error {
	subject := "tools of " + caller.User.String()
	if err := s.Throttle(ctx, subject, limits.CallsPerMinute, time.Minute); err != nil {
		return err
	}
	switch class {
	case messages.ToolWrite:
		return s.Throttle(ctx, subject+" write", limits.WritesPerMinute, time.Minute)
	case messages.ToolDestructive:
		return s.Throttle(ctx, subject+" destructive", limits.DestructivePerHour, time.Hour)
	case messages.ToolRead:
	}
	return nil
}

// Tools returns the tools that the caller may call.
func (t *Toolbox) Tools(ctx context.Context) ([]messages.Tool, error) {
	return t.kernel.Tools(ctx, t.by)
}

// Tool returns one tool; false if it does not exist.
func (t *Toolbox) Tool(name string) (messages.Tool, bool) { return t.kernel.Tool(name) }

// Call carries out a call.
func (t *Toolbox) Call(ctx context.Context, call messages.ToolCall) messages.ToolResult {
	return t.kernel.CallTool(ctx, t.by, t.id, call)
}
