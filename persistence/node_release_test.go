package persistence_test

import (
	"errors"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// TestRemovalOfANodeDoesNotWaitForAlarms removes a node while 200,000 alarms are claimed and a transaction changes one of them.
func TestRemovalOfANodeDoesNotWaitForAlarms(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence)
		SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), 'mail', 1, (EXTRACT(EPOCH FROM now()) + 600)::BIGINT * 1000000, 1, 1
		FROM generate_series(1, 200000) n`)
	must(t, err)
	tx, err := db.Writer().BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 0`) // the transaction lasts until the end of the test
	must(t, err)
	_, err = tx.ExecContext(t.Context(), `UPDATE alarm SET last_sequence = 2 WHERE organization = decode(lpad('1', 32, '0'), 'hex')`)
	must(t, err)
	killed := nodeStore(t, db, messages.NodeTimes{Expiry: time.Hour})
	must(t, killed.Join(t.Context(), messages.Node{ID: "a"}))
	must(t, killed.Close())
	other := nodeStore(t, db, slowTimes())
	must(t, joinSoon(t, other, messages.Node{ID: "b"}))
	for deadline := time.Now().Add(time.Minute); ; {
		var claimed int
		must(t, db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM alarm WHERE leased_until > 0`).Scan(&claimed))
		if claimed == 1 { // the one that the transaction changes
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d alarms are still claimed", claimed)
		}
		<-time.After(20 * time.Millisecond) // another goroutine releases them
	}
	must(t, tx.Commit())
}

// joinSoon joins as soon as the connection of the ended node is closed, and returns any other refusal.
func joinSoon(t *testing.T, nodes *persistence.Nodes, node messages.Node) error {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		err := nodes.Join(t.Context(), node)
		if _, refused := errors.AsType[*messages.OtherServerError](err); !refused || time.Now().After(deadline) {
			return err
		}
	}
}
