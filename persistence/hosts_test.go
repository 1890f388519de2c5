package persistence_test

import (
	"net/url"
	"testing"
	"time"

	"equity/persistence"
	"equity/persistence/storetest"
)

// TestSilentServerDoesNotDelayTheOthers opens a database whose first server accepts connections and never answers, like a paused machine.
func TestSilentServerDoesNotDelayTheOthers(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.PostgreSQL(t))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Open(t, address.String()) // migrates it
	proxy := storetest.NewProxy(t, address.Host)
	proxy.Freeze(true)
	address.Host = proxy.Address() + "," + address.Host
	db, err := persistence.Open(t.Context(), address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { must(t, db.Close()) }()
	// A heartbeat has 2 s to connect.
	nodes := persistence.NewNodes(db)
	defer func() { must(t, nodes.Close()) }()
	began := time.Now()
	must(t, nodes.Admit(t.Context(), firstNode))
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("the first connection took %v", took)
	}
	// While the silent server is avoided, a connection takes no longer than with one server.
	attempts := proxy.Attempts()
	other := persistence.NewNodes(db)
	defer func() { must(t, other.Close()) }()
	must(t, other.Admit(t.Context(), secondNode))
	if again := proxy.Attempts(); again != attempts {
		t.Errorf("the silent server was asked again: %d attempts", again-attempts)
	}
}
