package organization

import (
	"encoding/json"
	"slices"

	"equity/captable"
	"equity/fault"
)

// ChatTeam is the team of an organization at the chat server.
type ChatTeam struct {
	// ID identifies the team at the chat server. It is empty without a team.
	ID string `json:"id"`
	// Name is the name of the team in addresses.
	Name string `json:"name"`
}

// LinkChatTeam records the team of the organization at the chat server.
type LinkChatTeam struct{ Team ChatTeam }

// ChatTeamLinked records the team of the organization at the chat server.
type ChatTeamLinked struct {
	Team ChatTeam `json:"team"`
}

// EventType returns the event's name in the journal.
func (ChatTeamLinked) EventType() string { return "chatTeamLinked" }

// Creates returns nil: the team is a record of the chat server.
func (ChatTeamLinked) Creates() []captable.Created { return nil }

// Records returns nil: the organization is the state itself.
func (ChatTeamLinked) Records(*State) []any { return nil }

func (ChatTeamLinked) Affects(s *State) []Reference { return affected(KindOrganization, s.ID()) }

func (e ChatTeamLinked) Apply(s *State, _ captable.Stamp) { s.chatTeam = e.Team }

// Decide returns no event if the team is linked already.
func (c LinkChatTeam) Decide(s *State, _ DecideContext) ([]Event, error) {
	switch {
	case c.Team.ID == "" || c.Team.Name == "":
		return nil, fault.InvalidField("/team", "required", "The id and the name of the team are required.")
	case s.id.IsZero():
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	case c.Team == s.chatTeam:
		return nil, nil
	}
	return []Event{ChatTeamLinked(c)}, nil
}

// ChatTeam returns the team of the organization at the chat server. It is zero without a team.
func (s *State) ChatTeam() ChatTeam { return s.chatTeam }

// MayChat reports whether the user is a member with a permission beyond those of a holder.
func (s *State) MayChat(user UserID) bool {
	member, ok := s.MemberBy(user)
	return ok && member.Status == StatusJoined && s.permissionsOfMember(member)&^holderPermissions != 0
}

// mostChatPosts bounds the types of events that an organization posts.
const mostChatPosts = 100

// chatPostFaults returns the faults of the types of events that the organization posts.
func (p Profile) chatPostFaults(m DecideContext) (faults fault.Fields) {
	if len(p.ChatPosts) > mostChatPosts {
		faults.Add("/chatPosts", "maxItems", "chatPosts has at most 100 types.")
	}
	if slices.ContainsFunc(p.ChatPosts, func(name string) bool { return !m.knows(name) }) {
		faults.Add("/chatPosts", "enum", "chatPosts must contain types of events of the journal, such as shareholdingIssued.")
	}
	return faults
}

// PostsToChat reports whether the organization posts events of the type in its team.
func (s *State) PostsToChat(eventType string) bool {
	return slices.Contains(s.profile.ChatPosts, eventType)
}

// packChatTeam packs the team as JSON, because there is at most one.
func (s *State) packChatTeam(p *captable.Packer) error {
	packed, err := json.Marshal(s.chatTeam)
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	return json.Unmarshal([]byte(text), &s.chatTeam)
}
