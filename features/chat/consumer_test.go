package chat_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/features/chat/chattest"
	"equity/messages"
	"equity/organization"
)

// members waits for the number of members of the team, including the administrator.
func (w *world) members(number int) {
	w.Helper()
	w.until("the members of the team", func() bool { return len(w.chat.Members(w.T, w.team())) == number })
}

func TestConsumerAddsAJoinedMember(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	w.join(ada, organization.RoleLegal)
	w.members(3)
}

func TestConsumerRemovesAMember(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	member := w.join(ada, organization.RoleLegal)
	session, begin := w.open(ada), time.Now()
	w.do(organization.RemoveMember{ID: member})
	w.until("the member left and the token is dead", func() bool {
		return !w.chat.Members(t, w.team())[session.ChatUser] && !w.chat.Accepts(t, session.Token)
	})
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the removal took %s", took)
	}
	w.until("the account is forgotten", func() bool {
		_, mapped, err := w.accounts.Account(t.Context(), ada.ID)
		return err == nil && !mapped
	})
}

func TestConsumerRemovesAMemberWithoutARoleBeyondTheirOwnRecords(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	member := w.join(w.person("Ada", "Member"), organization.RoleLegal)
	w.members(3)
	w.do(organization.AmendMember{ID: member, Patch: []byte(`{"roles":["Guest"]}`)})
	w.members(2)
	w.do(organization.AmendMember{ID: member, Patch: []byte(`{"roles":["Auditor"]}`)})
	w.members(3)
}

func TestConsumerFollowsAChangedRole(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	terms := organization.RoleTerms{Name: "Observer", Permissions: organization.NewPermissions(organization.ViewSelf)}
	w.do(organization.CreateRole{RoleTerms: terms})
	w.join(w.person("Ada", "Member"), "Observer")
	terms.Permissions = organization.NewPermissions(organization.ViewOrganization, organization.ViewDocuments)
	role := w.view().State.Roles()[len(organization.BuiltInRoles())].ID
	w.do(organization.ReplaceRole{ID: role, RoleTerms: terms})
	w.members(3)
	terms.Permissions = organization.NewPermissions(organization.ViewSelf)
	w.do(organization.ReplaceRole{ID: role, RoleTerms: terms})
	w.members(2)
}

func TestAccountOfAMemberOfAnotherOrganizationIsRemembered(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	w.found(ada)
	member := w.join(ada, organization.RoleLegal)
	session := w.open(ada)
	w.do(organization.RemoveMember{ID: member})
	w.until("the member left and the token is dead", func() bool {
		return !w.chat.Members(t, w.team())[session.ChatUser] && !w.chat.Accepts(t, session.Token)
	})
	account, mapped, err := w.accounts.Account(t.Context(), ada.ID)
	if err != nil || !mapped || account.ChatUser != session.ChatUser {
		t.Errorf("%+v %v %v", account, mapped, err)
	}
}

func TestConsumerRemovesTheAccountOfAMemberThatWasAddedAgain(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	member := w.join(ada, organization.RoleLegal)
	session := w.open(ada)
	w.down()
	w.do(organization.RemoveMember{ID: member})
	w.do(organization.AddMember{Entity: ada.Entity, MemberTerms: organization.MemberTerms{FullName: "Ada", Roles: []string{organization.RoleLegal}}})
	w.proxy.Break(nil)
	w.until("the account left", func() bool {
		w.pass(time.Minute)
		return !w.chat.Members(t, w.team())[session.ChatUser] && !w.chat.Accepts(t, session.Token)
	})
}

func TestConsumerRenamesTheTeam(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	w.do(organization.Amend{Patch: []byte(`{"name":"Analytical Engines"}`)})
	w.until("the name of the team", func() bool {
		team, _, err := w.chat.Admin.GetTeam(t.Context(), w.team(), "")
		return err == nil && team.DisplayName == "Analytical Engines"
	})
}

func TestOrganizationWithoutATeamIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.join(w.person("Ada", "Member"), organization.RoleLegal)
	status, err := w.consumers.Status(t.Context(), w.id)
	if err != nil || len(status) != 0 || w.proxy.Calls() != 0 {
		t.Errorf("%+v, %v, %d calls", status, err, w.proxy.Calls())
	}
}

func TestSelectedEventsArePostedWithoutMentions(t *testing.T) {
	t.Parallel()
	w := setup(t)
	session := w.open(w.owner)
	owner, _ := w.view().State.MemberBy(w.owner.ID)
	w.do(organization.AmendMember{ID: owner.ID, Patch: []byte(`{"fullName":"@all [Fay](http://x) *O'Hara*"}`)})
	w.do(organization.Amend{Patch: []byte(`{"chatPosts":["roleCreated"]}`)})
	w.do(organization.CreateRole{RoleTerms: organization.RoleTerms{Name: "Observer", Permissions: organization.NewPermissions(organization.ViewSelf)}})
	w.join(w.person("Ada", "Member"), organization.RoleLegal)
	w.members(3)
	want := "Role created by all Fay http x O'Hara (event "
	if posts := w.chat.Posts(t, w.team(), "cap-table"); len(posts) != 1 || !strings.HasPrefix(posts[0], want) {
		t.Errorf("%q", posts)
	}
	if members := w.chat.Members(t, w.team()); !members[session.ChatUser] {
		t.Error("the owner left")
	}
}

func TestPostIsRepeatedWithTheSameEffect(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	w.do(organization.Amend{Patch: []byte(`{"chatPosts":["roleCreated"]}`)})
	w.do(organization.CreateRole{RoleTerms: organization.RoleTerms{Name: "Observer", Permissions: organization.NewPermissions(organization.ViewSelf)}})
	w.until("the post", func() bool { return len(w.chat.Posts(t, w.team(), "cap-table")) == 1 })
	status, err := w.consumers.Status(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	calls := w.proxy.Calls()
	if err := w.consumers.Rewind(t.Context(), w.id, "chat", status[0].Sequence, w.view().Sequence, 0, w.now()); err != nil {
		t.Fatal(err)
	}
	w.organizations.Wake(w.id, "chat")
	w.until("the repetition", func() bool { return w.proxy.Calls() > calls+1 })
	w.until("its end", func() bool {
		status, err := w.consumers.Status(t.Context(), w.id)
		return err == nil && status[0].Behind == 0 && status[0].State == messages.ConsumerOK
	})
	if posts := w.chat.Posts(t, w.team(), "cap-table"); len(posts) != 1 {
		t.Errorf("%q", posts)
	}
}

func TestConsumerContinuesAfterFaults(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		fault  http.HandlerFunc
		reason string
	}{
		"no connection": {chattest.Down, "EOF"}, "500": {chattest.Status(http.StatusInternalServerError), "500"},
		"401": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"id":"api.context.session_expired.app_error","message":"Invalid or expired session","status_code":401}`))
		}, "CHAT_ADMIN_BOT_TOKEN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.open(w.owner)
			w.proxy.Break(one.fault)
			w.join(w.person("Ada", "Member"), organization.RoleLegal)
			w.until("the reason is visible", func() bool {
				status, err := w.consumers.Status(t.Context(), w.id)
				return err == nil && len(status) == 1 && status[0].State == messages.ConsumerRetrying && (one.reason != "CHAT_ADMIN_BOT_TOKEN" || strings.Contains(status[0].LastError, one.reason))
			})
			w.proxy.Break(nil)
			w.until("the new member is in the team", func() bool {
				w.pass(time.Minute)
				return len(w.chat.Members(t, w.team())) == 3
			})
		})
	}
}

func TestSlowChatServerDelaysNoCommand(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	w.proxy.Break(chattest.Hang)
	begin := time.Now()
	for range 20 {
		w.join(w.person("Ada", "Member"), organization.RoleLegal)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("40 commands took %s", took)
	}
	w.proxy.Break(nil)
}

func TestErasedMemberLeavesWhileTheChatServerIsDown(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	w.join(ada, organization.RoleLegal)
	session := w.open(ada)
	w.down()
	if err := w.users.Erase(t.Context(), ada); err != nil { // without the events of the memberships
		t.Fatal(err)
	}
	w.until("an attempt", func() bool { return strings.Contains(w.log.String(), "did not leave the chat") })
	w.proxy.Break(nil)
	w.until("the account left", func() bool {
		w.pass(time.Minute)
		return !w.chat.Members(t, w.team())[session.ChatUser] && !w.chat.Accepts(t, session.Token)
	})
}

// TestMemberLeavesAfterTheTokenIsRefused ignores the revocation: a request at the same time can keep the session of a token in the same way.
func TestMemberLeavesAfterTheTokenIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	member := w.join(ada, organization.RoleLegal)
	session := w.open(ada)
	w.members(3)
	w.proxy.Break(w.proxy.Ignore("/api/v4/users/tokens/revoke"))
	w.do(organization.RemoveMember{ID: member})
	w.until("the failure is visible", func() bool {
		status, err := w.consumers.Status(t.Context(), w.id)
		return err == nil && len(status) == 1 && strings.Contains(status[0].LastError, "accepts a revoked access token")
	})
	w.proxy.Break(nil)
	w.until("the account left", func() bool {
		w.pass(time.Minute)
		return !w.chat.Members(t, w.team())[session.ChatUser]
	})
	if w.chat.Accepts(t, session.Token) {
		t.Error("the chat server accepts the token")
	}
}

func TestUserWhoIsEnabledAgainStays(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	w.join(ada, organization.RoleLegal)
	session := w.open(ada)
	w.down()
	for _, at := range []time.Time{w.now(), {}} {
		if err := w.users.Disable(t.Context(), ada.ID, at); err != nil {
			t.Fatal(err)
		}
	}
	w.proxy.Break(nil)
	w.until("the departure is cancelled", func() bool {
		w.pass(time.Minute)
		var pending int
		err := w.db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(leaving_at) FROM chat_user`).Scan(&pending)
		return err == nil && pending == 0
	})
	if !w.chat.Members(t, w.team())[session.ChatUser] || !w.chat.Accepts(t, session.Token) {
		t.Error("the user left")
	}
}
