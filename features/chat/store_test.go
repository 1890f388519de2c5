package chat_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"equity/features/chat"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newUser(email string) messages.User {
	return messages.User{ID: newID(), Entity: newID(), Email: email, Username: "ada", CreatedAt: storetest.Epoch()}
}

func TestChatTokenIsReplacedOnlyByItsLastReader(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := chat.NewAccounts(db), organization.UserID{1}
		must(t, store.Link(t.Context(), user, "chat1"))
		first := chat.Token{ID: "t1", Secret: "s1", IssuedAt: storetest.Epoch()}
		if stored, err := store.ReplaceToken(t.Context(), user, "", first); err != nil || !stored {
			t.Fatalf("%v %v", stored, err)
		}
		if stored, err := store.ReplaceToken(t.Context(), user, "", chat.Token{ID: "t2", Secret: "s2"}); err != nil || stored {
			t.Errorf("a late writer: %v %v", stored, err)
		}
		must(t, store.Link(t.Context(), user, "chat1")) // again
		found, mapped, err := store.Account(t.Context(), user)
		if err != nil || !mapped || found != (chat.Account{User: user, ChatUser: "chat1", Token: first}) {
			t.Errorf("%+v %v %v", found, mapped, err)
		}
		must(t, store.Link(t.Context(), user, "chat2"))
		if found, _, err := store.Account(t.Context(), user); err != nil || found.Token.ID != "" {
			t.Errorf("the token of another account: %+v %v", found, err)
		}
	})
}

func TestChatAccountBelongsToOneUser(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, ada, bob := chat.NewAccounts(db), organization.UserID{1}, organization.UserID{2}
		must(t, store.Link(t.Context(), ada, "chat1"))
		if err := store.Link(t.Context(), bob, "chat1"); !errors.Is(err, chat.ErrUserTaken) {
			t.Errorf("%v", err)
		}
		if user, found, err := store.UserOf(t.Context(), "chat1"); err != nil || !found || user != ada {
			t.Errorf("%v %v %v", user, found, err)
		}
		must(t, store.Forget(t.Context(), ada))
		if _, found, err := store.UserOf(t.Context(), "chat1"); err != nil || found {
			t.Errorf("%v %v", found, err)
		}
	})
}

func TestChatTokenIsStoredEncrypted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		if _, err := persistence.OpenSecrets(t.Context(), db, bytes.Repeat([]byte("k"), 32), storetest.Epoch); err != nil {
			t.Fatal(err)
		}
		store, user := chat.NewAccounts(db), organization.UserID{1}
		must(t, store.Link(t.Context(), user, "chat1"))
		if _, err := store.ReplaceToken(
			t.Context(), user, "", chat.Token{ID: "t1", Secret: "a secret token", IssuedAt: storetest.Epoch()},
		); err != nil {
			t.Fatal(err)
		}
		var stored []byte
		must(t, db.Reader().QueryRowContext(t.Context(), `SELECT token FROM chat_user`).Scan(&stored))
		if bytes.Contains(stored, []byte("secret")) {
			t.Errorf("%q", stored)
		}
		if found, _, err := store.Account(t.Context(), user); err != nil || found.Token.Secret != "a secret token" {
			t.Errorf("%+v %v", found, err)
		}
	})
}

func TestTeamOfAnOrganizationIsLinkedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id := chat.NewTeams(db), organization.ID{1}
		for _, team := range []string{"t1", "t2"} {
			if linked, err := store.Link(t.Context(), id, team); err != nil || linked != "t1" {
				t.Errorf("%s %v", linked, err)
			}
		}
		if found, known, err := store.OrganizationOf(t.Context(), "t1"); err != nil || !known || found != id {
			t.Errorf("%v %v %v", found, known, err)
		}
		if _, known, err := store.OrganizationOf(t.Context(), "t2"); err != nil || known {
			t.Errorf("%v %v", known, err)
		}
	})
}

func TestDisabledAndErasedUsersLeaveTheChatOnceWithinTheLease(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, store, now := persistence.NewUsers(db, chat.Room().Departure), chat.NewAccounts(db), storetest.Epoch()
		erased, disabled, other := newUser("erased@example.com"), newUser("disabled@example.com"), newUser("other@example.com")
		for i, user := range []messages.User{erased, disabled, other} {
			must(t, users.Create(t.Context(), user))
			must(t, store.Link(t.Context(), user.ID, string(rune('a'+i))))
		}
		must(t, users.Erase(t.Context(), erased))
		must(t, users.Disable(t.Context(), disabled.ID, now))
		must(t, users.Disable(t.Context(), other.ID, time.Time{}))
		claim := func(at time.Time) int {
			t.Helper()
			claimed, err := store.ClaimLeaving(t.Context(), at, at.Add(-24*time.Hour), time.Minute, 10)
			must(t, err)
			return len(claimed)
		}
		if first, second, later := claim(now), claim(now), claim(now.Add(2*time.Minute)); first != 2 || second != 0 || later != 2 {
			t.Errorf("%d, %d and %d departures", first, second, later)
		}
		must(t, store.Stay(t.Context(), disabled.ID))
		must(t, store.Forget(t.Context(), erased.ID))
		if left := claim(now.Add(time.Hour)); left != 0 {
			t.Errorf("%d departures remain", left)
		}
	})
}
