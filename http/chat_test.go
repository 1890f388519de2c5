package http_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"equity/actors"
	"equity/actors/chat/chattest"
	"equity/actors/consumer"
	equityhttp "equity/http"
	httpchat "equity/http/chat"
	"equity/persistence"
	"equity/persistence/storetest"
)

// openBody returns the body that opens the chat of an organization.
func openBody(home string) string { return `{"organizationId":"` + last(home) + `"}` }

func TestChatSessionWorksOnTheChatServer(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := chatSetup(t, factory(t))
			owner := c.person(t, chattest.Email())
			home := owner.company(t)
			got := owner.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
			c.secrets.add(got.text(t, "token"))
			c.secrets.add(c.chat.Token)
			me, _, err := c.chat.As(got.text(t, "token")).GetMe(t.Context(), "")
			if err != nil || me.Id != got.text(t, "chatUserId") || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%v %v %v", me, err, got.header)
			}
			gateway := []string{"Authorization", "Bearer " + gatewayToken}
			mapped := c.anonymous().must(t, "GET", "/v1/chat/user-mapping/"+me.Id, "", http.StatusOK, gateway...)
			if mapped.text(t, "userId") != owner.user.ID.String() {
				t.Error(mapped.body)
			}
			team, _, err := c.chat.Admin.GetTeamByName(t.Context(), got.text(t, "teamName"), "")
			if err != nil {
				t.Fatal(err)
			}
			found := c.anonymous().must(t, "GET", "/v1/chat/team-mapping/"+team.Id, "", http.StatusOK, gateway...)
			if found.text(t, "organizationId") != last(home) {
				t.Error(found.body)
			}
		})
	}
}

func TestChatCookiesBelongToTheDomainAndEndWithTheSession(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner := c.person(t, chattest.Email())
	got := owner.must(t, "POST", "/v1/chat/session", openBody(owner.company(t)), http.StatusOK)
	set := strings.Join(got.header.Values("Set-Cookie"), "\n")
	for _, want := range []string{
		"MMAUTHTOKEN=" + got.text(t, "token") + "; Path=/; Domain=example.com; Max-Age=86400; HttpOnly; Secure; SameSite=Lax",
		"MMUSERID=" + got.text(t, "chatUserId") + "; Path=/; Domain=example.com; Max-Age=86400; Secure; SameSite=Lax",
	} {
		if !strings.Contains(set, want) || strings.Contains(set, "MMCSRF") {
			t.Errorf("%s is missing, or a cookie is too many:\n%s", want, set)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.chat.URL+"/api/v4/users/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Cookie", "MMAUTHTOKEN="+got.text(t, "token"))
	checked, err := http.DefaultClient.Do(request)
	if err != nil || checked.StatusCode != http.StatusOK {
		t.Errorf("the chat server refuses the cookie: %v %v", checked, err)
	}
	_ = checked.Body.Close()
	login := `{"email":"` + c.person(t, chattest.Email()).user.Email + `","password":"` + password + `"}`
	for _, ended := range []answer{
		owner.must(t, "POST", "/v1/user/login", login, http.StatusOK), owner.must(t, "POST", "/v1/user/logout", "", http.StatusNoContent),
	} {
		for _, name := range []string{"MMAUTHTOKEN", "MMUSERID"} {
			if !slices.ContainsFunc(ended.header.Values("Set-Cookie"), func(set string) bool {
				return strings.HasPrefix(set, name+"=; Path=/; Domain=example.com; Max-Age=0;")
			}) {
				t.Errorf("%s does not end: %v", name, ended.header.Values("Set-Cookie"))
			}
		}
	}
}

// TestFiftyChatSessionsAtOnceMakeOneTeam opens sessions of all members of one organization.
func TestFiftyChatSessionsAtOnceMakeOneTeam(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.PostgreSQL(t))
	owner := c.person(t, chattest.Email())
	home := owner.company(t)
	people := []*client{owner}
	for range 7 {
		person := c.person(t, chattest.Email())
		owner.join(t, home, person, "Legal")
		people = append(people, person)
	}
	answers := make([]answer, 50)
	var all sync.WaitGroup
	for i := range answers {
		person := people[i%len(people)].copy()
		all.Go(func() { answers[i] = person.send(t, "POST", "/v1/chat/session", openBody(home)) })
	}
	all.Wait()
	teams, users := map[string]bool{}, map[string]bool{}
	for _, got := range answers {
		if got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
		teams[got.text(t, "teamName")], users[got.text(t, "chatUserId")] = true, true
	}
	if members := c.members(t, answers[0].text(t, "teamName")); len(teams) != 1 || len(users) != len(people) || len(members) != len(people)+1 {
		t.Errorf("%v %v %v", teams, users, members)
	}
}

func TestRemovedMemberLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.person(t, chattest.Email()), c.person(t, chattest.Email())
	home := owner.company(t)
	member := owner.join(t, home, ada, "Legal")
	opened := ada.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	var busy sync.WaitGroup
	for range 4 { // requests that run during the revocation store the session again
		busy.Go(func() {
			for refused := false; !refused && t.Context().Err() == nil; {
				_, _, err := c.chat.As(opened.text(t, "token")).GetMe(t.Context(), "")
				refused = err != nil
			}
		})
	}
	owner.must(t, "DELETE", home+"/member/"+member, "", http.StatusOK)
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.text(t, "token")) && !c.members(t, opened.text(t, "teamName"))[opened.text(t, "chatUserId")]
	})
	c.eventually(t, "the account is forgotten", func() bool {
		got := c.anonymous().must(
			t, "GET", "/v1/chat/user-mapping/"+opened.text(t, "chatUserId"), "", http.StatusOK, "Authorization", "Bearer "+gatewayToken,
		)
		return strings.HasPrefix(got.body, `{"userId":null}`)
	})
	ada.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusForbidden)
	busy.Wait()
}

func TestErasedAccountLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.person(t, chattest.Email()), c.person(t, chattest.Email())
	home := owner.company(t)
	owner.join(t, home, ada, "Legal")
	opened := ada.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	c.proxy.Break(chattest.Down) // the erasure does not depend on the chat server
	ada.must(t, "POST", "/v1/user/erase", erasureBody(ada.user.Email), http.StatusNoContent)
	c.proxy.Break(nil)
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.text(t, "token")) && !c.members(t, opened.text(t, "teamName"))[opened.text(t, "chatUserId")]
	})
	c.eventually(t, "the account is forgotten", func() bool {
		_, mapped, err := persistence.NewChatAccounts(c.db).Account(t.Context(), ada.user.ID)
		return err == nil && !mapped
	})
}

func TestDisabledAccountLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.person(t, chattest.Email()), c.person(t, chattest.Email())
	home := owner.company(t)
	owner.join(t, home, ada, "Legal")
	opened := ada.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	if err := c.users.Disable(t.Context(), ada.user.ID, c.clock.Now()); err != nil {
		t.Fatal(err)
	}
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.text(t, "token")) && !c.members(t, opened.text(t, "teamName"))[opened.text(t, "chatUserId")]
	})
	if got := owner.must(t, "POST", "/v1/chat/sync-org/"+last(home), "", http.StatusOK); !strings.HasPrefix(got.body, `{"synced":1}`) {
		t.Errorf("a disabled account is synchronized: %s", got.body)
	}
}

func TestChatTokenEndsWithTheSessions(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, owner *client){
		"sign-out of the last session": func(t *testing.T, owner *client) {
			t.Helper()
			owner.must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
		},
		"end of all sessions": func(t *testing.T, owner *client) {
			t.Helper()
			owner.must(t, "DELETE", "/v1/user/session", "", http.StatusNoContent)
		},
		"another password": func(t *testing.T, owner *client) {
			t.Helper()
			owner.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+newPassword+`"}`, http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := chatSetup(t, storetest.SQLite(t))
			owner := c.person(t, chattest.Email())
			token := owner.must(t, "POST", "/v1/chat/session", openBody(owner.company(t)), http.StatusOK).text(t, "token")
			owner.signInAgain(t, password, http.StatusOK).must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
			if account, _, err := persistence.NewChatAccounts(c.db).Account(t.Context(), owner.user.ID); err != nil || account.Ending {
				t.Errorf("the token ends with one of two sessions: %v", err)
			}
			end(t, owner)
			c.eventually(t, "the token is dead", func() bool { return !c.chat.Accepts(t, token) })
		})
	}
}

func TestChatServerThatIsDownDelaysOnlyTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.person(t, chattest.Email()), c.person(t, chattest.Email())
	home := owner.company(t)
	opened := owner.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	c.proxy.Break(chattest.Down)
	if got := owner.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusInternalServerError); !strings.Contains(got.body, `"chatUnavailable"`) {
		t.Error(got.body)
	}
	owner.join(t, home, ada, "Legal")
	c.eventually(t, "the failure is visible", func() bool {
		state := owner.must(t, "GET", home+"/integration", "", http.StatusOK).body
		return strings.Contains(state, `{"id":"chat","name":"chat","state":"retrying"`)
	})
	c.proxy.Break(nil)
	c.eventually(t, "the new member is in the team", func() bool {
		return len(c.members(t, opened.text(t, "teamName"))) == 3
	})
}

func TestSyncRemovesOnlyConnectedAccounts(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada, bob := c.person(t, chattest.Email()), c.person(t, chattest.Email()), c.person(t, chattest.Email())
	home := owner.company(t)
	opened := owner.must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	owner.join(t, home, ada, "Legal")
	team, _, err := c.chat.Admin.GetTeamByName(t.Context(), opened.text(t, "teamName"), "")
	if err != nil {
		t.Fatal(err)
	}
	invited, left := c.chat.User(t, chattest.Email()), c.chat.User(t, bob.user.Email)
	if err := persistence.NewChatAccounts(c.db).Link(t.Context(), bob.user.ID, left.Id); err != nil { // a former member
		t.Fatal(err)
	}
	for _, id := range []string{invited.Id, left.Id} {
		if _, _, err := c.chat.Admin.AddTeamMember(t.Context(), team.Id, id); err != nil {
			t.Fatal(err)
		}
	}
	got := owner.must(t, "POST", "/v1/chat/sync-org/"+last(home), "", http.StatusOK)
	members := c.chat.Members(t, team.Id)
	if !strings.HasPrefix(got.body, `{"synced":2}`) || !members[invited.Id] || members[left.Id] || len(members) != 4 {
		t.Errorf("%s %v", got.body, members)
	}
}

func TestGatewayNeedsItsToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	for _, path := range []string{"/v1/chat/team-mapping/team1", "/v1/chat/user-mapping/account1"} {
		for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", gatewayToken}, {"Authorization", "Bearer "}} {
			b.anonymous().must(t, "GET", path, "", http.StatusUnauthorized, header...)
			owner.must(t, "GET", path, "", http.StatusUnauthorized, header...)
		}
	}
	b.anonymous().must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusNotFound, "Authorization", "Bearer "+gatewayToken)
	off := setup(t, func(settings *equityhttp.Settings, _ *equityhttp.Services) { settings.GatewayToken = "" })
	off.anonymous().must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusUnauthorized, "Authorization", "Bearer ")
}

//nolint:tparallel // run checks one scenario after another
func TestChatThatIsNotConfigured(t *testing.T) {
	t.Parallel()
	b := setupWith(t, storetest.SQLite(t), func(b *bundle, _ *slog.Logger, _ func() *actors.Organizations) (httpchat.Services, []consumer.Consumer) {
		return httpchat.Services{Users: persistence.NewChatAccounts(b.db), Teams: persistence.NewChatTeams(b.db), Now: b.clock.Now}, nil
	})
	owner, guest, stranger := b.person(t, "owner@example.com"), b.person(t, "guest@example.com"), b.person(t, "stranger@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Guest")
	run(t, []scenario{
		{claim: "a member gets 500", as: owner, method: "POST", path: "/v1/chat/session", body: openBody(home), status: 500, has: []string{`"notConfigured"`}},
		{claim: "a member with own records only gets 403", as: guest, method: "POST", path: "/v1/chat/session", body: openBody(home), status: 403},
		{claim: "a stranger gets 403", as: stranger, method: "POST", path: "/v1/chat/session", body: openBody(home), status: 403},
		{claim: "an unknown organization is as foreign as others", as: owner, method: "POST", path: "/v1/chat/session", body: `{"organizationId":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}`, status: 403},
		{claim: "a missing organization is refused", as: owner, method: "POST", path: "/v1/chat/session", body: `{}`, status: 400, has: []string{`"/organizationId"`}},
		{claim: "no session", as: b.anonymous(), method: "POST", path: "/v1/chat/session", body: openBody(home), status: 401},
		{claim: "the configuration", as: owner, method: "GET", path: "/v1/chat/config", status: 200, has: []string{`{"enabled":false,"baseUrl":null}`}},
		{claim: "no token", as: owner, method: "GET", path: "/v1/chat/token-health", status: 200, has: []string{`{"valid":false,"reason":"no_token"}`}},
		{claim: "no synchronization", as: owner, method: "POST", path: "/v1/chat/sync-org/" + last(home), status: 500, has: []string{`"notConfigured"`}},
		{claim: "a guest may not synchronize", as: guest, method: "POST", path: "/v1/chat/sync-org/" + last(home), status: 403},
	})
}
