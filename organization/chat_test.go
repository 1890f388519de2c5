package organization_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// chatting returns a state with an owner, and a function that executes further commands and returns the events.
func chatting(t *testing.T) (*organization.State, func(organization.Command) []organization.Event) {
	t.Helper()
	state, sequence, ids := organization.NewState(), uint64(0), byte(10)
	do := func(command organization.Command) []organization.Event {
		events, err := organization.Decide(state, command, organization.DecideContext{Now: time.Unix(1, 0), NewID: func() (id [16]byte) {
			ids++
			id[0] = ids
			return id
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			sequence++
			state.Apply(event, captable.Stamp{Sequence: sequence, At: captable.InstantOf(time.Unix(1, 0))})
		}
		return events
	}
	do(organization.Create{
		ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"},
	})
	return state, do
}

func TestChatTeamIsLinkedOnce(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	team := organization.ChatTeam{ID: "t1", Name: "org-1"}
	first, second := do(organization.LinkChatTeam{Team: team}), do(organization.LinkChatTeam{Team: team})
	if len(first) != 1 || len(second) != 0 || state.ChatTeam() != team {
		t.Errorf("%v, then %v: %v", first, second, state.ChatTeam())
	}
}

func TestSnapshotContainsTheChatTeam(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	do(organization.LinkChatTeam{Team: organization.ChatTeam{ID: "t1", Name: "org-1"}})
	restored, err := organization.Restore(state.Snapshot())
	if err != nil || restored.ChatTeam() != state.ChatTeam() {
		t.Errorf("%v, %v", restored.ChatTeam(), err)
	}
}

func TestCopyDoesNotShareTheChatTeam(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	before := state.Copy()
	do(organization.LinkChatTeam{Team: organization.ChatTeam{ID: "t1", Name: "org-1"}})
	if before.ChatTeam().ID != "" {
		t.Error("the copy has the team")
	}
}

func TestChatTeamNeedsAnId(t *testing.T) {
	t.Parallel()
	state, _ := chatting(t)
	_, err := organization.Decide(state, organization.LinkChatTeam{}, organization.DecideContext{})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestMembersWithAnyRoleBeyondTheirOwnRecordsMayChat(t *testing.T) {
	t.Parallel()
	for role, may := range map[string]bool{
		organization.RoleOwner: true, organization.RoleInvestor: true, organization.RoleSignatory: true, organization.RoleGuest: false, "": false,
	} {
		state, do := chatting(t)
		terms := organization.MemberTerms{FullName: "Ada"}
		if role != "" {
			terms.Roles = []string{role}
		}
		added, _ := do(organization.AddMember{MemberTerms: terms})[0].(organization.MemberAdded)
		user := organization.UserID{7}
		if state.MayChat(user) {
			t.Errorf("a stranger may chat")
		}
		do(organization.ClaimMember{Entity: added.Member.Entity, User: user})
		if state.MayChat(user) != may {
			t.Errorf("role %q: %v", role, !may)
		}
	}
}

func TestRemovedMemberMayNotChat(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	added, _ := do(
		organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Ada", Roles: []string{organization.RoleLegal}}},
	)[0].(organization.MemberAdded)
	user := organization.UserID{7}
	do(organization.ClaimMember{Entity: added.Member.Entity, User: user})
	do(organization.RemoveMember{ID: added.Member.ID})
	if state.MayChat(user) {
		t.Error("a removed member may chat")
	}
}

func TestUnknownTypeOfPostsIsRefused(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	do(organization.Amend{Patch: []byte(`{"chatPosts":["shareholdingIssued"]}`)})
	if !state.PostsToChat("shareholdingIssued") || state.PostsToChat("memberAdded") {
		t.Errorf("%v", state.Profile().ChatPosts)
	}
	_, err := organization.Decide(state, organization.Amend{Patch: []byte(`{"chatPosts":["shareholdingissued"]}`)}, organization.DecideContext{})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}
