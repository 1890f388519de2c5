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
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// behindProxy opens a store on PostgreSQL, and a second time through a proxy that the test can freeze.
func behindProxy(t *testing.T, limit time.Duration) (healthy, cut *persistence.Database, proxy *storetest.Proxy) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	storetest.Open(t, address)
	parsed, err := url.Parse(address)
	must(t, err)
	proxy = storetest.NewProxy(t, parsed.Host)
	parsed.Host = proxy.Address()
	healthy, err = persistence.Open(t.Context(), address, persistence.WithTimeout(limit))
	must(t, err)
	cut, err = persistence.Open(t.Context(), parsed.String(), persistence.WithTimeout(limit))
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
func silenceIn(t *testing.T, table, mode string, healthy *persistence.Database, proxy *storetest.Proxy, work func(ctx context.Context)) {
	t.Helper()
	lock, err := healthy.Writer().BeginTx(t.Context(), nil)
	must(t, err)
	_, err = lock.ExecContext(t.Context(), `LOCK TABLE `+table+` IN `+mode+` MODE`)
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

// TestSilentProcessHoldsNoSharedRow cuts off a process while its change waits for a table. The rows that it has changed before are locked. Another
// process must get them when the table is free, and not only when the session of the silent process ends, after half of its store timeout.
func TestSilentProcessHoldsNoSharedRow(t *testing.T) {
	t.Parallel()
	ada, bob, now := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity](), storetest.Epoch()
	id, month := storetest.NewID[organization.Organization](), "2026-03"
	once, booking := messages.Once{Key: "k", Fingerprint: "f", At: now}, newBooking(ada, bob, 1000)
	for _, test := range []struct {
		shared, table  string
		before         func(db *persistence.Database) error
		silent, others func(ctx context.Context, db *persistence.Database) error
	}{
		{
			"the account of credit", "credit_booking",
			func(db *persistence.Database) error { grant(t, persistence.NewCredit(db), ada, 5000); return nil },
			func(ctx context.Context, db *persistence.Database) error {
				_, _, err := persistence.NewCredit(db).Book(ctx, messages.Once{}, booking)
				return err
			},
			func(ctx context.Context, db *persistence.Database) error {
				_, _, err := persistence.NewCredit(db).Book(ctx, messages.Once{}, newBooking(ada, bob, 2000))
				return err
			},
		},
		{
			"the key of a request", "wallet", nil,
			func(ctx context.Context, db *persistence.Database) error {
				_, _, err := persistence.NewWallets(db).Add(ctx, once, newWallet(ada, "Solana", "1"))
				return err
			},
			func(ctx context.Context, db *persistence.Database) error {
				_, _, err := persistence.NewWallets(db).Add(ctx, once, newWallet(ada, "Solana", "1"))
				return err
			},
		},
		{
			"the number of registrations of an address", "outbox", nil,
			func(ctx context.Context, db *persistence.Database) error {
				return persistence.NewUsers(db).Register(ctx, registration("ada@example.com", "1"))
			},
			func(ctx context.Context, db *persistence.Database) error {
				return persistence.NewUsers(db).Register(ctx, registration("bob@example.com", "2"))
			},
		},
		{
			"the tokens of a language model", "agent_account_usage", nil,
			func(ctx context.Context, db *persistence.Database) error {
				return persistence.NewModelBudget(db).Settle(ctx, messages.ModelPayer{Organization: id, User: organization.UserID{1}}, month, 1)
			},
			func(ctx context.Context, db *persistence.Database) error {
				return persistence.NewModelBudget(db).Settle(ctx, messages.ModelPayer{Organization: id, User: organization.UserID{2}}, month, 1)
			},
		},
		{
			"the alarm of a consumer", "webhook_delivery",
			func(db *persistence.Database) error {
				failing := messages.Cursor{Sequence: 1, State: messages.ConsumerRetrying}
				return persistence.NewConsumers(db).Save(context.Background(), id, "webhook/w", failing, &messages.Rest{DueAt: now})
			},
			func(ctx context.Context, db *persistence.Database) error {
				deliveries := func(id organization.ID, webhook string, now time.Time) persistence.Statement {
					return persistence.Statement{Operation: "retry deliveries", Text: `UPDATE webhook_delivery SET next_attempt_at = $3
						WHERE organization = $1 AND webhook = $2`, Arguments: []any{id[:], webhook, persistence.Micros(now)}}
				}
				return persistence.NewConsumers(db).Retrying("webhook", deliveries).Retry(ctx, id, "webhook/w", now)
			},
			func(ctx context.Context, db *persistence.Database) error {
				_, err := persistence.NewConsumers(db).Claim(ctx, now, time.Minute, 1)
				return err
			},
		},
		{
			"the identity of a hook", "alarm", nil,
			func(ctx context.Context, db *persistence.Database) error {
				_, err := persistence.NewHooks(db).Accept(ctx, []messages.Hook{agentHook("1", id, 1, now)}, nil)
				return err
			},
			func(ctx context.Context, db *persistence.Database) error {
				_, err := persistence.NewHooks(db).Accept(ctx, []messages.Hook{agentHook("2", id, 1, now)}, nil)
				return err
			},
		},
		{
			"expired links", "outbox",
			func(db *persistence.Database) error {
				if err := persistence.NewUsers(db).Register(context.Background(), registration("ada@example.com", "1")); err != nil {
					return err
				}
				return sendLink(context.Background(), db, "old", now.Add(-time.Hour))
			},
			func(ctx context.Context, db *persistence.Database) error {
				return sendLink(ctx, db, "a", now.Add(time.Hour))
			},
			func(ctx context.Context, db *persistence.Database) error {
				return sendLink(ctx, db, "b", now.Add(time.Hour))
			},
		},
	} {
		t.Run(test.shared, func(t *testing.T) {
			t.Parallel()
			const patience = 16 * time.Second
			healthy, cut, proxy := behindProxy(t, patience)
			for _, db := range []*persistence.Database{healthy, cut} {
				openSecrets(t, db, configured)
			}
			if test.before != nil {
				must(t, test.before(healthy))
			}
			silenceIn(t, test.table, "SHARE", healthy, proxy, func(ctx context.Context) { _ = test.silent(ctx, cut) })
			begin := time.Now()
			err := test.others(t.Context(), healthy)
			if took := time.Since(begin); err != nil || took > patience/4 {
				t.Errorf("another process: %v after %s", err, took)
			}
		})
	}
}

// sendLink sends ada a link.
func sendLink(ctx context.Context, db *persistence.Database, token string, expires time.Time) error {
	users := persistence.NewUsers(db)
	user, err := users.ByEmail(ctx, "ada@example.com")
	if err != nil {
		return err
	}
	return users.SendMagicLink(ctx, user.ID, messages.MagicLink{Token: token, ExpiresAt: expires}, newMail("ada@example.com"))
}

func TestStartingServerAwaitsABusyDatabase(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	_, slow, proxy := behindProxy(t, limit)
	nodes := nodeStore(t, slow)
	must(t, nodes.Admit(t.Context(), firstNode)) // connects
	proxy.FreezeAnswers(true)
	time.AfterFunc(limit*3/2, func() { proxy.FreezeAnswers(false) })
	must(t, nodes.Admit(t.Context(), firstNode))
}

func TestSilentNodeDoesNotHoldTheListOfNodes(t *testing.T) {
	t.Parallel()
	healthy, cut, proxy := behindProxy(t, clientWithin)
	silent := nodeStore(t, cut)
	silenceIn(t, "node", "ACCESS EXCLUSIVE", healthy, proxy, func(ctx context.Context) {
		if silent.Admit(ctx, firstNode) == nil {
			_, _ = silent.Beat(ctx, firstNode)
		}
	})
	other := nodeStore(t, healthy)
	must(t, other.Admit(t.Context(), secondNode))
	if _, err := other.Beat(t.Context(), secondNode); err != nil {
		t.Errorf("another node sent no heartbeat: %v", err)
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
	nodes := nodeStore(t, db)
	must(t, nodes.Admit(t.Context(), firstNode))
	beats(t, nodes, firstNode)

	foreign, err := sql.Open("pgx", address)
	must(t, err)
	storetest.Cleanup(t, func() { _ = foreign.Close() })
	held, err := foreign.BeginTx(t.Context(), nil)
	must(t, err)
	storetest.Cleanup(t, func() { _ = held.Rollback() })
	for _, statement := range []string{
		`SELECT * FROM journal_head FOR UPDATE`, `SELECT * FROM credit_account FOR UPDATE`, `SELECT * FROM node FOR UPDATE`,
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
