package persistence_test

import (
	"errors"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// nodeStore opens one list of servers on the database, as each server does.
func nodeStore(t *testing.T, db *persistence.Database) *persistence.Nodes {
	t.Helper()
	nodes := persistence.NewNodes(db)
	storetest.Cleanup(t, func() { must(t, nodes.Close()) })
	return nodes
}

// beats sends a heartbeat, and returns the ids of the others.
func beats(t *testing.T, nodes *persistence.Nodes, node messages.Node) (others []string) {
	t.Helper()
	list, err := nodes.Beat(t.Context(), node)
	must(t, err)
	for _, other := range list {
		others = append(others, other.ID)
	}
	return others
}

var (
	soleNode   = messages.Node{ID: "sole", Name: "process 1 on first"}
	firstNode  = messages.Node{ID: "a", Address: "10.0.0.1:7000"}
	secondNode = messages.Node{ID: "b", Address: "10.0.0.2:7000"}
)

func TestSecondServerOnPostgreSQLIsRefused(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	first, second := nodeStore(t, db), nodeStore(t, db)
	must(t, first.Admit(t.Context(), soleNode))
	beats(t, first, soleNode)
	for _, node := range []messages.Node{{ID: "other"}, secondNode} {
		err := second.Admit(t.Context(), node)
		if refused, is := errors.AsType[*messages.OtherServerError](err); !is || refused.Other.Name != soleNode.Name {
			t.Errorf("address %q: %v", node.Address, err)
		}
	}
	must(t, first.Leave(t.Context(), soleNode.ID))
	must(t, first.Close())
	admitsSoon(t, second, secondNode)
	third := nodeStore(t, db)
	if err := third.Admit(t.Context(), soleNode); !errors.As(err, new(*messages.OtherServerError)) {
		t.Errorf("a server without an address beside a cluster: %v", err)
	}
	must(t, third.Admit(t.Context(), firstNode))
}

// admitsSoon admits a server after PostgreSQL has noticed the end of a connection.
func admitsSoon(t *testing.T, nodes *persistence.Nodes, node messages.Node) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := nodes.Admit(t.Context(), node)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestServerIsReplacedWhenItsConnectionEnds(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	killed, second := persistence.NewNodes(db), nodeStore(t, db)
	must(t, killed.Admit(t.Context(), soleNode))
	beats(t, killed, soleNode)
	must(t, killed.Close()) // as the end of the process does
	admitsSoon(t, second, messages.Node{ID: "next"})
	if _, err := killed.Beat(t.Context(), soleNode); !errors.Is(err, messages.ErrRemoved) {
		t.Errorf("a heartbeat of a replaced server: %v", err)
	}
	must(t, killed.Close())
}

func TestServerOutlivesTheLossOfItsConnection(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	sole := nodeStore(t, db)
	must(t, sole.Admit(t.Context(), soleNode))
	must(t, sole.Close())
	beats(t, sole, soleNode)
	if err := nodeStore(t, db).Admit(t.Context(), secondNode); err == nil {
		t.Error("the lock was not taken again")
	}
}

func TestServersOfAnEarlierBuildAreNotMigrated(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	for _, statement := range []string{
		`ALTER TABLE node DROP COLUMN seen_at`, `ALTER TABLE node ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0`,
		`INSERT INTO node (id, address, name, expires_at) VALUES ('old', '10.0.0.3:7000', 'process 7 on old', (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT + 60000000)`,
	} {
		_, err := db.Writer().ExecContext(t.Context(), statement)
		must(t, err)
	}
	nodes := nodeStore(t, db)
	if refused, is := errors.AsType[*messages.OtherServerError](nodes.Admit(t.Context(), firstNode)); !is || refused.Other.ID != "old" {
		t.Errorf("beside a running server of an earlier build: %v", refused)
	}
	_, err := db.Writer().ExecContext(t.Context(), `UPDATE node SET expires_at = 1`)
	must(t, err)
	must(t, nodes.Admit(t.Context(), firstNode))
}

func TestListHasTheServersThatGiveSignsOfLife(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	first, second := nodeStore(t, db), nodeStore(t, db)
	must(t, first.Admit(t.Context(), firstNode))
	must(t, second.Admit(t.Context(), secondNode))
	beats(t, second, secondNode)
	if others := beats(t, first, firstNode); len(others) != 1 || others[0] != secondNode.ID {
		t.Errorf("the list is %v", others)
	}
	silence(t, db, secondNode.ID)
	list, err := first.Beat(t.Context(), firstNode)
	if must(t, err); len(list) != 1 || list[0].Silent < persistence.NodeForgotten {
		t.Errorf("the list is %+v", list)
	}
	for begin := time.Now(); len(beats(t, first, firstNode)) != 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 4*persistence.NodeForgotten {
			t.Fatal("a silent server stays in the list")
		}
	}
	beats(t, second, secondNode)
	if others := beats(t, first, firstNode); len(others) != 1 {
		t.Errorf("a server that lives again is not in the list: %v", others)
	}
	must(t, second.Leave(t.Context(), secondNode.ID))
	if others := beats(t, first, firstNode); len(others) != 0 {
		t.Errorf("a server that has left is in the list: %v", others)
	}
}

// silence makes the last heartbeat of a server too old.
func silence(t *testing.T, db *persistence.Database, id string) {
	t.Helper()
	_, err := db.Writer().ExecContext(t.Context(), `UPDATE node SET seen_at = seen_at - $2 WHERE id = $1`, id, 2*persistence.NodeForgotten.Microseconds())
	must(t, err)
}

// TestAlarmsOfAForgottenServerAreClaimed claims alarms at two servers, one of which ends.
func TestAlarmsOfAForgottenServerAreClaimed(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	nodes := nodeStore(t, db)
	must(t, nodes.Admit(t.Context(), firstNode))
	beats(t, nodes, firstNode)
	beats(t, nodes, secondNode)
	journal := storetest.OpenJournal(t, db)
	w := storetest.NewWriter()
	batch := w.Next(`{}`)
	batch.Wakes = []messages.Wake{{Consumer: "mail", First: 1, Last: 1, Open: true}}
	storetest.MustPut(t, journal, batch)
	first, second := persistence.NewConsumers(db).For(firstNode), persistence.NewConsumers(db).For(secondNode)
	now, wanted := batch.Rows[0].RecordedAt, []messages.Alarm{{Organization: w.ID, Consumer: "mail"}}
	claims := func(claim func() ([]messages.Alarm, error)) int {
		claimed, err := claim()
		must(t, err)
		return len(claimed)
	}
	each := func(s *persistence.Consumers) func() ([]messages.Alarm, error) {
		return func() ([]messages.Alarm, error) { return s.ClaimEach(t.Context(), now, time.Minute, wanted) }
	}
	due := func(s *persistence.Consumers) func() ([]messages.Alarm, error) {
		return func() ([]messages.Alarm, error) { return s.Claim(t.Context(), now, time.Minute, 10) }
	}
	if got := claims(each(second)); got != 1 {
		t.Errorf("%d open alarms were claimed", got)
	}
	if got := claims(each(first)) + claims(due(first)); got != 0 {
		t.Errorf("%d alarms of a living server were claimed", got)
	}
	must(t, nodes.Leave(t.Context(), secondNode.ID))
	if got := claims(due(first)); got != 1 {
		t.Errorf("%d alarms of an ended server were claimed", got)
	}
	if got := claims(each(second)); got != 0 {
		t.Errorf("%d alarms were claimed twice", got)
	}
}

// TestClearEndsTheLeaseOfAnAlarmWithLaterEvents clears an alarm after an event of another server.
func TestClearEndsTheLeaseOfAnAlarmWithLaterEvents(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal, consumers, w := storetest.OpenJournal(t, db), persistence.NewConsumers(db), storetest.NewWriter()
		put := func() time.Time {
			batch := w.Next(`{}`)
			last := batch.Rows[0].Sequence
			batch.Wakes = []messages.Wake{{Consumer: "mail", First: last, Last: last, Open: true}}
			storetest.MustPut(t, journal, batch)
			return batch.Rows[0].RecordedAt
		}
		now := put()
		claimed, err := consumers.Claim(t.Context(), now, time.Minute, 1)
		if must(t, err); len(claimed) != 1 {
			t.Fatalf("%d alarms", len(claimed))
		}
		now = put()
		claim := func(id organization.ID) int {
			again, err := consumers.ClaimEach(t.Context(), now, time.Minute, []messages.Alarm{{Organization: id, Consumer: "mail"}})
			must(t, err)
			return len(again)
		}
		if got := claim(w.ID); got != 0 {
			t.Error("an event has ended the lease of another server")
		}
		other := claimed[0]
		other.LeasedUntil = other.LeasedUntil.Add(time.Second)
		must(t, consumers.Clear(t.Context(), w.ID, "mail", 1, other))
		if got := claim(w.ID); got != 0 {
			t.Error("a server has ended the lease of another one")
		}
		must(t, consumers.Clear(t.Context(), w.ID, "mail", 1, claimed[0]))
		if got := claim(w.ID); got != 1 {
			t.Error("the alarm of the later event is not claimed")
		}
		must(t, consumers.Clear(t.Context(), w.ID, "mail", 2, claimed[0]))
		if _, alarm, err := consumers.Load(t.Context(), w.ID, "mail"); err != nil || alarm.Last != 0 {
			t.Errorf("%+v %v", alarm, err)
		}
	})
}
