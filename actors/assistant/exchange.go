package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"equity/messages"
	"equity/organization"
)

// The bounds of an exchange.
const (
	maxModelCalls = 8
	maxToolCalls  = 20
	maxTime       = 90 * time.Second
	// maxHistory is the number of earlier messages in a prompt.
	maxHistory = 50
)

// Admission limits the exchanges of an organization.
type Admission interface {
	// StartExchange admits an exchange. The caller calls the result at its end.
	StartExchange(ctx context.Context, in organization.ID, start messages.ExchangeStart) (end func(), err error)
}

// Conversations stores conversations.
type Conversations interface {
	Find(ctx context.Context, in organization.ID, user organization.UserID, id messages.AgentID) (messages.Conversation, error)
	// Messages returns the last messages of a conversation in their order.
	Messages(ctx context.Context, id messages.AgentID, limit int) ([]messages.ConversationMessage, error)
	// Append adds messages to a conversation, after creating a new one.
	Append(ctx context.Context, c messages.Conversation, isNew bool, added []messages.ConversationMessage) error
}

// Settings configure an [Engine].
type Settings struct{ MaxOutputTokens int }

// Engine answers messages.
type Engine struct {
	settings      Settings
	provider      Provider
	changes       *Changes
	conversations Conversations
	admission     Admission
	now           func() time.Time
	newID         func() [16]byte
	random        io.Reader
	log           *slog.Logger
}

// NewEngine returns an Engine. Random is a secure source.
func NewEngine(
	settings Settings, provider Provider, changes *Changes, conversations Conversations, admission Admission, random io.Reader,
) *Engine {
	return &Engine{settings, provider, changes, conversations, admission, changes.now, changes.newID, random, changes.log}
}

// Provider returns the names of the provider and of its model.
func (e *Engine) Provider() (name, model string) { return e.provider.Name(), e.provider.Model() }

// Exchange answers a message. The conversation of the caller may be zero for a new one.
func (e *Engine) Exchange(ctx context.Context, in messages.Question, sink messages.ExchangeSink) (messages.ExchangeReply, error) {
	started, isNew := e.now(), in.Conversation == (messages.AgentID{})
	conversation, history, err := e.conversation(ctx, &in, started)
	if err != nil {
		return messages.ExchangeReply{}, err
	}
	limit := maxTime
	if in.Time > 0 && in.Time < limit {
		limit = in.Time
	}
	end, err := e.admission.StartExchange(ctx, in.Organization, messages.ExchangeStart{
		ID: e.newID(), Conversation: conversation.ID, Until: started.Add(limit + grace),
	})
	if err != nil {
		return messages.ExchangeReply{}, err
	}
	defer end()
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	t := &turn{
		Engine: e, in: in, sink: sink, reply: messages.ExchangeReply{Conversation: conversation.ID, ToolCalls: []messages.FinishedCall{}},
	}
	if err := t.run(bounded, history); err != nil {
		return messages.ExchangeReply{}, err
	}
	conversation.UpdatedAt = started
	if err := e.store(context.WithoutCancel(ctx), conversation, isNew, in, t.reply); err != nil {
		return messages.ExchangeReply{}, messages.Unavailable(ctx, "store conversation", err)
	}
	return t.reply, nil
}

// grace is the time in which a stopped exchange stores its messages.
const grace = 10 * time.Second

// conversation returns the conversation of a message with its history.
func (e *Engine) conversation(ctx context.Context, in *messages.Question, now time.Time) (messages.Conversation, []Message, error) {
	if in.Conversation == (messages.AgentID{}) {
		in.Conversation = e.newID()
		return messages.Conversation{
			ID: in.Conversation, Organization: in.Organization, User: in.User, Title: title(in.Message), CreatedAt: now,
		}, historyOf(in.History), nil
	}
	found, err := e.conversations.Find(ctx, in.Organization, in.User, in.Conversation)
	if err != nil {
		return found, nil, messages.Unavailable(ctx, "find conversation", err)
	}
	stored, err := e.conversations.Messages(ctx, found.ID, maxHistory)
	if err != nil {
		return found, nil, messages.Unavailable(ctx, "read conversation", err)
	}
	return found, historyOf(stored), nil
}

// historyOf returns the messages of a conversation for a prompt.
func historyOf(stored []messages.ConversationMessage) []Message {
	history := make([]Message, 0, len(stored)+1)
	for _, one := range stored {
		history = append(history, Message{Role: one.Role, Text: one.Content})
	}
	return history
}

// title returns the beginning of a message.
func title(message string) string {
	const longest = 80
	text := []rune(message)
	return string(text[:min(len(text), longest)])
}

// store adds the message and its answer to the conversation. Exchanges without a user are not kept here.
func (e *Engine) store(ctx context.Context, c messages.Conversation, isNew bool, in messages.Question, reply messages.ExchangeReply) error {
	if in.User == (organization.UserID{}) {
		return nil
	}
	calls, err := json.Marshal(reply.ToolCalls)
	if err != nil {
		return fmt.Errorf("encode tool calls: %w", err)
	}
	return e.conversations.Append(ctx, c, isNew, []messages.ConversationMessage{
		{Role: messages.RoleUser, Content: in.Message, ToolCalls: []byte("[]"), At: c.UpdatedAt},
		{Role: messages.RoleAssistant, Content: reply.Text, ToolCalls: calls, At: e.now()},
	})
}

// failure converts the failure of a provider. Its message names the service; the cause is only logged.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	return messages.Unreachable("The language model", err)
}
