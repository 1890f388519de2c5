package http

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"equity/captable"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/assistant"
	"equity/http/mcp"
	"equity/messages"
)

// ToolChanges carries out reading tools and keeps changes that wait for a confirmation.
type ToolChanges interface {
	assistant.Changes
	// Run carries out a reading tool, or proposes the change of another one. A refusal is a result.
	Run(ctx context.Context, by messages.ToolUser, name string, arguments json.RawMessage) (messages.ToolOutcome, error)
}

// serveTools answers a request of the Model Context Protocol. Only bearer tokens count: API tokens, and access tokens of OAuth for this resource.
func (s *Server) serveTools(x *exchange) {
	if s.changes == nil { // the assistant, which owns steps and limits, is off
		s.Fail(x.w, api.NoPath(), x.id)
		return
	}
	err := s.receiveSmall(x, "")
	if err == nil {
		err = s.enterQueue(x, "")
	}
	if err != nil {
		s.Fail(x.w, err, x.id)
		return
	}
	caller := api.Caller{Address: s.address(x.r)}
	token, given := bearer(x.r)
	if !given {
		x.w.Header().Set("WWW-Authenticate", s.oauth.Challenge(""))
		s.Fail(x.w, api.Unauthorized(), x.id)
		return
	}
	use := s.tokens.Use
	if strings.HasPrefix(token, messages.OAuthAccessPrefix) {
		use = s.grants.Use
	}
	grant, found, err := use(x.r.Context(), token, x.at)
	switch {
	case err != nil:
		s.Fail(x.w, api.Unavailable(err), x.id)
		return
	case !found:
		x.w.Header().Set("WWW-Authenticate", s.oauth.Challenge("invalid_token"))
		s.Fail(x.w, s.invalidToken(x, caller), x.id)
		return
	}
	caller.User, caller.MustChangePassword, caller.Session, caller.Token = grant.User, grant.MustChangePassword, grant.Handle, &grant
	s.familiar.remember(x.r, caller.User, "")
	x.r.Body = io.NopCloser(x.body())
	if x.small == nil {
		if err := admission.WaitWithoutSlot(x.context(), func() error { return receiveForm(x, mcp.MaxBody) }); err != nil {
			s.Fail(x.w, s.overloaded(err), x.id)
			return
		}
	}
	s.mcp.Serve(x.w, x.r.WithContext(x.context()), s.toolset(caller, x.id))
}

// toolset are the tools of a caller of the Model Context Protocol.
type toolset struct {
	server  *Server
	user    messages.ToolUser
	caller  api.Caller
	changes ToolChanges
}

func (s *Server) toolset(caller api.Caller, id string) toolset {
	in := caller.Token.Organization
	return toolset{s, messages.ToolUser{
		Organization: in, User: caller.User, Credential: caller.Session,
		Tools: api.LimitedTools(s.Kernel, s.assistant.Limits, s.assistant.ToolLimits, caller, in, id),
	}, caller, s.changes}
}

// StepCaller returns the caller that carries out a taken step after a failure: its user, with their present rights.
func (s *Server) StepCaller(step messages.Step) messages.ToolUser {
	caller := api.Caller{User: step.User, Session: step.Credential}
	return messages.ToolUser{
		Organization: step.Organization, User: step.User, Credential: step.Credential, Conversation: step.Conversation,
		Tools: api.NewToolbox(
			s.Kernel, api.ToolCaller{Caller: caller, Organization: step.Organization}, captable.ID[messages.Step](step.ID).String(),
		),
	}
}

// Tools returns the tools that the caller may call.
func (t toolset) Tools(ctx context.Context) ([]messages.Tool, error) { return t.user.Tools.Tools(ctx) }

// Run carries out a reading tool, or proposes the change of another one.
func (t toolset) Run(ctx context.Context, name string, arguments json.RawMessage) (messages.ToolOutcome, error) {
	return t.changes.Run(ctx, t.user, name, arguments)
}

// Confirm confirms a step.
func (t toolset) Confirm(ctx context.Context, id messages.AgentID) (messages.StepDecision, int, error) {
	found, err := t.changes.Step(ctx, t.caller.User, id)
	if err != nil {
		return messages.StepDecision{}, 0, err
	}
	if err := t.caller.Token.Check(found.Class); err != nil {
		return messages.StepDecision{}, 0, err
	}
	decision, err := t.changes.Confirm(ctx, t.user, id, true, "")
	return decision, t.changes.Remaining(decision.Step), err
}

// Companies returns the organizations of the caller.
func (t toolset) Companies(ctx context.Context) ([]mcp.Company, error) {
	found := []mcp.Company{}
	err := t.server.EachHome(ctx, &api.Call{Caller: t.caller}, func(home *api.Call) {
		found = append(found, mcp.Company{ID: home.Organization, Name: home.View.State.Profile().Name})
	})
	return found, err
}
