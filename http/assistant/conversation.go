package assistant

import (
	"context"
	"encoding/json"
	"net/http"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

type (
	conversation struct {
		ID        captable.ID[conversationKind] `json:"id"`
		Title     string                        `json:"title"`
		CreatedAt captable.Instant              `json:"createdAt"`
		UpdatedAt captable.Instant              `json:"updatedAt"`
	}
	conversationMessage struct {
		Role      string           `json:"role"`
		Content   string           `json:"content"`
		At        captable.Instant `json:"at"`
		ToolCalls json.RawMessage  `json:"toolCalls"`
	}
	conversationDetails struct {
		conversation
		Messages             []conversationMessage `json:"messages"`
		PendingConfirmations []step                `json:"pendingConfirmations"`
	}
)

func showConversation(c messages.Conversation) conversation {
	return conversation{c.ID, c.Title, captable.InstantOf(c.CreatedAt), captable.InstantOf(c.UpdatedAt)}
}

// conversations returns the caller's conversations.
func (s base) conversations(ctx context.Context, c *api.Call) (api.Answer, error) {
	read := func(page messages.PageQuery) ([]messages.Conversation, error) {
		return s.Conversations.List(ctx, c.Organization, c.Caller.User, page)
	}
	page, err := api.StoredPage(c, read, conversationKey, showConversation)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, 1, page)
}

func conversationKey(one messages.Conversation) messages.RecordKey {
	return messages.RecordKey{At: one.UpdatedAt, ID: one.ID}
}

// conversation returns a conversation with its messages.
func (s base) conversation(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Conversations.Find(
		ctx, c.Organization, c.Caller.User, messages.AgentID(api.PathID[conversationKind](c, "conversation")),
	)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	said, err := s.Conversations.Messages(ctx, found.ID, api.MostListed)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	waiting, err := s.Steps.Of(ctx, found.ID, c.At)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	details := conversationDetails{showConversation(found), make([]conversationMessage, 0, len(said)), s.showSteps(waiting)}
	for _, one := range said {
		details.Messages = append(details.Messages, conversationMessage{one.Role, one.Content, captable.InstantOf(one.At), one.ToolCalls})
	}
	return s.Digested(c, 1, details)
}

// deleteOne deletes a conversation of the caller.
func (s base) deleteOne(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Conversations.Delete(
		ctx, c.Organization, c.Caller.User, messages.AgentID(api.PathID[conversationKind](c, "conversation")),
	)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if !found {
		return api.Answer{}, messages.ErrNoConversation
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

// deleteAll deletes the caller's conversations in the organization.
func (s base) deleteAll(ctx context.Context, c *api.Call) (api.Answer, error) {
	for {
		found, err := s.Conversations.List(ctx, c.Organization, c.Caller.User, messages.PageQuery{Limit: api.MostListed})
		if err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
		for _, one := range found {
			if _, err := s.Conversations.Delete(ctx, c.Organization, c.Caller.User, one.ID); err != nil {
				return api.Answer{}, api.Unavailable(err)
			}
		}
		if len(found) < api.MostListed {
			return api.Answer{Status: http.StatusNoContent}, nil
		}
	}
}
