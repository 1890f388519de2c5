package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Engine names the database engine behind a Database.
type Engine string

// The two engines.
const (
	SQLite     Engine = "sqlite"
	PostgreSQL Engine = "postgresql"
)

// Database is an open store on either engine. It is safe for concurrent use. A program opens it once.
type Database struct {
	engine Engine
	// reader and writer are the same pool on PostgreSQL. On SQLite writer holds a single connection, so that writers
	// queue in Go, in order, instead of meeting SQLITE_BUSY; reader refuses to write.
	reader, writer *Pool
	pool           *pgxpool.Pool   // PostgreSQL only
	plain          *pgx.ConnConfig // PostgreSQL only: without limits; see connection
	limit          time.Duration   // of one call
	answering      time.Duration   // limit of opening and closing
	// secrets encrypt mail. They are nil until opened.
	secrets atomic.Pointer[Secrets]
	rows    signer // with the key of secrets

	file   *storeFile // SQLite only
	owning sync.Mutex // guards owned
	owned  *flock.Flock
}

// Option changes how a Database is opened.
type Option func(*settings)

type settings struct {
	connections int
	limit       time.Duration
	session     string
}

// defaultTimeout limits a call where no option sets the limit.
const defaultTimeout = 30 * time.Second

// WithConnections sets the maximum size of the pool of a PostgreSQL database. The parameter pool_max_conns of the address takes
// precedence. SQLite ignores it. The connections of the journal are additional.
func WithConnections(number int) Option {
	return func(s *settings) { s.connections = number }
}

// WithSession sets the name of all connections to PostgreSQL; see [SessionName].
func WithSession(name string) Option {
	return func(s *settings) { s.session = name }
}

// answerLimit is the time in which a store must answer while it is opened and closed. It bounds these steps if a long
// store timeout is set for maintenance.
const answerLimit = 30 * time.Second

// WithTimeout sets the store timeout: the maximum duration of one call. Opening and closing take at most 30 s.
func WithTimeout(limit time.Duration) Option {
	return func(s *settings) { s.limit = limit }
}

// Open connects to the store at address and checks that it answers. The address is postgres://… or postgresql://… for
// PostgreSQL, and sqlite://path or a plain path for SQLite, whose file and folder are created, readable by their owner
// alone. Open does not migrate, and refuses a store with a schema newer than this build (SchemaError). The caller
// closes the Database.
func Open(ctx context.Context, address string, options ...Option) (*Database, error) {
	db, err := open(ctx, address, options)
	if err != nil {
		return nil, err
	}
	db.rows = signer{key: func() []byte {
		if secrets := db.secrets.Load(); secrets != nil {
			return secrets.rowKey()
		}
		return nil
	}}
	if err := db.CheckSchema(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func open(ctx context.Context, address string, options []Option) (*Database, error) {
	chosen := settings{connections: postgresConnections, limit: defaultTimeout}
	for _, option := range options {
		option(&chosen)
	}
	scheme, rest, hasScheme := strings.Cut(address, "://")
	switch {
	case hasScheme && (scheme == "postgres" || scheme == "postgresql"):
		return openPostgres(ctx, address, chosen)
	case hasScheme && scheme == "sqlite":
		return openSQLite(ctx, rest, chosen.limit)
	case hasScheme:
		return nil, fmt.Errorf("open database: scheme %q is neither postgres nor sqlite", scheme)
	default:
		return openSQLite(ctx, address, chosen.limit)
	}
}

// Engine returns the engine of the Database.
func (d *Database) Engine() Engine { return d.engine }

// Reader returns the pool for queries. On SQLite it refuses writes.
func (d *Database) Reader() *Pool { return d.reader }

// Writer returns the pool for writes. On SQLite it has one connection: hold it briefly, and never request a second one
// while holding the first.
func (d *Database) Writer() *Pool { return d.writer }

// Ready reports whether the store answers a read, and on SQLite also whether its writer is reachable.
func (d *Database) Ready(ctx context.Context) error {
	if err := d.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("ping %s: %w", d.engine, err)
	}
	var one int
	if err := d.reader.QueryRowContext(ctx, `SELECT 1`).Scan(&one); err != nil {
		return fmt.Errorf("ping %s: %w", d.engine, err)
	}
	return nil
}

// errCloseIncomplete reports connections that did not close in time. They end with the process.
var errCloseIncomplete = errors.New("connections to the store are still in use")

// Close closes the connections. Journals of the Database must be closed first. Close waits for running calls, but at most
// for the store timeout or 30 s: pgxpool alone would wait indefinitely for a server that does not answer.
func (d *Database) Close() error {
	closed := make(chan error, 1)
	go func() {
		err := d.writer.Close()
		if d.reader != d.writer {
			err = errors.Join(err, d.reader.Close())
		}
		if d.pool != nil {
			d.pool.Close()
		}
		closed <- err
	}()
	limit := time.NewTimer(d.answering)
	defer limit.Stop()
	select {
	case err := <-closed:
		return errors.Join(err, d.disown(), d.file.close())
	case <-limit.C:
		return fmt.Errorf("close %s: %w after %s", d.engine, errCloseIncomplete, d.answering)
	}
}

// Transact runs change in one transaction. It commits if change returns nil and rolls back otherwise. The whole
// transaction must end within the store timeout. The error wraps messages.ErrUnknownOutcome if the commit was sent and its
// outcome is unknown; any other error proves that nothing was stored.
func (d *Database) Transact(ctx context.Context, change func(*sql.Tx) error) error {
	err := d.transact(ctx, change)
	noteChange(ctx, err)
	return err
}

func (d *Database) transact(ctx context.Context, change func(*sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	tx, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := change(tx); err != nil {
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			return errors.Join(err, fmt.Errorf("roll back: %w", undo))
		}
		return err
	}
	if err := ctx.Err(); err != nil { // nothing was committed; after Commit the same error could mean either
		return errors.Join(fmt.Errorf("commit: %w", err), ignoreDone(tx.Rollback()))
	}
	if err := d.file.check(); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", commitFailure(err))
	}
	return nil
}
