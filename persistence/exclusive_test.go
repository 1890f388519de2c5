package persistence_test

import (
	"errors"
	"strings"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestServersAreExcludedOnlyAfterTheyHaveEnded(t *testing.T) {
	t.Parallel()
	address := storetest.PostgreSQL(t)
	db := storetest.Open(t, address)
	refused := func(state string) {
		t.Helper()
		if _, err := db.ExcludeServers(t.Context(), "equity"); !errors.Is(err, persistence.ErrServers) {
			t.Errorf("%s: %v", state, err)
		}
	}
	starting := nodeStore(t, db)
	must(t, starting.Admit(t.Context(), firstNode))
	refused("a server that starts")
	beats(t, starting, firstNode)
	must(t, starting.Close())
	refused("a member with a heartbeat but without a connection")
	must(t, starting.Leave(t.Context(), firstNode.ID))
	must(t, starting.Close())

	_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO node SELECT 'b', '10.0.0.2:7000', '', 0`)
	must(t, err)
	earlier, err := persistence.Open(t.Context(), address, persistence.WithSession(persistence.SessionName("b")))
	must(t, err)
	refused("a member of an earlier build, whose connections have its name")
	must(t, earlier.Close())

	var release func() error
	for { // the server closes connections after the client
		release, err = db.ExcludeServers(t.Context(), "equity")
		if !errors.Is(err, persistence.ErrServers) {
			break
		}
	}
	must(t, err)
	if err := starting.Admit(t.Context(), soleNode); err == nil || !strings.Contains(err.Error(), "being restored") {
		t.Errorf("a server that starts during a restore: %v", err)
	}
	must(t, release())
	must(t, starting.Admit(t.Context(), soleNode))
}
