package persistence_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestIDOfAnotherLengthIsAnError(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal, user := storetest.OpenJournal(t, db), storetest.NewID[organization.User]()
		_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO person (entity, user_id) VALUES ($1, $2)`, []byte("short"), user[:])
		must(t, err)
		if found, err := journal.EntitiesOf(t.Context(), user); err == nil || !strings.HasPrefix(err.Error(), "list entities: ") || found != nil {
			t.Errorf("%v: %v", found, err)
		}
	})
}

func TestErrorOfAQueryNamesTheOperation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal := storetest.OpenJournal(t, db)
		_, err := db.Writer().ExecContext(t.Context(), `DROP TABLE person`)
		must(t, err)
		if _, err := journal.EntitiesOf(t.Context(), organization.UserID{1}); err == nil || !strings.HasPrefix(err.Error(), "list entities: ") {
			t.Error(err)
		}
		if _, err := journal.Person(t.Context(), captable.EntityID{1}); err == nil || !strings.HasPrefix(err.Error(), "find person: ") {
			t.Error(err)
		}
	})
}
