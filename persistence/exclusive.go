package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
)

// serversLock is the key of the advisory lock of a schema that each server shares and that a restore holds alone.
const serversLock = `hashtextextended('equity server ' || COALESCE(current_schema(), ''), 0)`

var errRestoring = errors.New("the database is being restored: start the server again afterwards")

// ErrServers reports that servers use the database.
var ErrServers = errors.New("servers use the database: stop all servers first, or restore into an empty database")

// ExcludeServers prevents servers from using a PostgreSQL store until release is called. It returns ErrServers if a server holds the lock or
// has sent a heartbeat, or if a connection has the name of the program or of a member. Servers of earlier builds have no lock.
func (d *Database) ExcludeServers(ctx context.Context, program string) (release func() error, err error) {
	conn, err := d.writer.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("exclude servers: %w", err)
	}
	release = func() error { // even after ctx has ended
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.answering)
		defer cancel()
		_, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock_all()`)
		return errors.Join(err, conn.Close())
	}
	if err := excludeServers(ctx, conn, program); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

func excludeServers(ctx context.Context, conn *sql.Conn, program string) error {
	var alone, listed, used bool
	err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(`+serversLock+`), `+nodeTables).Scan(&alone, &listed)
	if err != nil {
		return fmt.Errorf("exclude servers: %w", err)
	}
	if !alone {
		return ErrServers
	}
	seen, named := `FALSE`, `application_name = $1`
	if listed {
		seen = `EXISTS (SELECT 1 FROM node WHERE seen_at > ` + nodeClock + ` - ` + strconv.FormatInt(NodeForgotten.Microseconds(), 10) + `)`
		named += ` OR application_name IN (SELECT '` + SessionName("") + `' || id FROM node)`
	}
	err = conn.QueryRowContext(ctx, `SELECT `+seen+` OR EXISTS (SELECT 1 FROM pg_stat_activity
		WHERE datname = current_database() AND backend_type = 'client backend' AND (`+named+`))`, program).Scan(&used)
	if err != nil {
		return fmt.Errorf("exclude servers: %w", err)
	}
	if used {
		return ErrServers
	}
	return nil
}
