// Package assistant serves the assistant: messages, confirmations of changes, its tools and conversations.
package assistant

import (
	"context"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Engine answers messages.
type Engine interface {
	// Exchange answers a message, and passes the parts of the answer to the sink as they arise.
	Exchange(ctx context.Context, question messages.Question, sink messages.ExchangeSink) (messages.ExchangeReply, error)
	// Provider returns the names of the provider and of its default model.
	Provider() (name, model string)
}

// Changes keeps the changes that wait for a confirmation.
type Changes interface {
	// Step returns a step of the user.
	Step(ctx context.Context, user organization.UserID, id messages.AgentID) (messages.Step, error)
	// Confirm confirms or rejects a step. A repetition with the same key counts once.
	Confirm(ctx context.Context, by messages.ToolUser, id messages.AgentID, confirmed bool, key string) (messages.StepDecision, error)
	// Remaining returns the number of confirmations that a step still needs.
	Remaining(step messages.Step) int
}

// Conversations stores the conversations of users.
type Conversations interface {
	Find(ctx context.Context, in organization.ID, user organization.UserID, id messages.AgentID) (messages.Conversation, error)
	// List returns a page of the conversations of the user, the latest first. Their keys have the time of their last message.
	List(ctx context.Context, in organization.ID, user organization.UserID, page messages.PageQuery) ([]messages.Conversation, error)
	// Messages returns the last messages of a conversation in their order.
	Messages(ctx context.Context, id messages.AgentID, limit int) ([]messages.ConversationMessage, error)
	Delete(ctx context.Context, in organization.ID, user organization.UserID, id messages.AgentID) (bool, error)
}

// Waiting finds the steps that wait for a decision, the earliest first.
type Waiting interface {
	// Of returns those of a conversation.
	Of(ctx context.Context, conversation messages.AgentID, now time.Time) ([]messages.Step, error)
	// DecidedBy returns a page of those that the user can decide about in the session: its own, and those of the user's tokens. They are in the
	// order of their ids.
	DecidedBy(
		ctx context.Context, user organization.UserID, session string, now time.Time, page messages.PageQuery,
	) ([]messages.Step, error)
}

// Limits owns the limits of the calls of tools.
type Limits interface {
	api.ToolAdmission
	// ToolAllowance returns the number of calls that an organization permits at the time.
	ToolAllowance(ctx context.Context, in organization.ID, at time.Time) (messages.ToolAllowance, error)
}

// Services are the dependencies of the package. They are empty if the assistant is disabled.
type Services struct {
	Engine        Engine
	Changes       Changes
	Conversations Conversations
	Steps         Waiting
	Limits        Limits
	// ToolLimits are the configured limits.
	ToolLimits messages.ToolLimits
	Answers    api.Answers
}

type base struct {
	*api.Kernel
	Services
	mcp string
}

// Operations returns the handlers of the package by operation id. MCP is the address of the Model Context Protocol.
func Operations(kernel *api.Kernel, services Services, mcp string) map[string]api.Handler {
	s := base{kernel, services, mcp}
	return map[string]api.Handler{
		"getAgentStatus": s.status, "chatWithAgent": s.chat, "confirmAgentStep": s.confirm, "getAgentContext": s.context,
		"listAgentTools":         s.tools,
		"listAgentSteps":         s.steps,
		"listAgentConversations": s.conversations, "getAgentConversation": s.conversation,
		"deleteAgentConversations": s.deleteAll, "deleteAgentConversation": s.deleteOne,
	}
}

// version is the version of the interface of the assistant.
const version = "1.0"

// status returns whether the assistant is enabled.
func (s base) status(_ context.Context, c *api.Call) (api.Answer, error) {
	state := struct {
		Enabled  bool   `json:"enabled"`
		Version  string `json:"version"`
		Provider string `json:"provider,omitempty"`
		Model    string `json:"model,omitempty"`
		MCP      string `json:"mcp,omitempty"`
	}{Version: version}
	if s.Engine != nil {
		state.Enabled, state.MCP = true, s.mcp
		state.Provider, state.Model = s.Engine.Provider()
	}
	return s.Digested(c, 1, state)
}

// user returns the origin of the tool calls of a request in the organization.
func (s base) user(c *api.Call, in organization.ID, conversation messages.AgentID) messages.ToolUser {
	return messages.ToolUser{
		Organization: in, User: c.Caller.User, Credential: c.Caller.Session, Conversation: conversation,
		Tools: api.LimitedTools(s.Kernel, s.Limits, s.ToolLimits, c.Caller, in, c.ID),
	}
}

// tools returns the tools of the caller.
func (s base) tools(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.user(c, c.Organization, messages.AgentID{}).Tools.Tools(ctx)
	if err != nil {
		return api.Answer{}, err
	}
	page, err := api.ListedByKey(c, found, func(_ int, tool messages.Tool) string { return tool.Name }, showTool)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, c.View.Sequence, page)
}
