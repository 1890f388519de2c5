package persistence_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func newAPIToken(user organization.UserID) messages.APIToken {
	return messages.APIToken{
		ID: storetest.NewID[messages.APIToken](), User: user, Name: "Report", Scopes: []messages.ToolClass{messages.ToolRead, messages.ToolWrite},
		Organization: storetest.NewID[organization.Organization](), CreatedAt: storetest.Epoch(), ExpiresAt: storetest.Epoch().Add(time.Hour),
	}
}

func textOf(id messages.APITokenID) string { return "eqt_" + id.String() }

func TestStoredTokenIsFoundByItsTextOnly(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := factory(t)
			db := storetest.Open(t, address)
			user := newUser("ada@example.com")
			must(t, persistence.NewUsers(db).Create(t.Context(), user))
			store, made, other := persistence.NewAPITokens(db), newAPIToken(user.ID), newAPIToken(user.ID)
			for _, token := range []messages.APIToken{made, other} {
				_, _, err := store.Create(t.Context(), messages.Once{At: storetest.Epoch()}, token, textOf, newMail("ada@example.org"))
				must(t, err)
			}
			grant, found, err := store.Use(t.Context(), textOf(made.ID), storetest.Epoch())
			if must(t, err); !found || grant.User != user.ID || grant.Organization != made.Organization || grant.Handle != "token:"+made.ID.String() ||
				grant.Check(messages.ToolWrite) != nil || !fault.Is(grant.Check(messages.ToolDestructive), fault.ScopeMissing) {
				t.Errorf("%+v %v", grant, found)
			}
			if strings.Contains(storetest.Dump(t, db, address), textOf(made.ID)) {
				t.Error("the token is stored")
			}
			for _, text := range []string{made.ID.String(), textOf(storetest.NewID[messages.APIToken]()), ""} {
				if _, found, err := store.Use(t.Context(), text, storetest.Epoch()); err != nil || found {
					t.Errorf("%q: %v %v", text, found, err)
				}
			}
			if _, found, err := store.Use(t.Context(), textOf(made.ID), made.ExpiresAt); err != nil || found {
				t.Errorf("an expired token: %v %v", found, err)
			}
			must(t, store.Sweep(t.Context(), made.ExpiresAt.Add(-time.Second)))
			if list, err := store.Of(
				t.Context(), user.ID, storetest.Epoch(),
			); err != nil || len(list) != 2 || list[0].LastUsedAt.IsZero() || !list[1].LastUsedAt.IsZero() {
				t.Errorf("%+v %v", list, err)
			}
			must(t, store.Sweep(t.Context(), made.ExpiresAt))
			if list, err := store.Of(t.Context(), user.ID, storetest.Epoch()); err != nil || len(list) != 0 {
				t.Errorf("%+v %v", list, err)
			}
		})
	}
}

func TestConcurrentRepetitionsCreateOneToken(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		user := newUser("ada@example.com")
		must(t, persistence.NewUsers(db).Create(t.Context(), user))
		store, ids := persistence.NewAPITokens(db), make([]messages.APITokenID, 4)
		var running sync.WaitGroup
		for i := range ids {
			running.Go(func() {
				once := messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}
				stored, _, err := store.Create(t.Context(), once, newAPIToken(user.ID), textOf, newMail("ada@example.org"))
				if ids[i] = stored.ID; err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("%v", ids)
			}
		}
	})
}
