package persistence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"equity/messages"
)

// Nodes stores the list of the running servers in PostgreSQL. It has a connection of its own, so that a renewal does not wait for
// requests, and the end of the process ends the connection. It is safe for concurrent use: a call waits for the previous one.
type Nodes struct {
	busy   chan struct{} // has an element during a call
	config *pgx.ConnConfig
	limit  time.Duration
	times  messages.NodeTimes
	conn   *pgx.Conn
	// backend and started identify the connection at the database server, whose own start identifies it.
	backend, started, server int64
	// since is the begin of an uninterrupted series of renewals, and renewed the last of them.
	since, renewed time.Time
	// interrupted reports that an earlier series ended with an interruption.
	interrupted bool
	// work is the release of alarms of ended nodes, until the context ends.
	work      sync.WaitGroup
	pool      *pgxpool.Pool
	ctx       context.Context //nolint:containedctx // the lifetime of the release
	cancel    context.CancelFunc
	releasing atomic.Bool
}

// nodeCallLimit bounds one call.
const nodeCallLimit = 2 * time.Second

// NewNodes returns the Nodes of db, which is on PostgreSQL.
func NewNodes(db *Database, times messages.NodeTimes) *Nodes {
	limit := min(db.limit, nodeCallLimit)
	ctx, cancel := context.WithCancel(context.Background())
	return &Nodes{
		busy: make(chan struct{}, 1), config: connectionTo(db.plain, limit), limit: limit, times: times, pool: db.pool, ctx: ctx, cancel: cancel,
	}
}

const (
	nodeClock  = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT`
	nodeServer = `(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::BIGINT`
	// nodeUnconnected matches a node with an ended lease and without a connection. After a restart or a failover of
	// the database server, the connections of all nodes are new. A role that may not read the start of a foreign connection waits for the
	// expiry.
	nodeUnconnected = `(node.leased_until < ` + nodeClock + ` AND node.server = ` + nodeServer + ` AND NOT EXISTS (
		SELECT 1 FROM pg_stat_get_activity(node.backend::INTEGER) session
		WHERE session.backend_start IS NULL OR (EXTRACT(EPOCH FROM session.backend_start) * 1000000)::BIGINT = node.backend_started))`
	// nodeExpired matches a node that has not renewed its lease for too long. A member of a cluster applies it only if it has
	// itself renewed for that time ($1): after an interruption of the database, the others must have the time to connect.
	nodeExpired = `(node.expires_at < ` + nodeClock + ` AND ($1 OR node.address = ''))`
	nodeEnded   = `(` + nodeExpired + ` OR ` + nodeUnconnected + `)`
	// nodeOver matches an ended node as a member of a cluster decides it. The connections of others count if $2 is true, see connectionsCount.
	nodeOver   = `(` + nodeExpired + ` OR (($2 OR node.address = '') AND ` + nodeUnconnected + `))`
	nodeTables = `SELECT to_regclass('node') IS NOT NULL AND to_regclass('node_epoch') IS NOT NULL`
)

// Available reports whether the tables exist. They do not before the first migration.
func (n *Nodes) Available(ctx context.Context) (found bool, err error) {
	err = n.call(ctx, func(ctx context.Context) error { return n.conn.QueryRow(ctx, nodeTables).Scan(&found) })
	return found, during("find the list of nodes", err)
}

// Join adds the node to the list after it has removed ended ones. A node without an address must be alone, and one with an address
// cannot join a node without; it then returns a messages.OtherServerError.
func (n *Nodes) Join(ctx context.Context, node messages.Node) error {
	return during("join the list of nodes", n.change(ctx, func(ctx context.Context, tx pgx.Tx) (change nodeChange, err error) {
		if change.removed, err = n.admit(ctx, tx, node); err != nil {
			return change, err
		}
		change.changed = true
		_, err = tx.Exec(ctx, `INSERT INTO node (id, address, name, leaving, epoch, backend, backend_started, server, renewed_at, leased_until, expires_at)
			SELECT $1, $2, $3, 0, 0, $4, $5, $6, clock, clock + $7, clock + $8 FROM (SELECT `+nodeClock+` AS clock) now`,
			node.ID, node.Address, node.Name, n.backend, n.started, n.server, n.times.Lease.Microseconds(), n.times.Expiry.Microseconds())
		return change, err
	}))
}

// Check returns the error that Join would return. It does not change the list except for ended nodes.
func (n *Nodes) Check(ctx context.Context, node messages.Node) error {
	return during("check the list of nodes", n.change(ctx, func(ctx context.Context, tx pgx.Tx) (change nodeChange, err error) {
		change.removed, err = n.admit(ctx, tx, node)
		return change, err
	}))
}

// admit removes ended nodes, and returns the refusal of a new one. It reports whether a node was removed.
func (n *Nodes) admit(ctx context.Context, tx pgx.Tx, node messages.Node) (removed bool, err error) {
	if removed, err = removeEnded(ctx, tx, node.Address == "", n.connectionsCount(false)); err != nil {
		return false, err
	}
	var other messages.Node
	err = tx.QueryRow(ctx, `SELECT id, address, name FROM node WHERE id <> $1 AND ($2 = '' OR address = '') LIMIT 1`, node.ID, node.Address).
		Scan(&other.ID, &other.Address, &other.Name)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return removed, nil
	case err != nil:
		return false, err
	}
	return false, &messages.OtherServerError{Other: other}
}

// RenewedAt returns the time of the last renewal of a node; 0 if it is not in the list.
func (n *Nodes) RenewedAt(ctx context.Context, id string) (at int64, err error) {
	err = n.call(ctx, func(ctx context.Context) error {
		return n.conn.QueryRow(ctx, `SELECT COALESCE(MAX(renewed_at), 0) FROM node WHERE id = $1`, id).Scan(&at)
	})
	return at, during("read node", err)
}

// Renew extends the lease of the node, notes the epoch that it obeys, and returns the present list. It removes ended nodes from the list.
// It returns messages.ErrRemoved if the node itself was removed.
func (n *Nodes) Renew(ctx context.Context, id string, epoch uint64) (list messages.Nodes, err error) {
	err = n.alone(ctx, func() (err error) {
		list, err = n.renew(ctx, id, epoch)
		return err
	})
	return list, during("renew the lease of the node", err)
}

func (n *Nodes) renew(ctx context.Context, id string, epoch uint64) (list messages.Nodes, err error) {
	begin := time.Now()
	if begin.Sub(n.renewed) > n.longestPause() {
		n.since, n.interrupted = begin, !n.renewed.IsZero()
	}
	expire := begin.Sub(n.since) >= n.times.Expiry
	connections := n.connectionsCount(expire)
	err = n.connected(ctx, func(ctx context.Context) error {
		tag, err := n.conn.Exec(ctx, `UPDATE node SET renewed_at = clock, leased_until = clock + $2, expires_at = clock + $3, epoch = $4,
			backend = $5, backend_started = $6, server = $7 FROM (SELECT `+nodeClock+` AS clock) now WHERE id = $1`,
			id, n.times.Lease.Microseconds(), n.times.Expiry.Microseconds(), int64(epoch), n.backend, n.started, n.server) //nolint:gosec // counts from 0
		if err == nil && tag.RowsAffected() == 0 {
			return messages.ErrRemoved
		}
		if err != nil {
			return err
		}
		var ended bool
		n.renewed = begin
		if list, ended, err = n.list(ctx, expire, connections); err != nil || !ended {
			return err
		}
		err = n.changeOnce(ctx, func(ctx context.Context, tx pgx.Tx) (change nodeChange, err error) {
			change.removed, err = removeEnded(ctx, tx, expire, connections)
			return change, err
		})
		if err != nil {
			return err
		}
		list, _, err = n.list(ctx, expire, connections)
		return err
	})
	if err == nil {
		list.Renewed = begin
		list.Announced, err = n.announced(ctx)
	}
	return list, err
}

// longestPause returns the longest time between two renewals that is no interruption. A renewal of a short lease is often late on a busy
// machine, and the others have had most of the expiry to connect in any case.
func (n *Nodes) longestPause() time.Duration { return max(n.times.Lease, n.times.Expiry/4) }

// connectionsCount reports whether the end of a connection is the end of its node. After an interruption, it is only if this node
// has itself renewed for the expiry: the interruption may have ended the connections and the leases of all nodes. A commit that
// waits for a cut off standby outlasts the limit of a call, which closes the connection.
func (n *Nodes) connectionsCount(expire bool) bool { return expire || !n.interrupted }

// list returns the nodes and the epoch from one snapshot of the database, and whether a node has ended.
func (n *Nodes) list(ctx context.Context, expire, connections bool) (list messages.Nodes, ended bool, err error) {
	rows, err := n.conn.Query(ctx, `SELECT (SELECT MAX(epoch) FROM node_epoch), node.id, node.address, node.name, node.leaving, node.epoch, `+nodeOver+`
		FROM node ORDER BY node.id`, expire, connections)
	if err != nil {
		return list, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var node messages.Node
		var epoch, obeyed, leaving int64
		var over bool
		if err := rows.Scan(&epoch, &node.ID, &node.Address, &node.Name, &leaving, &obeyed, &over); err != nil {
			return list, false, err
		}
		node.Leaving, node.Epoch = leaving != 0, uint64(max(obeyed, 0))
		list.Epoch, ended = uint64(max(epoch, 0)), ended || over
		list.List = append(list.List, node)
	}
	return list, ended, rows.Err()
}

// Leave notes that the node hands over its organizations.
func (n *Nodes) Leave(ctx context.Context, id string) error {
	return during("leave the nodes", n.change(ctx, func(ctx context.Context, tx pgx.Tx) (nodeChange, error) {
		tag, err := tx.Exec(ctx, `UPDATE node SET leaving = 1 WHERE id = $1 AND leaving = 0`, id)
		return nodeChange{changed: tag.RowsAffected() > 0}, err
	}))
}

// Remove removes the node from the list.
func (n *Nodes) Remove(ctx context.Context, id string) error {
	return during("remove the node", n.change(ctx, func(ctx context.Context, tx pgx.Tx) (nodeChange, error) {
		if err := endNotes(ctx, tx, []string{id}); err != nil {
			return nodeChange{}, err
		}
		tag, err := tx.Exec(ctx, `DELETE FROM node WHERE id = $1`, id)
		return nodeChange{removed: tag.RowsAffected() > 0}, err
	}))
}

// removeEnded removes the nodes that have ended, and ends their connections to PostgreSQL. A node that was cut off may have left an open
// transaction, whose locks would block the next owner, and a paused one may be about to append. It reports whether a node was removed.
func removeEnded(ctx context.Context, tx pgx.Tx, expire, connections bool) (bool, error) {
	rows, err := tx.Query(ctx, `DELETE FROM node WHERE `+nodeOver+` RETURNING id`, expire, connections)
	if err != nil {
		return false, err
	}
	ended, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(ended) == 0 {
		return false, err
	}
	if err := endNotes(ctx, tx, ended); err != nil {
		return false, err
	}
	for i, id := range ended {
		ended[i] = SessionName(id)
	}
	_, err = tx.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY($1)`, ended)
	return true, err
}

// SessionName returns the name of the connections of a member of a cluster.
func SessionName(node string) string { return "equity " + node }

// Close closes the connection. It waits briefly for the release of alarms.
func (n *Nodes) Close() error {
	released := time.AfterFunc(n.limit, n.cancel)
	n.work.Wait()
	released.Stop()
	n.cancel()
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

// nodeChange is a change of the list. Each advances the epoch.
type nodeChange struct{ changed, removed bool }

// change runs a change of the list in a transaction. All changes are serialized by the row of the epoch.
func (n *Nodes) change(ctx context.Context, change func(context.Context, pgx.Tx) (nodeChange, error)) error {
	return n.call(ctx, func(ctx context.Context) error { return n.changeOnce(ctx, change) })
}

func (n *Nodes) changeOnce(ctx context.Context, change func(context.Context, pgx.Tx) (nodeChange, error)) error {
	var made nodeChange
	err := pgx.BeginFunc(ctx, n.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT epoch FROM node_epoch FOR UPDATE`); err != nil {
			return err
		}
		var err error
		made, err = change(ctx, tx)
		if err == nil && (made.changed || made.removed) {
			_, err = tx.Exec(ctx, `UPDATE node_epoch SET epoch = epoch + 1`)
		}
		return err
	})
	if err == nil && made.removed {
		n.releaseAlarms() //nolint:contextcheck // it outlives the call
	}
	return err
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
	return n.alone(ctx, func() error { return n.connected(ctx, do) })
}

// connected runs a call within the limit. It connects first if necessary, and closes a connection that failed.
func (n *Nodes) connected(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, n.limit)
	defer cancel()
	if err := n.connect(ctx); err != nil {
		return err
	}
	err := do(ctx)
	if _, answered := errors.AsType[*pgconn.PgError](err); err != nil && !answered && n.conn.IsClosed() {
		_ = n.disconnect(ctx) // the error of the call is the cause
	}
	return err
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
	if _, err := conn.Exec(ctx, `SET jit = off`); err != nil { // compiling the query of the list takes longer than a lease
		return errors.Join(err, n.disconnect(ctx))
	}
	var admitted bool
	err = conn.QueryRow(ctx, `SELECT pg_backend_pid(), COALESCE((SELECT (EXTRACT(EPOCH FROM backend_start) * 1000000)::BIGINT
		FROM pg_stat_get_activity(pg_backend_pid())), 0), `+nodeServer+`, pg_try_advisory_lock_shared(`+serversLock+`)`).
		Scan(&n.backend, &n.started, &n.server, &admitted)
	if err == nil && !admitted {
		err = errRestoring
	}
	if err != nil {
		return errors.Join(err, n.disconnect(ctx))
	}
	return nil
}
