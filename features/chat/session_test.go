package chat_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/fault"
	"equity/features/chat"
	"equity/features/chat/chattest"
	"equity/messages"
	"equity/organization"
)

func TestSessionOfAFreshMemberProvisionsEverything(t *testing.T) {
	t.Parallel()
	w := setup(t)
	session := w.open(w.owner)
	me, _, err := w.chat.As(session.Token).GetMe(t.Context(), "")
	if err != nil || me.Id != session.ChatUser || me.Email != w.owner.Email {
		t.Fatalf("%+v %v", me, err)
	}
	team, _, err := w.chat.Admin.GetTeamByName(t.Context(), session.TeamName, "")
	if err != nil || team.Type != model.TeamInvite || team.DisplayName != "Acme" || team.Id != w.team() {
		t.Fatalf("%+v %v", team, err)
	}
	joined, _, err := w.chat.As(session.Token).GetChannelsForTeamForUser(t.Context(), team.Id, me.Id, false, "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, channel := range joined {
		names = append(names, channel.Name)
	}
	for _, name := range []string{"general", "announcements", "cap-table", "documents", "agent"} {
		if !slices.Contains(names, name) {
			t.Errorf("the member is not in %s but in %v", name, names)
		}
	}
}

func TestSecondSessionHasTheSameToken(t *testing.T) {
	t.Parallel()
	w := setup(t)
	if first, second := w.open(w.owner), w.open(w.owner); first != second {
		t.Errorf("%+v, then %+v", first, second)
	}
}

func TestTokenIsReplacedAfterItsMaximumAge(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.open(w.owner)
	w.pass(24 * time.Hour)
	second := w.open(w.owner)
	if second.Token == first.Token || w.chat.Accepts(t, first.Token) || !w.chat.Accepts(t, second.Token) {
		t.Error("the old token is valid, or the new one is not")
	}
}

func TestTokenThatTheChatServerRevokedIsReplaced(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.open(w.owner)
	account, _, err := w.accounts.Account(t.Context(), w.owner.ID)
	if err == nil {
		_, err = w.chat.Admin.RevokeUserAccessToken(t.Context(), account.Token.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if second := w.open(w.owner); second.Token == first.Token || !w.chat.Accepts(t, second.Token) {
		t.Error("the second session has no valid token")
	}
}

// opened is the outcome of a session.
type opened struct {
	chat.Session
	err error
}

// crowd opens many sessions at the same time.
func (w *world) crowd(number int, users ...messages.User) []opened {
	w.Helper()
	view, outcomes, begin := w.view(), make([]opened, number), make(chan struct{})
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() {
			<-begin
			outcomes[i].Session, outcomes[i].err = w.provisioner.Open(w.Context(), view, users[i%len(users)].ID)
		})
	}
	close(begin)
	all.Wait()
	return outcomes
}

func TestFiftySessionsAtOnceMakeOneTeam(t *testing.T) {
	t.Parallel()
	w := setup(t)
	users := []messages.User{w.owner}
	for range 9 {
		user := w.person("Ada", "Member")
		w.join(user, organization.RoleLegal)
		users = append(users, user)
	}
	tokens := map[string]string{}
	for i, got := range w.crowd(50, users...) {
		if got.err != nil {
			t.Fatalf("%v\n%s", got.err, w.log)
		}
		if known := tokens[got.ChatUser]; known != "" && known != got.Token {
			t.Errorf("session %d has another token", i)
		}
		tokens[got.ChatUser] = got.Token
	}
	for _, token := range tokens {
		if !w.chat.Accepts(t, token) {
			t.Error("a token is not valid")
		}
	}
	if members := w.chat.Members(t, w.team()); len(tokens) != 10 || len(members) != 11 {
		t.Errorf("%d accounts, %d members", len(tokens), len(members))
	}
	linked := 0
	err := w.organizations.Source().Scan(t.Context(), w.id, 0, 0, func(row messages.Row) error {
		if row.Type == "chatTeamLinked" {
			linked++
		}
		return nil
	})
	if err != nil || linked != 1 {
		t.Errorf("%d teams were linked, %v", linked, err)
	}
}

func TestConcurrentSessionsOfOneUserLeaveOneToken(t *testing.T) {
	t.Parallel()
	w := setup(t)
	outcomes := w.crowd(20, w.owner)
	for _, got := range outcomes {
		if got.err != nil || got.Token != outcomes[0].Token {
			t.Fatalf("%+v", got)
		}
	}
	left, _, err := w.chat.Admin.GetUserAccessTokensForUser(t.Context(), outcomes[0].ChatUser, 0, 100)
	if err != nil || len(left) != 1 {
		t.Errorf("%d tokens, %v", len(left), err)
	}
}

func TestAccountWithTheSameAddressIsAdopted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	existing := w.chat.User(t, w.owner.Email)
	if _, _, err := w.chat.Admin.VerifyUserEmailWithoutToken(t.Context(), existing.Id); err != nil {
		t.Fatal(err)
	}
	if session := w.open(w.owner); session.ChatUser != existing.Id {
		t.Errorf("%s instead of %s", session.ChatUser, existing.Id)
	}
}

func TestAccountWithAnAddressThatIsNotVerifiedThereIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.chat.User(t, w.owner.Email)
	w.refused(w.owner, chat.ErrAccountRefused)
}

func TestTokenEndsWithTheSessionsOfItsUser(t *testing.T) {
	t.Parallel()
	w := setup(t)
	session := w.open(w.owner)
	if err := w.accounts.EndToken(t.Context(), w.owner.ID); err != nil {
		t.Fatal(err)
	}
	w.until("the token is refused", func() bool { return !w.chat.Accepts(t, session.Token) })
	again := w.open(w.owner)
	if again.Token == session.Token || again.ChatUser != session.ChatUser || !w.chat.Accepts(t, again.Token) {
		t.Error("the next session has no new token of the same account")
	}
	w.pass(25 * time.Hour)
	w.until("the token is refused after its maximum age", func() bool { return !w.chat.Accepts(t, again.Token) })
}

func TestTokenThatEndsIsReplacedAtOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.open(w.owner)
	if err := w.accounts.EndToken(t.Context(), w.owner.ID); err != nil {
		t.Fatal(err)
	}
	if second := w.open(w.owner); second.Token == first.Token || !w.chat.Accepts(t, second.Token) {
		t.Error("the token that ends was handed out")
	}
}

// refused requires that the chat is refused with the error.
func (w *world) refused(user messages.User, want error) {
	w.Helper()
	_, err := w.provisioner.Open(w.Context(), w.view(), user.ID)
	if !errors.Is(err, want) {
		w.Errorf("%v instead of %v", err, want)
	}
}

func TestAdministratorOfTheChatServerIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	existing := w.chat.User(t, w.owner.Email)
	if _, err := w.chat.Admin.UpdateUserRoles(t.Context(), existing.Id, "system_user system_admin"); err != nil {
		t.Fatal(err)
	}
	w.refused(w.owner, chat.ErrAccountRefused)
	if _, mapped, _ := w.accounts.Account(t.Context(), w.owner.ID); mapped || !strings.Contains(w.log.String(), "chat account refused") {
		t.Error("the account is mapped, or the refusal is not logged")
	}
}

func TestMemberWhoBecameAdministratorOfTheChatServerGetsNoToken(t *testing.T) {
	t.Parallel()
	w := setup(t)
	session := w.open(w.owner)
	if _, err := w.chat.Admin.UpdateUserRoles(t.Context(), session.ChatUser, "system_user system_admin"); err != nil {
		t.Fatal(err)
	}
	w.refused(w.owner, chat.ErrAccountRefused)
}

func TestAccountIsNotAdoptedByAnUnverifiedAddress(t *testing.T) {
	t.Parallel()
	w := setup(t)
	user := messages.User{
		ID: newID(), Entity: newID(), Email: chattest.Email(), Username: "mallory", FirstName: "M", LastName: "M", CreatedAt: w.now(),
	}
	w.create(user)
	w.join(user, organization.RoleLegal)
	w.chat.User(t, user.Email)
	w.refused(user, chat.ErrAccountRefused)
}

func TestDeactivatedAccountIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	session := w.open(w.owner)
	if _, err := w.chat.Admin.UpdateUserActive(t.Context(), session.ChatUser, false); err != nil {
		t.Fatal(err)
	}
	w.refused(w.owner, chat.ErrAccountRefused)
}

func TestTeamOfAnotherAccountIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	mallory := w.chat.User(t, chattest.Email())
	client := model.NewAPIv4Client(w.chat.URL)
	if _, _, err := client.Login(t.Context(), mallory.Email, "Test-user-1234"); err != nil {
		t.Fatal(err)
	}
	_, _, err := client.CreateTeam(t.Context(), &model.Team{Name: chat.TeamName(w.id), DisplayName: "Acme", Type: model.TeamOpen})
	if err != nil {
		t.Fatal(err)
	}
	w.refused(w.owner, chat.ErrUnavailable)
	if w.team() != "" {
		t.Error("the team is linked")
	}
}

func TestGuestsAndStrangersGetNoSession(t *testing.T) {
	t.Parallel()
	w := setup(t)
	guest, stranger := w.person("G", "Guest"), w.person("S", "Stranger")
	w.join(guest, organization.RoleGuest)
	for _, user := range []messages.User{guest, stranger} {
		if _, err := w.provisioner.Open(t.Context(), w.view(), user.ID); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%v", err)
		}
		if _, mapped, _ := w.accounts.Account(t.Context(), user.ID); mapped {
			t.Error("an account was created")
		}
	}
}

func TestFullTeamIsReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	for range chattest.MembersPerTeam - 2 { // the administrator and the owner are members
		other := w.chat.User(t, chattest.Email())
		if _, _, err := w.chat.Admin.AddTeamMember(t.Context(), w.team(), other.Id); err != nil {
			t.Fatal(err)
		}
	}
	last := w.person("Ada", "Last")
	w.join(last, organization.RoleLegal)
	w.refused(last, chat.ErrTeamFull)
	w.until("the full team delays no other event", func() bool {
		status, err := w.consumers.Status(t.Context(), w.id)
		return err == nil && len(status) == 1 && status[0].State == messages.ConsumerOK && status[0].Behind == 0
	})
}

func TestMemberWhoIsRemovedDuringTheSessionLeavesAgain(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	member, before := w.join(ada, organization.RoleLegal), w.view()
	w.until("the consumer added the member", func() bool { return len(w.chat.Members(t, w.team())) == 3 })
	w.do(organization.RemoveMember{ID: member})
	w.until("the consumer removed the member", func() bool { return len(w.chat.Members(t, w.team())) == 2 })
	_, err := w.provisioner.Open(t.Context(), before, ada.ID) // it began before the removal
	if !fault.Is(err, fault.Forbidden) || len(w.chat.Members(t, w.team())) != 2 {
		t.Errorf("%v, %v", err, w.chat.Members(t, w.team()))
	}
	if _, mapped, _ := w.accounts.Account(t.Context(), ada.ID); mapped {
		t.Error("the account is remembered")
	}
}

func TestMemberWhoIsRemovedWhileTheyJoinIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.open(w.owner)
	ada := w.person("Ada", "Member")
	member, before := w.join(ada, organization.RoleLegal), w.view()
	w.until("the consumer added the member", func() bool { return len(w.chat.Members(t, w.team())) == 3 })
	account, _, err := w.accounts.Account(t.Context(), ada.ID)
	if err != nil {
		t.Fatal(err)
	}
	var opened, removed atomic.Bool // only a session issues a token; the consumer may still add channels
	w.proxy.Before(func(r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/tokens"):
			opened.Store(true)
		case opened.Load() && strings.HasSuffix(r.URL.Path, "/channels/members") && removed.CompareAndSwap(false, true):
			w.do(organization.RemoveMember{ID: member}) // another server handles it between two calls of this one
			if _, err := w.chat.Admin.RemoveTeamMember(w.Context(), w.team(), account.ChatUser); err != nil {
				t.Error(err)
			}
		}
	})
	if _, err := w.provisioner.Open(t.Context(), before, ada.ID); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

func TestSessionFailsWhileTheChatServerFails(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]http.HandlerFunc{
		"no connection": chattest.Down, "500": chattest.Status(http.StatusInternalServerError), "401": chattest.Status(http.StatusUnauthorized),
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"an endless answer": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			for _, err := w.Write(make([]byte, 1<<20)); err == nil; _, err = w.Write(make([]byte, 1<<20)) {
			}
		},
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.proxy.Break(broken)
			w.refused(w.owner, chat.ErrUnavailable)
			w.proxy.Break(nil)
			w.open(w.owner)
		})
	}
}

func TestDeadChatServerIsNotCalledForAWhile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.down()
	for range 5 {
		w.refused(w.owner, chat.ErrUnavailable)
	}
	calls := w.proxy.Calls()
	w.refused(w.owner, chat.ErrUnavailable)
	if again := w.proxy.Calls(); again != calls {
		t.Errorf("%d calls behind an open circuit breaker", again-calls)
	}
	w.proxy.Break(nil)
	w.pass(30 * time.Second)
	w.open(w.owner)
}

func TestCheckOfATokenNamesItsState(t *testing.T) {
	t.Parallel()
	w := setup(t)
	check := func(want chat.TokenState) {
		t.Helper()
		if got, err := w.provisioner.CheckToken(t.Context(), w.owner.ID); err != nil || got != want {
			t.Errorf("%s %v instead of %s", got, err, want)
		}
	}
	check(chat.TokenNone)
	w.open(w.owner)
	check(chat.TokenValid)
	w.down()
	check(chat.TokenUnchecked)
	w.proxy.Break(nil)
	account, _, err := w.accounts.Account(t.Context(), w.owner.ID)
	if err == nil {
		_, err = w.chat.Admin.RevokeUserAccessToken(t.Context(), account.Token.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	check(chat.TokenInvalid)
}
