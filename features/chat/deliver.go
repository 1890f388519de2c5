package chat

import (
	"context"
	"net/http"
	"strings"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
)

// The channel of replies of the assistant, and the number of characters of a reply in it.
const (
	agentChannel = "agent"
	mostReply    = 12_000
)

// Deliver posts a reply of the assistant in the team of the organization: in the channel with the name, or in the channel agent if it is
// empty. It returns an empty reason if the text was posted, or the reason for which it was not. The key makes a repetition return the
// first post.
func (p *Provisioner) Deliver(ctx context.Context, id organization.ID, key, to, reply string) (reason string, err error) {
	view, err := p.Organizations.View(ctx, id)
	if err != nil {
		return "", err
	}
	linked := team.Of(view.State).ID
	if linked == "" {
		return messages.HookNotConfigured, nil
	}
	bot, err := p.server.bot(ctx)
	if err != nil {
		return "", err
	}
	name := strings.ToLower(strings.TrimLeft(strings.TrimSpace(to), "#~"))
	if name == "" {
		name = agentChannel
	}
	channel, _, err := p.server.GetChannelByName(ctx, name, linked, "")
	switch {
	case isMissing(err) && name != agentChannel, err != nil && statusOf(err) == http.StatusBadRequest:
		return messages.HookNoChannel, nil
	case isMissing(err): // it was archived or renamed
		var made string
		if made, err = p.newChannel(ctx, linked, name); err == nil {
			channel = &model.Channel{Id: made}
		}
	}
	if err != nil {
		return "", wrapped("find channel", err)
	}
	_, _, err = p.server.CreatePost(ctx, &model.Post{ChannelId: channel.Id, Message: harmless(reply), PendingPostId: bot.Id + ":" + key})
	return "", wrapped("post", err)
}

// harmless returns the text without mentions, links and images, because a model wrote it. A zero-width space keeps it readable.
func harmless(reply string) string {
	if runes := []rune(reply); len(runes) > mostReply {
		reply = string(runes[:mostReply]) + " …"
	}
	return strings.NewReplacer("@", "@\u200b", "://", ":\u200b//", "www.", "www\u200b.", "](", "]\u200b(", "![", "!\u200b[", "][", "]\u200b[").Replace(reply)
}
