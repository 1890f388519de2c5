package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// behindProxy opens a store on PostgreSQL, and a second time through a proxy that the test can freeze.
func behindProxy(t *testing.T) (healthy, cut *persistence.Database, proxy *storetest.Proxy) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	storetest.Open(t, address)
	parsed, err := url.Parse(address)
	must(t, err)
	proxy = storetest.NewProxy(t, parsed.Host)
	parsed.Host = proxy.Address()
	healthy, err = persistence.Open(t.Context(), address, persistence.WithTimeout(clientWithin))
	must(t, err)
	cut, err = persistence.Open(t.Context(), parsed.String(), persistence.WithTimeout(clientWithin))
	must(t, err)
	storetest.Cleanup(t, func() {
		_ = cut.Close() // its connections were ended
		must(t, healthy.Close())
	})
	return healthy, cut, proxy
}

// clientWithin is the store timeout in these tests.
const clientWithin = 2 * time.Second

// silenceIn runs the work in a process that is cut off from the database between two statements of the work: a lock of the table stops the work,
// the proxy freezes, and the lock ends.
func silenceIn(t *testing.T, table string, healthy *persistence.Database, proxy *storetest.Proxy, work func(ctx context.Context)) {
	t.Helper()
	lock, err := healthy.Writer().BeginTx(t.Context(), nil)
	must(t, err)
	_, err = lock.ExecContext(t.Context(), `LOCK TABLE `+table+` IN ACCESS EXCLUSIVE MODE`)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		work(ctx)
	}()
	storetest.Cleanup(t, func() {
		cancel()
		proxy.Cut()
		<-ended
	})
	for waiting := 0; waiting == 0; {
		must(t, healthy.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_locks
			WHERE NOT granted AND relation = to_regclass($1)`, table).Scan(&waiting))
	}
	proxy.Freeze(true)
	must(t, lock.Rollback())
}

// TestSilentProcessHoldsNoCredit cuts off a process that has locked an account and claimed a key.
func TestSilentProcessHoldsNoCredit(t *testing.T) {
	t.Parallel()
	healthy, cut, proxy := behindProxy(t)
	books, ada, bob := persistence.NewCredit(healthy), storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
	grant(t, books, ada, 5000)
	booking := newBooking(ada, bob, 1000)
	silenceIn(t, "credit_booking", healthy, proxy, func(ctx context.Context) {
		_, _, _ = persistence.NewCredit(cut).Book(ctx, messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}, booking)
	})
	begin := time.Now()
	_, _, err := books.Book(t.Context(), messages.Once{}, newBooking(ada, bob, 2000))
	if took := time.Since(begin); err != nil {
		t.Errorf("a booking of the account that the silent process holds: %v after %s", err, took)
	}
	_, replayed, err := books.Book(t.Context(), messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}, booking)
	if err != nil || replayed {
		t.Errorf("the request of the silent process, sent to another one: replayed %t, %v", replayed, err)
	}
	if left := balance(t, books, ada); left != 2000 {
		t.Errorf("the balance is %d", left)
	}
}

func TestSilentNodeDoesNotHoldTheListOfNodes(t *testing.T) {
	t.Parallel()
	healthy, cut, proxy := behindProxy(t)
	silent := nodeStore(t, cut, slowTimes())
	silenceIn(t, "node", healthy, proxy, func(ctx context.Context) {
		_ = silent.Join(ctx, messages.Node{ID: "a", Address: "10.0.0.1:7000"})
	})
	other := nodeStore(t, healthy, slowTimes())
	if err := other.Join(t.Context(), messages.Node{ID: "b", Address: "10.0.0.2:7000"}); err != nil {
		t.Errorf("another node did not join: %v", err)
	}
}

// TestRowHeldByAForeignClientIsADefiniteRefusal holds rows with a connection that has no limits, as that of an administrator.
func TestRowHeldByAForeignClientIsADefiniteRefusal(t *testing.T) {
	t.Parallel()
	address := storetest.PostgreSQL(t)
	storetest.Open(t, address)
	db, err := persistence.Open(t.Context(), address, persistence.WithTimeout(clientWithin))
	must(t, err)
	storetest.Cleanup(t, func() { must(t, db.Close()) })
	journal, w, books := storetest.OpenJournal(t, db), storetest.NewWriter(), persistence.NewCredit(db)
	storetest.MustPut(t, journal, w.Next(`{}`))
	ada, bob := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
	grant(t, books, ada, 5000)
	_, _, err = books.Book(t.Context(), messages.Once{}, newBooking(ada, bob, 1))
	must(t, err)
	nodes := nodeStore(t, db, slowTimes())
	must(t, nodes.Join(t.Context(), messages.Node{ID: "a", Address: "10.0.0.1:7000"}))

	foreign, err := sql.Open("pgx", address)
	must(t, err)
	storetest.Cleanup(t, func() { _ = foreign.Close() })
	held, err := foreign.BeginTx(t.Context(), nil)
	must(t, err)
	storetest.Cleanup(t, func() { _ = held.Rollback() })
	for _, statement := range []string{
		`SELECT * FROM journal_head FOR UPDATE`, `SELECT * FROM credit_account FOR UPDATE`, `SELECT * FROM node_epoch FOR UPDATE`,
	} {
		_, err = held.ExecContext(t.Context(), statement)
		must(t, err)
	}
	for name, do := range map[string]func() error{
		"append to the journal": func() error { return put(journal, w.Next(`{}`)) },
		"book credit": func() error {
			_, _, err := books.Book(t.Context(), messages.Once{}, newBooking(ada, bob, 1))
			return err
		},
		"change the list of nodes": func() error { return nodes.Leave(t.Context(), "a") },
	} {
		begin := time.Now()
		err := do()
		if took := time.Since(begin); err == nil || took > 2*clientWithin {
			t.Errorf("%s: %v after %s", name, err, took)
		} else if errors.Is(err, messages.ErrUnknownOutcome) || !strings.Contains(err.Error(), "lock timeout") {
			t.Errorf("%s has no definite outcome: %v", name, err)
		}
	}
}

func TestSessionsHaveLimits(t *testing.T) {
	t.Parallel()
	address := storetest.PostgreSQL(t)
	for _, test := range []struct {
		claim, parameter, setting, want string
	}{
		{"a session that is idle in a transaction ends within half the store timeout", "", "idle_in_transaction_session_timeout", "1s"},
		{"a lock is refused within the store timeout", "", "lock_timeout", "1500ms"},
		{"unacknowledged data ends the session", "", "tcp_user_timeout", "30000"},
		{"a silent machine is asked after 10 s", "", "tcp_keepalives_idle", "10"},
		{"a silent machine is asked each 5 s", "", "tcp_keepalives_interval", "5"},
		{"a silent machine is asked three times", "", "tcp_keepalives_count", "3"},
		{"a parameter of the address wins", "&lock_timeout=77ms", "lock_timeout", "77ms"},
		{"an option of the address wins", "&options=-c%20idle_in_transaction_session_timeout%3D88ms", "idle_in_transaction_session_timeout", "88ms"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			db, err := persistence.Open(t.Context(), address+test.parameter, persistence.WithTimeout(clientWithin))
			must(t, err)
			var got string
			must(t, db.Reader().QueryRowContext(t.Context(), `SHOW `+test.setting).Scan(&got))
			if got != test.want {
				t.Errorf("%s is %s", test.setting, got)
			}
			must(t, db.Close())
		})
	}
}
