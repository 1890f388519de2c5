package persistence_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// ended reports the end of the node with its value.
type ended struct{ id atomic.Value }

// Ended returns the id.
func (e *ended) Ended([]messages.Node) []string {
	if id, is := e.id.Load().(string); is {
		return []string{id}
	}
	return nil
}

// judged returns a list of servers with evidence, whose member b has renewed for the expiry.
func judged(t *testing.T, db *persistence.Database) (*persistence.Nodes, *ended) {
	t.Helper()
	evidence := &ended{}
	nodes := persistence.NewNodes(db, quickTimes(), evidence)
	storetest.Cleanup(t, func() { must(t, nodes.Close()) })
	must(t, nodes.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	renewFor(t, nodes, 2*quickTimes().Expiry)
	return nodes, evidence
}

// renewFor renews the lease of b for the time, and returns the last list.
func renewFor(t *testing.T, nodes *persistence.Nodes, span time.Duration) (list messages.Nodes) {
	t.Helper()
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var err error
		list, err = nodes.Renew(t.Context(), "b", 0)
		must(t, err)
	}
	return list
}

// unleased are the times of a server without a valid lease that expires late.
func unleased() messages.NodeTimes {
	return messages.NodeTimes{Lease: time.Microsecond, Expiry: time.Hour}
}

func TestEvidenceRemovesAServerAfterItsLease(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	judge, evidence := judged(t, db)
	killed := nodeStore(t, db, unleased())
	must(t, killed.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	renewFor(t, judge, 100*time.Millisecond)
	evidence.id.Store("a")
	renewUntilAlone(t, judge, "b")
	if _, err := killed.Renew(t.Context(), "a", 0); !errors.Is(err, messages.ErrRemoved) {
		t.Errorf("renewal of a removed server: %v", err)
	}
}

func TestEvidenceAgainstAValidLeaseRemovesNobody(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	judge, evidence := judged(t, db)
	must(t, nodeStore(t, db, slowTimes()).Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	evidence.id.Store("a")
	if list := renewFor(t, judge, 300*time.Millisecond); len(list.List) != 2 {
		t.Errorf("the list is %+v; the lease of a has not ended", list)
	}
}

func TestEndOfAConnectionIsNoEvidenceWithAProvider(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	judge, _ := judged(t, db)
	other := nodeStore(t, db, unleased())
	must(t, other.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, other.Close())
	if list := renewFor(t, judge, 300*time.Millisecond); len(list.List) != 2 {
		t.Errorf("the list is %+v; the provider has not reported the end of a", list)
	}
}

// TestEvidenceAfterAnInterruptionRemovesNobody reports an end to a server that has not renewed for the expiry yet.
func TestEvidenceAfterAnInterruptionRemovesNobody(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	evidence := &ended{}
	evidence.id.Store("a")
	judge := persistence.NewNodes(db, slowTimes(), evidence)
	storetest.Cleanup(t, func() { must(t, judge.Close()) })
	must(t, nodeStore(t, db, unleased()).Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))
	must(t, judge.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}))
	if list := renewFor(t, judge, 300*time.Millisecond); len(list.List) != 2 {
		t.Errorf("the list is %+v; b has renewed for less than the expiry", list)
	}
}
