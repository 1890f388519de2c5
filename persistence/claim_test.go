package persistence_test

import (
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestRequestedAlarmIsClaimedByItsHolderOnly(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		id, now := organization.ID{1}, storetest.Epoch()
		first, second := persistence.NewConsumers(db).For(messages.Node{ID: "first"}), persistence.NewConsumers(db).For(messages.Node{ID: "second"})
		change := func(statement string) {
			t.Helper()
			_, err := db.Writer().ExecContext(t.Context(), statement)
			must(t, err)
		}
		change(`INSERT INTO node (id, address, name, seen_at) VALUES ('first', 'a', 'a', 0), ('second', 'b', 'b', 0)`)
		must(t, first.Save(t.Context(), id, "mail", messages.Cursor{State: messages.ConsumerOK}, &messages.Rest{DueAt: now}))
		claim := func(what string, by *persistence.Consumers, want int) {
			t.Helper()
			wanted := []messages.Alarm{{Organization: id, Consumer: "mail"}}
			if claimed, err := by.ClaimEach(t.Context(), now, time.Minute, wanted); err != nil || len(claimed) != want {
				t.Errorf("%s: %d claimed instead of %d: %v", what, len(claimed), want, err)
			}
		}
		claim("a free alarm", first, 1)
		claim("an alarm of another server", second, 0)
		claim("an alarm of this server", first, 1)
		change(`DELETE FROM node WHERE id = 'first'`)
		claim("an alarm of a server that has ended", second, 1)
	})
}
