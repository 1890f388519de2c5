package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/actors/consumer"
	"equity/captable"
	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
)

// Consumer keeps the team of an organization up to date: its members, its name, and the posts of selected events. It starts with the
// link of the team.
type Consumer struct{ *Provisioner }

// NewConsumer returns the consumer.
func NewConsumer(p *Provisioner) *Consumer { return &Consumer{p} }

// The bounds of attempts. They cover an outage of a weekend.
const (
	patience     = 72 * time.Hour
	chunk        = 16
	consumerName = team.ExtensionName
)

// Name returns chat.
func (*Consumer) Name() string { return consumerName }

// Limits returns the bounds of attempts. The states are needed because a member may lose the account that must leave.
func (*Consumer) Limits() consumer.Limits {
	return consumer.Limits{Chunk: chunk, States: true, Patience: patience}
}

// Wants selects changes of members, roles and the name, and the events that the organization posts.
func (*Consumer) Wants(state *organization.State, eventType string, each func(string)) {
	if team.Of(state).ID == "" {
		return
	}
	if isFollowed(eventType) || state.PostsToChat(eventType) {
		each("")
	}
}

// isFollowed reports whether events of the type can have an effect on a team.
func isFollowed(eventType string) bool {
	switch eventType {
	case organization.MemberAdded{}.EventType(), organization.MemberReturned{}.EventType(), organization.MemberChanged{}.EventType(),
		organization.MemberJoined{}.EventType(), organization.MemberClaimed{}.EventType(), organization.MemberDeclined{}.EventType(),
		organization.MemberRemoved{}.EventType(), organization.RoleChanged{}.EventType(), organization.Changed{}.EventType():
		return true
	}
	return false
}

// Handle performs the effects of the next event. One event per call keeps the repetitions after a crash at one post.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, 1)
	if err != nil || len(events) == 0 {
		return consumer.Outcome{Err: err}
	}
	view, err := work.ViewSince(ctx, c.Organizations, events[0].Sequence)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	if view == nil {
		return consumer.Outcome{Later: c.Now().Add(consumer.PublishTime)}
	}
	if err := c.follow(ctx, view, &events[0]); err != nil {
		return consumer.Outcome{Err: explained(err)}
	}
	return consumer.Outcome{Done: 1, Succeeded: true}
}

// explained names the setting to check if the chat server does not accept the token of its administrator.
func explained(err error) error {
	if status := statusOf(err); status == http.StatusUnauthorized {
		return fmt.Errorf("%w: %w", errToken, err)
	}
	return err
}

var errToken = errors.New("the chat server refuses CHAT_ADMIN_BOT_TOKEN")

// follow applies one event. Memberships depend on the present state, so that a repetition or a delay grants no past right.
func (c *Consumer) follow(ctx context.Context, view *messages.View, event *consumer.Event) error {
	linked := team.Of(view.State).ID
	if linked == "" {
		return nil
	}
	if err := c.apply(ctx, view, linked, event); err != nil {
		return err
	}
	if event.After.PostsToChat(event.Type) {
		return c.post(ctx, linked, event)
	}
	return nil
}

// apply updates memberships and names.
func (c *Consumer) apply(ctx context.Context, view *messages.View, team string, event *consumer.Event) error {
	switch event.Type {
	case organization.RoleChanged{}.EventType():
		_, err := c.synchronize(ctx, view, team)
		if errors.Is(err, ErrTeamFull) {
			return nil // it is logged, and must not delay other events
		}
		return err
	case organization.Changed{}.EventType():
		if name := view.State.Profile().Name; name != event.Before.Profile().Name {
			return c.rename(ctx, team, name)
		}
		return nil
	}
	users, err := concerned(event)
	if err != nil {
		return err
	}
	for _, user := range users {
		if err := c.reconcile(ctx, view, team, user); err != nil {
			return err
		}
	}
	return nil
}

// concerned returns the accounts of the member of the event before and after it.
func concerned(event *consumer.Event) (users []organization.UserID, err error) {
	var named struct {
		ID     organization.MemberID `json:"id"`
		Member struct {
			ID organization.MemberID `json:"id"`
		} `json:"member"`
	}
	if !isFollowed(event.Type) {
		return nil, nil
	}
	if err := json.Unmarshal(event.Payload, &named); err != nil {
		return nil, consumer.Permanent(fmt.Errorf("read event: %w", err))
	}
	id := named.ID
	if id.IsZero() {
		id = named.Member.ID
	}
	for _, state := range []*organization.State{event.Before, event.After} {
		if member, ok := state.Member(id); ok && !member.User.IsZero() && !slices.Contains(users, member.User) {
			users = append(users, member.User)
		}
	}
	return users, nil
}

// post writes the text of an event into the channel cap-table. Its pending id makes a repetition return the first post.
func (c *Consumer) post(ctx context.Context, team string, event *consumer.Event) error {
	bot, err := c.server.bot(ctx)
	if err != nil {
		return err
	}
	channel, _, err := c.server.GetChannelByName(ctx, postChannel, team, "")
	if isMissing(err) { // it was archived or renamed
		var id string
		if id, err = c.newChannel(ctx, team, postChannel); err == nil {
			channel = &model.Channel{Id: id}
		}
	}
	if err != nil {
		return permanent(wrapped("find channel", err))
	}
	_, _, err = c.server.CreatePost(ctx, &model.Post{
		ChannelId: channel.Id, Message: text(event), PendingPostId: bot.Id + ":" + event.EventID(),
	})
	return permanent(wrapped("post", err))
}

// permanent marks refusals that no further attempt can repair.
func permanent(err error) error {
	switch statusOf(err) {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return consumer.Permanent(err)
	}
	return err
}

// author returns the name of the author of the event, or an empty text if the author is not a member.
func author(event *consumer.Event) string {
	id, err := captable.ParseID[organization.User](event.By)
	if err != nil {
		return ""
	}
	for _, state := range []*organization.State{event.After, event.Before} {
		if member, ok := state.MemberBy(id); ok {
			return member.FullName
		}
	}
	return ""
}
