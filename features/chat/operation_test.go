package chat_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"equity/features/chat"
	"equity/features/chat/chattest"
	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// openBody returns the body that opens the chat of an organization.
func openBody(home string) string { return `{"organizationId":"` + apitest.IDOf(home) + `"}` }

func TestChatSessionWorksOnTheChatServer(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := chatSetup(t, factory(t))
			owner := c.NewPerson(t, chattest.Email())
			home := owner.NewOrganization(t)
			got := owner.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
			c.Secrets.Add(got.Text(t, "token"))
			c.Secrets.Add(c.chat.Token)
			me, _, err := c.chat.As(got.Text(t, "token")).GetMe(t.Context(), "")
			if err != nil || me.Id != got.Text(t, "chatUserId") || got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%v %v %v", me, err, got.Header)
			}
			gateway := []string{"Authorization", "Bearer " + chattest.GatewayToken}
			mapped := c.Anonymous().Must(t, "GET", "/v1/chat/user-mapping/"+me.Id, "", http.StatusOK, gateway...)
			if mapped.Text(t, "userId") != owner.User.ID.String() {
				t.Error(mapped.Body)
			}
			team, _, err := c.chat.Admin.GetTeamByName(t.Context(), got.Text(t, "teamName"), "")
			if err != nil {
				t.Fatal(err)
			}
			found := c.Anonymous().Must(t, "GET", "/v1/chat/team-mapping/"+team.Id, "", http.StatusOK, gateway...)
			if found.Text(t, "organizationId") != apitest.IDOf(home) {
				t.Error(found.Body)
			}
		})
	}
}

func TestChatCookiesBelongToTheDomainAndEndWithTheSession(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner := c.NewPerson(t, chattest.Email())
	got := owner.Must(t, "POST", "/v1/chat/session", openBody(owner.NewOrganization(t)), http.StatusOK)
	set := strings.Join(got.Header.Values("Set-Cookie"), "\n")
	for _, want := range []string{
		"MMAUTHTOKEN=" + got.Text(t, "token") + "; Path=/; Domain=example.com; Max-Age=86400; HttpOnly; Secure; SameSite=Lax",
		"MMUSERID=" + got.Text(t, "chatUserId") + "; Path=/; Domain=example.com; Max-Age=86400; Secure; SameSite=Lax",
	} {
		if !strings.Contains(set, want) || strings.Contains(set, "MMCSRF") {
			t.Errorf("%s is missing, or a cookie is too many:\n%s", want, set)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.chat.URL+"/api/v4/users/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Cookie", "MMAUTHTOKEN="+got.Text(t, "token"))
	checked, err := http.DefaultClient.Do(request)
	if err != nil || checked.StatusCode != http.StatusOK {
		t.Errorf("the chat server refuses the cookie: %v %v", checked, err)
	}
	_ = checked.Body.Close()
	login := `{"email":"` + c.NewPerson(t, chattest.Email()).User.Email + `","password":"` + apitest.Password + `"}`
	for _, ended := range []apitest.Answer{
		owner.Must(t, "POST", "/v1/user/login", login, http.StatusOK), owner.Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent),
	} {
		for _, name := range []string{"MMAUTHTOKEN", "MMUSERID"} {
			if !slices.ContainsFunc(ended.Header.Values("Set-Cookie"), func(set string) bool {
				return strings.HasPrefix(set, name+"=; Path=/; Domain=example.com; Max-Age=0;")
			}) {
				t.Errorf("%s does not end: %v", name, ended.Header.Values("Set-Cookie"))
			}
		}
	}
}

// TestFiftyChatSessionsAtOnceMakeOneTeam opens sessions of all members of one organization.
func TestFiftyChatSessionsAtOnceMakeOneTeam(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.PostgreSQL(t))
	owner := c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	people := []*apitest.Client{owner}
	for range 7 {
		person := c.NewPerson(t, chattest.Email())
		owner.Join(t, home, person, "Legal")
		people = append(people, person)
	}
	answers := make([]apitest.Answer, 50)
	var all sync.WaitGroup
	for i := range answers {
		person := people[i%len(people)].Copy()
		all.Go(func() { answers[i] = person.Send(t, "POST", "/v1/chat/session", openBody(home)) })
	}
	all.Wait()
	teams, users := map[string]bool{}, map[string]bool{}
	for _, got := range answers {
		if got.Status != http.StatusOK {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		teams[got.Text(t, "teamName")], users[got.Text(t, "chatUserId")] = true, true
	}
	if members := c.members(t, answers[0].Text(t, "teamName")); len(teams) != 1 || len(users) != len(people) || len(members) != len(people)+1 {
		t.Errorf("%v %v %v", teams, users, members)
	}
}

func TestRemovedMemberLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	member := owner.Join(t, home, ada, "Legal")
	opened := ada.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	var busy sync.WaitGroup
	for range 4 { // requests that run during the revocation store the session again
		busy.Go(func() {
			for refused := false; !refused && t.Context().Err() == nil; {
				_, _, err := c.chat.As(opened.Text(t, "token")).GetMe(t.Context(), "")
				refused = err != nil
			}
		})
	}
	owner.Must(t, "DELETE", home+"/member/"+member, "", http.StatusOK)
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.Text(t, "token")) && !c.members(t, opened.Text(t, "teamName"))[opened.Text(t, "chatUserId")]
	})
	c.eventually(t, "the account is forgotten", func() bool {
		got := c.Anonymous().Must(
			t, "GET", "/v1/chat/user-mapping/"+opened.Text(t, "chatUserId"), "", http.StatusOK, "Authorization",
			"Bearer "+chattest.GatewayToken,
		)
		return strings.HasPrefix(got.Body, `{"userId":null}`)
	})
	ada.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusForbidden)
	busy.Wait()
}

func TestErasedAccountLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	owner.Join(t, home, ada, "Legal")
	opened := ada.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	c.proxy.Break(chattest.Down) // the erasure does not depend on the chat server
	ada.Must(t, "POST", "/v1/user/erase", `{"email":"`+ada.User.Email+`","password":"`+apitest.Password+`"}`, http.StatusNoContent)
	c.proxy.Break(nil)
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.Text(t, "token")) && !c.members(t, opened.Text(t, "teamName"))[opened.Text(t, "chatUserId")]
	})
	c.eventually(t, "the account is forgotten", func() bool {
		_, mapped, err := chat.NewAccounts(c.DB).Account(t.Context(), ada.User.ID)
		return err == nil && !mapped
	})
}

func TestDisabledAccountLosesTheChat(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada := c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	owner.Join(t, home, ada, "Legal")
	opened := ada.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	if err := c.Users.Disable(t.Context(), ada.User.ID, c.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	c.eventually(t, "the token is dead and the team left", func() bool {
		return !c.chat.Accepts(t, opened.Text(t, "token")) && !c.members(t, opened.Text(t, "teamName"))[opened.Text(t, "chatUserId")]
	})
	if got := owner.Must(
		t, "POST", "/v1/chat/sync-org/"+apitest.IDOf(home), "", http.StatusOK,
	); !strings.HasPrefix(got.Body, `{"synced":1}`) {
		t.Errorf("a disabled account is synchronized: %s", got.Body)
	}
}

func TestChatTokenEndsWithTheSessions(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, owner *apitest.Client){
		"sign-out of the last session": func(t *testing.T, owner *apitest.Client) {
			t.Helper()
			owner.Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
		},
		"end of all sessions": func(t *testing.T, owner *apitest.Client) {
			t.Helper()
			owner.Must(t, "DELETE", "/v1/user/session", "", http.StatusNoContent)
		},
		"another password": func(t *testing.T, owner *apitest.Client) {
			t.Helper()
			owner.Must(
				t, "POST", "/v1/user/password", `{"currentPassword":"`+apitest.Password+`","password":"`+"the ninth wave at dawn"+`"}`, http.StatusOK,
			)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := chatSetup(t, storetest.SQLite(t))
			owner := c.NewPerson(t, chattest.Email())
			token := owner.Must(t, "POST", "/v1/chat/session", openBody(owner.NewOrganization(t)), http.StatusOK).Text(t, "token")
			owner.SignInAgain(t, apitest.Password, http.StatusOK).Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
			if account, _, err := chat.NewAccounts(c.DB).Account(t.Context(), owner.User.ID); err != nil || account.Ending {
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
	owner, ada := c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	opened := owner.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	c.proxy.Break(chattest.Down)
	if got := owner.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusInternalServerError); !strings.Contains(got.Body, `"chatUnavailable"`) {
		t.Error(got.Body)
	}
	owner.Join(t, home, ada, "Legal")
	c.eventually(t, "the failure is visible", func() bool {
		state := owner.Must(t, "GET", home+"/integration", "", http.StatusOK).Body
		return strings.Contains(state, `{"id":"chat","name":"chat","state":"retrying"`)
	})
	c.proxy.Break(nil)
	c.eventually(t, "the new member is in the team", func() bool {
		return len(c.members(t, opened.Text(t, "teamName"))) == 3
	})
}

func TestSyncRemovesOnlyConnectedAccounts(t *testing.T) {
	t.Parallel()
	c := chatSetup(t, storetest.SQLite(t))
	owner, ada, bob := c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email()), c.NewPerson(t, chattest.Email())
	home := owner.NewOrganization(t)
	opened := owner.Must(t, "POST", "/v1/chat/session", openBody(home), http.StatusOK)
	owner.Join(t, home, ada, "Legal")
	team, _, err := c.chat.Admin.GetTeamByName(t.Context(), opened.Text(t, "teamName"), "")
	if err != nil {
		t.Fatal(err)
	}
	invited, left := c.chat.User(t, chattest.Email()), c.chat.User(t, bob.User.Email)
	if err := chat.NewAccounts(c.DB).Link(t.Context(), bob.User.ID, left.Id); err != nil { // a former member
		t.Fatal(err)
	}
	for _, id := range []string{invited.Id, left.Id} {
		if _, _, err := c.chat.Admin.AddTeamMember(t.Context(), team.Id, id); err != nil {
			t.Fatal(err)
		}
	}
	got := owner.Must(t, "POST", "/v1/chat/sync-org/"+apitest.IDOf(home), "", http.StatusOK)
	members := c.chat.Members(t, team.Id)
	if !strings.HasPrefix(got.Body, `{"synced":2}`) || !members[invited.Id] || members[left.Id] || len(members) != 4 {
		t.Errorf("%s %v", got.Body, members)
	}
}

func TestGatewayNeedsItsToken(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	for _, path := range []string{"/v1/chat/team-mapping/team1", "/v1/chat/user-mapping/account1"} {
		for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", chattest.GatewayToken}, {"Authorization", "Bearer "}} {
			b.Anonymous().Must(t, "GET", path, "", http.StatusUnauthorized, header...)
			owner.Must(t, "GET", path, "", http.StatusUnauthorized, header...)
		}
	}
	b.Anonymous().Must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusNotFound, "Authorization", "Bearer "+chattest.GatewayToken)
	off := apitest.Setup(t, func(settings *equityhttp.Settings, _ *equityhttp.Services) { settings.GatewayToken = "" })
	off.Anonymous().Must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusUnauthorized, "Authorization", "Bearer ")
}

func TestChatThatIsNotConfigured(t *testing.T) {
	t.Parallel()
	b := apitest.SetupWith(t, storetest.SQLite(t), []apitest.Room{{Room: chat.Room()}})
	owner, guest, stranger := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com"),
		b.NewPerson(t, "stranger@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, guest, "Guest")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a member gets 500", As: owner, Method: "POST", Path: "/v1/chat/session", Body: openBody(home), Status: 500, Has: []string{`"notConfigured"`}},
		{Claim: "a member with own records only gets 403", As: guest, Method: "POST", Path: "/v1/chat/session", Body: openBody(home), Status: 403},
		{Claim: "a stranger gets 403", As: stranger, Method: "POST", Path: "/v1/chat/session", Body: openBody(home), Status: 403},
		{Claim: "an unknown organization is as foreign as others", As: owner, Method: "POST", Path: "/v1/chat/session", Body: `{"organizationId":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}`, Status: 403},
		{Claim: "a missing organization is refused", As: owner, Method: "POST", Path: "/v1/chat/session", Body: `{}`, Status: 400, Has: []string{`"/organizationId"`}},
		{Claim: "no session", As: b.Anonymous(), Method: "POST", Path: "/v1/chat/session", Body: openBody(home), Status: 401},
		{Claim: "the configuration", As: owner, Method: "GET", Path: "/v1/chat/config", Status: 200, Has: []string{`{"enabled":false,"baseUrl":null}`}},
		{Claim: "no token", As: owner, Method: "GET", Path: "/v1/chat/token-health", Status: 200, Has: []string{`{"valid":false,"reason":"no_token"}`}},
		{Claim: "no synchronization", As: owner, Method: "POST", Path: "/v1/chat/sync-org/" + apitest.IDOf(home), Status: 500, Has: []string{`"notConfigured"`}},
		{Claim: "a guest may not synchronize", As: guest, Method: "POST", Path: "/v1/chat/sync-org/" + apitest.IDOf(home), Status: 403},
	})
}
