package persistence_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"equity/people/profile"
	"equity/persistence"
	"equity/persistence/storetest"
)

// Erased data cannot be found in the bytes of the file either.
func TestErasedDataIsNotInTheFile(t *testing.T) {
	t.Parallel()
	const private = "+1 415 555 0100, after the beep"
	store := storetest.SQLite(t)
	db := storetest.Open(t, store)
	users, ada := persistence.NewUsers(db), newUser("ada@example.org")
	must(t, users.Create(t.Context(), ada))
	_, err := persistence.NewProfiles(db).Amend(t.Context(), ada.Entity, nil, storetest.Epoch(), func(p profile.Particulars) (profile.Particulars, error) {
		p.Phone = private
		return p, nil
	})
	must(t, err)
	file := strings.TrimPrefix(store, "sqlite://")
	holds := func(text string) bool {
		found := false
		for _, name := range []string{file, file + "-wal"} {
			content, err := os.ReadFile(name)
			must(t, err)
			found = found || bytes.Contains(content, []byte(text))
		}
		return found
	}
	if !holds(private) {
		t.Fatal("it is not looked for in the right place")
	}
	must(t, users.Erase(t.Context(), ada))
	if holds(private) || holds("ada@example.org") {
		t.Error("the file still contains erased data")
	}
}
