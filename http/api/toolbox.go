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

// Toolbox executes tools for a caller.
type Toolbox struct {
	kernel *Kernel
	by     ToolCaller
	id     string // of the request
}

// NewToolbox returns the tools of a caller. The id of the request identifies the calls in logs and answers.
func NewToolbox(s *Kernel, by ToolCaller, requestID string) *Toolbox {
	return &Toolbox{s, by, requestID}
}

// LimitedTools returns the tools of a caller within the limits of the organization, which confines them; the zero ID permits all
// organizations of the caller. Calls outside of organizations are limited for each user.
func LimitedTools(
	s *Kernel, admission ToolAdmission, limits messages.ToolLimits, caller Caller, in organization.ID, requestID string,
) *Toolbox {
	admit := func(ctx context.Context, placed organization.ID, class messages.ToolClass) error {
		if placed.IsZero() {
			placed = in
		}
		if placed.IsZero() {
			return throttleTools(ctx, s, limits, caller, class)
		}
		_, err := admission.AdmitTool(ctx, messages.ToolUse{Organization: placed, Class: class, At: s.now()})
		return err
	}
	return NewToolbox(s, ToolCaller{Caller: caller, Organization: in, Admit: admit}, requestID)
}

// throttleTools limits the calls of a user outside of organizations.
func throttleTools(ctx context.Context, s *Kernel, limits messages.ToolLimits, caller Caller, class messages.ToolClass) error {
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
