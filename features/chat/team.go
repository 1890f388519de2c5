package chat

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
)

// postChannel is the channel of the posts of events.
const postChannel = "cap-table"

// channels returns the names of the channels of each team.
func channels() []string {
	return []string{"general", "announcements", postChannel, "documents", "agent"}
}

// channelTitles returns the displayed names by name.
func channelTitles() map[string]string {
	return map[string]string{
		"general": "General", "announcements": "Announcements", postChannel: "Cap table", "documents": "Documents", "agent": "Agent",
	}
}

// TeamName returns the name of the team of an organization in addresses.
func TeamName(id organization.ID) string { return "org-" + hex.EncodeToString(id[:]) }

// mostTitle bounds the displayed name of a team.
const mostTitle = 64

// title returns the displayed name of the team of an organization.
func title(name string) string {
	const least = 2 // required by the chat server
	if len([]rune(name)) < least {
		name = "The team " + name
	}
	return cut(name, mostTitle)
}

var errForeignTeam = errors.New("another account created a team with the name of the organization's team")

// team returns the team of the organization. It creates the team and its channels if they do not exist.
func (p *Provisioner) team(ctx context.Context, view *messages.View) (string, error) {
	state := view.State
	if linked := team.Of(state); linked.ID != "" {
		return linked.ID, nil
	}
	id := state.ID()
	end, err := p.teams.take(ctx, id) // a team without its first channels refuses further ones
	if err != nil {
		return "", err
	}
	defer end()
	found, err := p.Teams.Team(ctx, id)
	if err != nil {
		return "", err
	}
	if found == "" {
		if found, err = p.newTeam(ctx, id, state.Profile().Name); err != nil {
			return "", err
		}
		if _, err := p.channels(ctx, found); err != nil {
			return "", err
		}
		if found, err = p.Teams.Link(ctx, id, found); err != nil {
			return "", err
		}
	}
	_, err = p.Organizations.Do(ctx, messages.Command{
		Organization: id, By: "system:chat", At: p.Now(),
		Body: team.Link{Team: team.Team{ID: found, Name: TeamName(id)}},
	})
	return found, err
}

// newTeam returns the team with the name of the organization's team, which it creates if it does not exist. A team that another account
// created is refused, because its creator could read it.
func (p *Provisioner) newTeam(ctx context.Context, id organization.ID, name string) (string, error) {
	made, _, err := p.server.CreateTeam(ctx, &model.Team{Name: TeamName(id), DisplayName: title(name), Type: model.TeamInvite})
	switch {
	case err == nil:
		return made.Id, nil
	case !has(err, errorTeamExists):
		return "", fmt.Errorf("create team: %w", err)
	}
	found, _, err := p.server.GetTeamByName(ctx, TeamName(id), "")
	if err != nil {
		return "", fmt.Errorf("find team: %w", err)
	}
	bot, err := p.server.bot(ctx)
	if err != nil {
		return "", err
	}
	if found.Email != bot.Email {
		return "", errForeignTeam
	}
	return found.Id, nil
}

// channels returns the ids of the channels of the team by name. It creates the missing ones.
func (p *Provisioner) channels(ctx context.Context, team string) (map[string]string, error) {
	present, _, err := p.server.GetPublicChannelsForTeam(ctx, team, 0, pageSize, "")
	if err != nil {
		return nil, fmt.Errorf("list channels: %w", err)
	}
	ids := map[string]string{}
	for _, channel := range present {
		ids[channel.Name] = channel.Id
	}
	for _, name := range channels() {
		if ids[name] != "" {
			continue
		}
		if ids[name], err = p.newChannel(ctx, team, name); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (p *Provisioner) newChannel(ctx context.Context, team, name string) (string, error) {
	made, _, err := p.server.CreateChannel(ctx, &model.Channel{
		TeamId: team, Name: name, DisplayName: channelTitles()[name], Type: model.ChannelTypeOpen,
	})
	if has(err, errorChannelExists) {
		made, _, err = p.server.GetChannelByName(ctx, name, team, "")
	}
	if err != nil {
		return "", fmt.Errorf("create channel %s: %w", name, err)
	}
	return made.Id, nil
}

// rename sets the displayed name of the team.
func (p *Provisioner) rename(ctx context.Context, team, name string) error {
	name = title(name)
	_, _, err := p.server.PatchTeam(ctx, team, &model.TeamPatch{DisplayName: &name})
	return wrapped("rename team", err)
}
