package persistence_test

import (
	"testing"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestOfficeItems(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		items := persistence.NewOfficeItems(db)
		first, second := storetest.NewID[organization.Organization](), storetest.NewID[organization.Organization]()
		entry := func(key, author string) messages.OfficeEntry {
			return messages.OfficeEntry{ID: storetest.NewID[document.Item](), Key: key, CreatedBy: author}
		}
		a, b, again, moved := entry("a", "ada"), entry("b", ""), entry("a", "bob"), entry("b", "bob")
		must(t, items.Add(t.Context(), first, []messages.OfficeEntry{a, b}))
		must(t, items.Add(t.Context(), first, []messages.OfficeEntry{again})) // another caller was faster
		known, err := items.Known(t.Context(), first, []string{"a", "b", "c"})
		if err != nil || len(known) != 2 || known["a"] != a || known["b"] != b {
			t.Errorf("%+v %v", known, err)
		}
		must(t, items.Add(t.Context(), second, []messages.OfficeEntry{moved}))
		_, err = items.ByID(t.Context(), first, b.ID)
		refused(t, err, fault.NotFound)
		if got, err := items.ByID(t.Context(), second, moved.ID); err != nil || got != moved {
			t.Errorf("%+v %v", got, err)
		}
		_, err = items.ByID(t.Context(), second, a.ID)
		refused(t, err, fault.NotFound)
		must(t, items.Remove(t.Context(), first, a.ID))
		_, err = items.ByID(t.Context(), first, a.ID)
		refused(t, err, fault.NotFound)
	})
}
