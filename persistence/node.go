package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"equity/messages"
)

// Nodes stores the list of the running servers in PostgreSQL. It has a connection of its own, so that a heartbeat does not wait for
// requests, and the end of the process ends its advisory locks. It is safe for concurrent use: a call waits for the previous one.
type Nodes struct {
	busy   chan struct{} // has an element during a call
	config *pgx.ConnConfig
	// limit bounds a call, and patience the admission: a server that starts awaits a busy database.
	limit, patience time.Duration
	conn            *pgx.Conn
	// admission takes the lock of this server after each connection; empty before it is admitted.
	admission string
	// process is the process of PostgreSQL that served the last complete connection.
	process uint32
	// since is the begin of an uninterrupted series of heartbeats, and beaten the last of them.
	since, beaten time.Time
}

// nodeCallLimit bounds one call.
const nodeCallLimit = 2 * time.Second

// NewNodes returns the Nodes of db, which is on PostgreSQL.
func NewNodes(db *Database) *Nodes {
	limit, patience := min(db.limit, nodeCallLimit), 3*db.limit
	config := connectionTo(db.plain, limit)
	config.DialFunc = dialWithDeadline(db.plain.DialFunc, patience) // the limits of the calls are shorter
	return &Nodes{busy: make(chan struct{}, 1), config: config, limit: limit, patience: patience}
}

// NodeForgotten is the time without a heartbeat after which a server is removed from the list and its alarms can be claimed.
const NodeForgotten = 5 * time.Second

const (
	// soleLock is the key of the advisory lock that a server of its own holds alone, and that the servers of a cluster share.
	soleLock = `hashtextextended('equity alone ' || COALESCE(current_schema(), ''), 0)`
	// soleLocked is the condition for the rows of pg_locks of that lock.
	soleLocked = `locktype = 'advisory' AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND ((classid::BIGINT << 32) | objid::BIGINT) = ` + soleLock
	nodeClock = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT`
	// nodeTables reports whether the list exists. It does not before the first migration. The list of earlier builds has the form nodeEarlier.
	nodeTables  = nodeColumn + `'seen_at')`
	nodeEarlier = nodeColumn + `'expires_at')`
	nodeColumn  = `EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('node') AND NOT attisdropped AND attname = `
)

// Admit makes this server one of the servers of the database, also before the first migration, until the connection is closed. A node without
// an address must be alone, and one with an address cannot run beside one without. It then returns a [messages.OtherServerError].
func (n *Nodes) Admit(ctx context.Context, node messages.Node) error {
	return during("admit the server", n.within(ctx, n.patience, func(ctx context.Context) error {
		admission := `SELECT pg_try_advisory_lock(` + soleLock + `)`
		if node.Address != "" {
			admission = `SELECT pg_try_advisory_lock_shared(` + soleLock + `)`
		}
		var admitted bool
		if err := n.conn.QueryRow(ctx, admission).Scan(&admitted); err != nil {
			return err
		}
		other, err := n.other(ctx)
		switch {
		case err != nil:
			return err
		case !admitted && other == nil:
			return &messages.OtherServerError{Other: messages.Node{Name: "an unknown process"}}
		case !admitted, other != nil && other.earlier:
			return &messages.OtherServerError{Other: other.Node}
		}
		n.admission = admission
		return nil
	}))
}

// otherNode is a server in the list. Earlier servers have another form of the list and no lock.
type otherNode struct {
	messages.Node

	earlier bool
}

// other returns another running server, or nil if none is listed.
func (n *Nodes) other(ctx context.Context) (*otherNode, error) {
	var listed, earlier bool
	if err := n.conn.QueryRow(ctx, `SELECT `+nodeTables+`, `+nodeEarlier).Scan(&listed, &earlier); err != nil {
		return nil, err
	}
	query := `SELECT id, address, name FROM node ORDER BY seen_at DESC LIMIT 1`
	switch {
	case earlier:
		query = `SELECT id, address, name FROM node WHERE expires_at > ` + nodeClock + ` LIMIT 1`
	case !listed:
		return nil, nil //nolint:nilnil // no list, no server
	}
	other := &otherNode{earlier: earlier}
	err := n.conn.QueryRow(ctx, query).Scan(&other.ID, &other.Address, &other.Name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // an empty list
	}
	return other, err
}

// SeenAt returns the time of the last heartbeat of a node; 0 if it is not in the list.
func (n *Nodes) SeenAt(ctx context.Context, id string) (at int64, err error) {
	err = n.call(ctx, func(ctx context.Context) error {
		var listed bool
		if err := n.conn.QueryRow(ctx, `SELECT `+nodeTables).Scan(&listed); err != nil || !listed {
			return err
		}
		return n.conn.QueryRow(ctx, `SELECT COALESCE(MAX(seen_at), 0) FROM node WHERE id = $1`, id).Scan(&at)
	})
	return at, during("read node", err)
}

// Replace ends the connections that hold the place of other servers. They must have sent no heartbeat for [NodeForgotten], such as a
// process that was stopped without an end. They end when they notice it.
func (n *Nodes) Replace(ctx context.Context) error {
	return during("replace the server", n.call(ctx, func(ctx context.Context) error {
		_, err := n.conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE `+soleLocked+` AND pid <> pg_backend_pid()`)
		return err
	}))
}

// Beat sends a heartbeat of an admitted node, and returns the list in order of the addresses. It removes the nodes that have sent none for
// [NodeForgotten], so that others can claim their alarms. It returns [messages.ErrRemoved] if another server of its own has taken the place of this one
// while this one had no connection.
func (n *Nodes) Beat(ctx context.Context, node messages.Node) (list []messages.Node, err error) {
	err = n.call(ctx, func(ctx context.Context) error {
		rows, err := n.conn.Query(ctx, `WITH beat AS (INSERT INTO node (id, address, name, seen_at) VALUES ($1, $2, $3, `+nodeClock+`)
				ON CONFLICT (id) DO UPDATE SET address = excluded.address, seen_at = excluded.seen_at)
			SELECT id, address, name, `+nodeClock+` - seen_at FROM node WHERE id <> $1 ORDER BY address, id`, node.ID, node.Address, node.Name)
		if err != nil {
			return err
		}
		forgotten := false
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one messages.Node, err error) {
			var silent int64
			err = row.Scan(&one.ID, &one.Address, &one.Name, &silent)
			one.Silent = max(0, time.Duration(silent)*time.Microsecond)
			forgotten = forgotten || one.Silent > NodeForgotten
			return one, err
		})
		if err != nil {
			return err
		}
		if steady := n.notesHeartbeat(time.Now()); !steady || !forgotten {
			return nil
		}
		_, err = n.conn.Exec(ctx, `DELETE FROM node WHERE seen_at < `+nodeClock+` - $1`, NodeForgotten.Microseconds())
		return err
	})
	return list, during("send a heartbeat", err)
}

// notesHeartbeat records a heartbeat, and reports whether this server has sent heartbeats without interruption for [NodeForgotten]. After an interruption of
// the database, the others must have the time to connect.
func (n *Nodes) notesHeartbeat(now time.Time) (steady bool) {
	if now.Sub(n.beaten) > NodeForgotten/2 {
		n.since = now
	}
	n.beaten = now
	return now.Sub(n.since) >= NodeForgotten
}

// Leave removes the node from the list. The others can claim its alarms.
func (n *Nodes) Leave(ctx context.Context, id string) error {
	return during("leave the list of nodes", n.call(ctx, func(ctx context.Context) error {
		_, err := n.conn.Exec(ctx, `DELETE FROM node WHERE id = $1`, id)
		return err
	}))
}

// SessionName returns the name of the connections of a member of a cluster.
func SessionName(node string) string { return "equity " + node }

// Close closes the connection, which ends the locks.
func (n *Nodes) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), n.limit)
	defer cancel()
	return n.alone(ctx, func() error { return n.disconnect(ctx) })
}

func (n *Nodes) disconnect(ctx context.Context) error {
	conn := n.conn
	n.conn = nil
	if conn == nil {
		return nil
	}
	return conn.Close(ctx)
}

// alone runs a call after the previous one.
func (n *Nodes) alone(ctx context.Context, do func() error) error {
	select {
	case n.busy <- struct{}{}:
		defer func() { <-n.busy }()
		return do()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// call runs a call after the previous one, within the limit.
func (n *Nodes) call(ctx context.Context, do func(ctx context.Context) error) error {
	return n.within(ctx, n.limit, do)
}

// within runs a call after the previous one, within the given limit. It connects first if necessary, and closes a connection that failed.
func (n *Nodes) within(ctx context.Context, limit time.Duration, do func(ctx context.Context) error) error {
	return n.alone(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if err := n.connect(ctx); err != nil {
			return err
		}
		err := do(ctx)
		if _, answered := errors.AsType[*pgconn.PgError](err); err != nil && !answered && n.conn.IsClosed() {
			_ = n.disconnect(ctx) // the error of the call is the cause
		}
		return err
	})
}

func (n *Nodes) connect(ctx context.Context) error {
	if n.conn != nil && !n.conn.IsClosed() {
		return nil
	}
	conn, err := pgx.ConnectConfig(ctx, n.config)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	n.conn = conn
	for _, lock := range []struct {
		statement string
		refusal   error
	}{{`SELECT pg_try_advisory_lock_shared(` + serversLock + `)`, errRestoring}, {n.admission, messages.ErrRemoved}} {
		admitted := lock.statement == ""
		if !admitted {
			if err := conn.QueryRow(ctx, lock.statement).Scan(&admitted); err != nil {
				return errors.Join(err, n.disconnect(ctx))
			}
		}
		if !admitted && lock.statement == n.admission {
			if admitted, err = n.inherit(ctx); err != nil {
				return errors.Join(err, n.disconnect(ctx))
			}
		}
		if !admitted {
			return errors.Join(lock.refusal, n.disconnect(ctx))
		}
	}
	n.process = conn.PgConn().PID()
	return nil
}

// inherit takes the lock of this server over from its former connection, which PostgreSQL ends: it may not have noticed that the connection was cut. It
// returns false if another server has the lock for a while: an earlier attempt of this one can have it for a moment.
func (n *Nodes) inherit(ctx context.Context) (admitted bool, err error) {
	for foreign := 0; ; foreign++ {
		var ended int64
		err := n.conn.QueryRow(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE `+soleLocked+` AND pid = $1`, int64(n.process)).Scan(&ended)
		if err != nil {
			return false, fmt.Errorf("end the former connection: %w", err)
		}
		if err := n.conn.QueryRow(ctx, n.admission).Scan(&admitted); err != nil || admitted || foreign == inheritAttempts {
			return admitted, err
		}
		if ended > 0 {
			foreign = 0
		}
		rest := time.NewTimer(inheritPause)
		select {
		case <-rest.C:
		case <-ctx.Done():
			rest.Stop()
			return false, fmt.Errorf("await the end of the former connection: %w", ctx.Err())
		}
	}
}

const (
	inheritPause    = 10 * time.Millisecond
	inheritAttempts = 30
)
