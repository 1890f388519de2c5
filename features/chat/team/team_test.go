package team_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/features/chat/team"
	"equity/organization"
)

// schema returns the schema of a program with the room.
func schema() *organization.Schema { return organization.NewSchema(team.Extension()) }

// chatting returns a state with an owner, and a function that executes further commands and returns the events.
func chatting(t *testing.T) (*organization.State, func(organization.Command) []organization.Event) {
	t.Helper()
	state, sequence, ids := organization.NewState(), uint64(0), byte(10)
	do := func(command organization.Command) []organization.Event {
		events, err := organization.Decide(state, command, organization.DecideContext{Schema: schema(), Now: time.Unix(1, 0), NewID: func() (id [16]byte) {
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
	linked := team.Team{ID: "t1", Name: "org-1"}
	first, second := do(team.Link{Team: linked}), do(team.Link{Team: linked})
	if len(first) != 1 || len(second) != 0 || team.Of(state) != linked {
		t.Errorf("%v, then %v: %v", first, second, team.Of(state))
	}
}

func TestSnapshotContainsTheChatTeam(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	do(team.Link{Team: team.Team{ID: "t1", Name: "org-1"}})
	restored, err := schema().Restore(string(state.Snapshot()))
	if err != nil || team.Of(restored) != team.Of(state) {
		t.Errorf("%v, %v", team.Of(restored), err)
	}
}

func TestCopyDoesNotShareTheChatTeam(t *testing.T) {
	t.Parallel()
	state, do := chatting(t)
	before := state.Copy()
	do(team.Link{Team: team.Team{ID: "t1", Name: "org-1"}})
	if team.Of(before).ID != "" {
		t.Error("the copy has the team")
	}
}

func TestChatTeamNeedsAnId(t *testing.T) {
	t.Parallel()
	state, _ := chatting(t)
	_, err := organization.Decide(state, team.Link{}, organization.DecideContext{})
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
		if team.MayChat(state, user) {
			t.Errorf("a stranger may chat")
		}
		do(organization.ClaimMember{Entity: added.Member.Entity, User: user})
		if team.MayChat(state, user) != may {
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
	if team.MayChat(state, user) {
		t.Error("a removed member may chat")
	}
}

func TestMemberWhoJoinedWithoutARoleMayNotChat(t *testing.T) {
	t.Parallel()
	state, _ := chatting(t)
	id, user := organization.MemberID{8}, organization.UserID{7}
	for _, event := range []organization.Event{ // of an earlier version
		organization.MemberAdded{Member: organization.Member{
			ID: id, Entity: captable.EntityID{9}, Status: organization.StatusInvited,
			MemberTerms: organization.MemberTerms{FullName: "Bob", Roles: []string{}},
		}},
		organization.MemberInvited{ID: id, Hash: organization.TokenHash{7}, ExpiresAt: captable.InstantOf(time.Unix(2, 0))},
		organization.MemberJoined{ID: id, User: user},
	} {
		state.Apply(event, captable.Stamp{Sequence: 9, At: captable.InstantOf(time.Unix(1, 0))})
	}
	if team.MayChat(state, user) {
		t.Error("a member without roles may chat")
	}
}

func TestLinkOfTheTeamConcernsTheOrganization(t *testing.T) {
	t.Parallel()
	state, _ := chatting(t)
	want := []organization.Reference{{Kind: organization.KindOrganization, ID: state.ID()}}
	if got := schema().References(team.Linked{}, state); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAuthorsGainByNoLinkOfTheTeam(t *testing.T) {
	t.Parallel()
	if organization.MayGain(team.Linked{}.EventType()) {
		t.Error("the link of a team may be a gain")
	}
}

func TestLinkOfTheTeamHasNoPrivateFields(t *testing.T) {
	t.Parallel()
	if private := organization.PrivateFields(team.Linked{}.EventType(), organization.PrivateVersion); private != nil {
		t.Errorf("%v", private)
	}
}

func TestStoredLinksStayReadable(t *testing.T) {
	t.Parallel()
	const stored = `{"team":{"id":"t1","name":"org-1"}}`
	event, err := schema().Decode("chatTeamLinked", []byte(stored))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(event)
	if want := (team.Linked{Team: team.Team{ID: "t1", Name: "org-1"}}); err != nil || event != want || string(written) != stored {
		t.Errorf("%v %s %v", event, written, err)
	}
}
