package actors_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"equity/messages"
)

// origins returns the origins of the last stored rows.
func (c *company) origins(last int) (found []messages.Origin) {
	rows := c.store.stored(c.id)
	for i := range rows[len(rows)-last:] {
		found = append(found, rows[len(rows)-last+i].Origin())
	}
	return found
}

func TestEventsHaveTheOriginOfTheirCommand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		imported := keyed(c.issue(c.ada, 5), "k", "body")
		imported.Origin = messages.OriginImport
		first := c.must(imported)
		server := c.issue(c.ada, 5)
		server.By = "system:test"
		c.must(c.issue(c.ada, 5))
		c.must(server)
		want := []messages.Origin{messages.OriginImport, messages.OriginRequest, messages.OriginSystem}
		if got := c.origins(3); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		again := imported
		again.Origin = "" // a repetition in another way is not a second change
		c.again(again, first)
		c.restart()
		c.again(again, first)
		if got := c.origins(3); !slices.Equal(got, want) {
			t.Errorf("after a repetition: %v", got)
		}
	})
}

func TestEventsOfABulkHaveItsOrigin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		command := c.intake()
		command.Origin = messages.OriginImport
		c.must(command)
		if got := slices.Compact(c.origins(bulkRows)); !slices.Equal(got, []messages.Origin{messages.OriginImport}) {
			t.Errorf("%v", got)
		}
	})
}
