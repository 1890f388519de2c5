package organization

import (
	"slices"

	"equity/fault"
)

// mostChatPosts bounds the types of events that an organization posts.
const mostChatPosts = 100

// chatPostFaults returns the faults of the types of events that the organization posts.
func (p Profile) chatPostFaults(m DecideContext) (faults fault.Fields) {
	if len(p.ChatPosts) > mostChatPosts {
		faults.Add("/chatPosts", "maxItems", "chatPosts has at most 100 types.")
	}
	if slices.ContainsFunc(p.ChatPosts, func(name string) bool { return !m.Schema.Knows(name) }) {
		faults.Add("/chatPosts", "enum", "chatPosts must contain types of events of the journal, such as shareholdingIssued.")
	}
	return faults
}

// PostsToChat reports whether the organization posts events of the type in its team.
func (s *State) PostsToChat(eventType string) bool {
	return slices.Contains(s.profile.ChatPosts, eventType)
}
