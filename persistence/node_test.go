package persistence_test

import (
	"errors"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// nodeStore opens one list of servers on the database, as each server does.
func nodeStore(t *testing.T, db *persistence.Database, times messages.NodeTimes) *persistence.Nodes {
	t.Helper()
	nodes := persistence.NewNodes(db, times)
	storetest.Cleanup(t, func() { must(t, nodes.Close()) })
	return nodes
}

func slowTimes() messages.NodeTimes {
	return messages.NodeTimes{Heartbeat: time.Second, Lease: time.Minute, Expiry: time.Hour}
}

func TestSecondServerOnPostgreSQLIsRefused(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	first, second := nodeStore(t, db, slowTimes()), nodeStore(t, db, slowTimes())
	must(t, first.Join(t.Context(), messages.Node{ID: "a", Name: "first"}))
	for _, address := range []string{"", "10.0.0.2:7000"} {
		err := second.Join(t.Context(), messages.Node{ID: "b", Address: address})
		if refused, is := errors.AsType[*messages.OtherServerError](err); !is || refused.Other.Name != "first" {
			t.Errorf("address %q: %v", address, err)
		}
	}
	must(t, first.Remove(t.Context(), "a"))
	must(t, second.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	var refused *messages.OtherServerError
	if err := first.Join(t.Context(), messages.Node{ID: "a"}); !errors.As(err, &refused) {
		t.Errorf("a server without an address beside a cluster: %v", err)
	}
	must(t, first.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
}

func TestServerWithoutConnectionIsReplacedAfterItsLease(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	killed := persistence.NewNodes(db, messages.NodeTimes{Expiry: time.Hour})
	must(t, killed.Join(t.Context(), messages.Node{ID: "a"}))
	second := nodeStore(t, db, slowTimes())
	if err := second.Join(t.Context(), messages.Node{ID: "b"}); err == nil {
		t.Error("a server with a connection was replaced")
	}
	must(t, killed.Close()) // as the end of the process does
	for deadline := time.Now().Add(10 * time.Second); ; {
		err := second.Join(t.Context(), messages.Node{ID: "b"})
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	_, err := killed.Renew(t.Context(), "a", 0)
	if !errors.Is(err, messages.ErrRemoved) {
		t.Errorf("renewal of a replaced server: %v", err)
	}
	must(t, killed.Close())
}

func TestLeaseOutlivesALostConnection(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	first, second := nodeStore(t, db, slowTimes()), nodeStore(t, db, slowTimes())
	must(t, first.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, first.Close())
	must(t, second.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	list, err := second.Renew(t.Context(), "b", 0)
	if must(t, err); len(list.List) != 2 {
		t.Errorf("the list is %+v; the lease of a has not ended", list)
	}
	_, err = first.Renew(t.Context(), "a", 0)
	must(t, err)
}

// quickTimes are the times of a server that removes others soon.
func quickTimes() messages.NodeTimes {
	return messages.NodeTimes{Lease: 10 * time.Second, Expiry: 2 * time.Second}
}

// renewUntilAlone renews the lease until the server is the only one in the list.
func renewUntilAlone(t *testing.T, nodes *persistence.Nodes, id string) messages.Nodes {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		list, err := nodes.Renew(t.Context(), id, 7)
		if must(t, err); len(list.List) == 1 {
			return list
		}
	}
	t.Fatal("another server remains in the list")
	return messages.Nodes{}
}

// joined returns the stores of two servers, a and b, that have joined.
func joined(t *testing.T, times messages.NodeTimes) (one, two *persistence.Nodes) {
	t.Helper()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	one, two = nodeStore(t, db, times), nodeStore(t, db, times)
	must(t, one.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, two.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	return one, two
}

// TestServersOutliveAnInterruptionOfTheDatabase renews after a pause of all servers, whose leases have expired meanwhile.
func TestServersOutliveAnInterruptionOfTheDatabase(t *testing.T) {
	t.Parallel()
	times := messages.NodeTimes{Lease: 100 * time.Millisecond, Expiry: 400 * time.Millisecond}
	one, two := joined(t, times)
	for begin := time.Now(); time.Since(begin) < 2*times.Expiry; time.Sleep(20 * time.Millisecond) {
		for id, nodes := range map[string]*persistence.Nodes{"a": one, "b": two} {
			_, err := nodes.Renew(t.Context(), id, 0)
			must(t, err)
		}
	}
	time.Sleep(2 * times.Expiry)
	_, err := one.Renew(t.Context(), "a", 0)
	must(t, err)
	_, err = two.Renew(t.Context(), "b", 0)
	must(t, err)
}

// TestSlowRenewalsAreNoInterruption renews a short lease too late each time, as on a busy machine, after the process of another server has ended.
func TestSlowRenewalsAreNoInterruption(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	times := messages.NodeTimes{Lease: 50 * time.Millisecond, Expiry: 20 * time.Second}
	one, two := nodeStore(t, db, times), nodeStore(t, db, times)
	must(t, one.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, two.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	_, err := one.Renew(t.Context(), "a", 0)
	must(t, err)
	must(t, two.Close())
	for end := time.Now().Add(times.Expiry / 2); ; {
		time.Sleep(2 * times.Lease)
		list, err := one.Renew(t.Context(), "a", 0)
		if must(t, err); len(list.List) == 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the list is %+v; b has no connection", list)
		}
	}
}

// TestServersOutliveTheLossOfTheirConnections interrupts the renewals of two servers, and loses the connection of one. The other one renews first.
func TestServersOutliveTheLossOfTheirConnections(t *testing.T) {
	t.Parallel()
	times := messages.NodeTimes{Lease: 100 * time.Millisecond, Expiry: 400 * time.Millisecond}
	one, two := joined(t, times)
	_, err := one.Renew(t.Context(), "a", 0)
	must(t, err)
	must(t, two.Close())
	time.Sleep(2 * times.Lease)
	list, err := one.Renew(t.Context(), "a", 0)
	if must(t, err); len(list.List) != 2 {
		t.Fatalf("the list is %+v; b had no time to connect", list)
	}
	_, err = two.Renew(t.Context(), "b", 0)
	must(t, err)
	must(t, two.Close())
	if list := renewUntilAlone(t, one, "a"); list.List[0].ID != "a" {
		t.Errorf("the list is %+v", list)
	}
}

func TestExpiredServerIsRemovedByTheOthers(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	paused := nodeStore(t, db, messages.NodeTimes{Lease: time.Microsecond, Expiry: time.Microsecond})
	must(t, paused.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	other := nodeStore(t, db, quickTimes())
	must(t, other.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	begin := time.Now()
	list := renewUntilAlone(t, other, "b")
	if list.List[0].ID != "b" || list.List[0].Epoch != 7 || list.Epoch != 3 {
		t.Errorf("the list is %+v", list)
	}
	if took := time.Since(begin); took < quickTimes().Expiry {
		t.Errorf("a server was removed after %s, by one that has renewed for less than the expiry", took)
	}
	if _, err := paused.Renew(t.Context(), "a", 0); !errors.Is(err, messages.ErrRemoved) {
		t.Errorf("renewal of an expired server: %v", err)
	}
}

// TestConnectionsOfARemovedServerEnd leaves a transaction open, as a server does that is cut off from the database.
func TestConnectionsOfARemovedServerEnd(t *testing.T) {
	t.Parallel()
	address := storetest.PostgreSQL(t)
	db := storetest.Open(t, address)
	cut, err := persistence.Open(t.Context(), address, persistence.WithSession(persistence.SessionName("a")))
	must(t, err)
	storetest.Cleanup(t, func() { must(t, cut.Close()) })
	tx, err := cut.Writer().BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `SELECT epoch FROM node_epoch`)
	must(t, err)
	must(t, nodeStore(t, cut, messages.NodeTimes{}).Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	other := nodeStore(t, db, quickTimes())
	must(t, other.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	renewUntilAlone(t, other, "b")
	if err := tx.Commit(); err == nil {
		t.Error("the transaction of a removed server was committed")
	}
}

func TestEachChangeOfTheListHasAnEpoch(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	one, two := nodeStore(t, db, slowTimes()), nodeStore(t, db, slowTimes())
	must(t, one.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, two.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	must(t, two.Leave(t.Context(), "b"))
	must(t, two.Leave(t.Context(), "b")) // changes nothing
	list, err := one.Renew(t.Context(), "a", 2)
	must(t, err)
	if list.Epoch != 3 || len(list.List) != 2 || !list.List[1].Leaving || list.List[0].Epoch != 2 {
		t.Errorf("after a leave: %+v", list)
	}
	must(t, two.Remove(t.Context(), "b"))
	list, err = one.Renew(t.Context(), "a", 3)
	if must(t, err); list.Epoch != 4 || len(list.List) != 1 {
		t.Errorf("after the removal: %+v", list)
	}
}
