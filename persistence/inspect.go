package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Inspection describes the server of a store, for an operator.
type Inspection struct {
	Version string
	// ReadOnly reports that the server accepts no writes, such as a standby.
	ReadOnly bool
	// Durable reports whether a commit waits for the disk.
	Durable bool
	// MostConnections is the limit of the server; 0 for SQLite.
	MostConnections int
	// Schema is the newest applied migration; 0 for an empty store.
	Schema int64
}

// Inspect describes the server. It writes no data.
func (d *Database) Inspect(ctx context.Context) (Inspection, error) {
	query := `SELECT sqlite_version(), FALSE, TRUE, 0`
	if d.engine == PostgreSQL {
		query = `SELECT current_setting('server_version'), pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
			current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off', CAST(current_setting('max_connections') AS INTEGER)`
	}
	var found Inspection
	if err := d.reader.QueryRowContext(ctx, query).Scan(
		&found.Version, &found.ReadOnly, &found.Durable, &found.MostConnections,
	); err != nil {
		return found, fmt.Errorf("inspect %s: %w", d.engine, err)
	}
	applied, err := d.applied(ctx)
	if len(applied) > 0 {
		found.Schema = applied[len(applied)-1]
	}
	return found, err
}

// ErrNoKeyset reports a store without keys, because no server has started on it.
var ErrNoKeyset = errors.New("the store has no keys yet")

// CheckKey returns an error if the configured key does not open the keyset of the store, or ErrNoKeyset. Unlike OpenSecrets, it
// creates no keyset.
func CheckKey(ctx context.Context, db *Database, key []byte) error {
	wrap, err := wrapper(key)
	if err != nil {
		return err
	}
	wrapped, err := (&Secrets{db: db}).read(ctx, keysetName)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNoKeyset
	}
	if err != nil {
		return err
	}
	_, _, err = unwrapKeyset(wrapped, wrap)
	return err
}
