package session

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"equity/messages"
)

// Pool is a pool of connections to a database. Each call ends in bounded time.
type Pool interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// sqlBackend stores sessions in the table session, on SQLite or PostgreSQL, with the SHA-256 of their identifiers as keys.
type sqlBackend struct {
	reader, writer Pool
	options        Options
	sealer         sealer
	touch          time.Duration
}

// NewSQL returns a store on the table session with a pool for reads and one for writes, which may be the same.
// The caller closes the pools.
func NewSQL(reader, writer Pool, o Options) (*Store, error) {
	s, err := newStore(o)
	if err != nil {
		return nil, err
	}
	s.backend = &sqlBackend{
		reader: reader, writer: writer, options: s.options, sealer: s.sealer, touch: s.options.touch(),
	}
	if s.options.Exclusive { // all changes pass through this store
		s.recent.watched()
		s.recent.extend(time.Unix(1<<40, 0))
	}
	return s, nil
}

func (b *sqlBackend) load(ctx context.Context, key string) ([]byte, time.Duration, bool, error) {
	now := b.options.Clock()
	var data []byte
	var created, seen int64
	err := b.reader.QueryRowContext(ctx,
		`SELECT data, created_at, seen_at FROM session WHERE id_hash = $1 AND expires_at > $2`,
		digest(key), now.UnixMicro()).Scan(&data, &created, &seen)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, false, nil
	}
	if err != nil {
		return nil, 0, false, fmt.Errorf("check session: %w", err)
	}
	if unused := now.Sub(time.UnixMicro(seen)); unused < b.touch {
		return data, b.fresh(b.touch - unused), true, nil
	}
	_, err = b.writer.ExecContext(messages.WithoutChanges(ctx), `UPDATE session SET seen_at = $2, expires_at = $3 WHERE id_hash = $1`,
		digest(key), now.UnixMicro(), b.expiry(now, time.UnixMicro(created)))
	if err != nil { // such as a full disk: the session is valid until its present expiry
		return data, b.fresh(probeEvery), true, nil //nolint:nilerr // the store has confirmed the session
	}
	return data, b.fresh(b.touch), true, nil
}

// fresh returns the time for which a check is valid without a query, given the time until the expiry must be extended.
func (b *sqlBackend) fresh(until time.Duration) time.Duration {
	if !b.options.Exclusive {
		return 0
	}
	return until
}

// expiry returns the end of the idle age from now, limited by the absolute age.
func (b *sqlBackend) expiry(now, created time.Time) int64 {
	return min(now.Add(b.options.Idle).UnixMicro(), created.Add(b.options.Absolute).UnixMicro())
}

func (b *sqlBackend) create(r *http.Request, s *sessions.Session, user string, createdAt time.Time) error {
	sealed, err := b.sealer.Serialize(s)
	if err != nil {
		return err
	}
	_, err = b.affect(r.Context(), "create session", `INSERT INTO session
		(id_hash, user_id, data, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
		digest(s.ID), user, string(sealed), createdAt.UnixMicro(), b.expiry(createdAt, createdAt))
	return err
}

// update changes an existing row and never inserts one.
func (b *sqlBackend) update(ctx context.Context, key string, sealed []byte) (bool, error) {
	return b.affect(ctx, "update session", `UPDATE session SET data = $2 WHERE id_hash = $1 AND expires_at > $3`,
		digest(key), string(sealed), b.options.Clock().UnixMicro())
}

// affect runs a statement and reports whether it changed a row. Operation is the prefix of its error.
func (b *sqlBackend) affect(ctx context.Context, operation, statement string, arguments ...any) (bool, error) {
	result, err := b.writer.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", operation, err)
	}
	changed, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("%s: %w", operation, err)
	}
	return changed > 0, nil
}

func (b *sqlBackend) destroy(ctx context.Context, key string) error {
	_, err := b.affect(ctx, "end session", `DELETE FROM session WHERE id_hash = $1`, digest(key))
	return err
}

func (b *sqlBackend) list(ctx context.Context, user string) (list []stored, err error) {
	rows, err := b.reader.QueryContext(ctx,
		`SELECT id_hash, data, seen_at FROM session WHERE user_id = $1 AND expires_at > $2`,
		user, b.options.Clock().UnixMicro())
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one stored
		var hash []byte
		var seen int64
		if err := rows.Scan(&hash, &one.sealed, &seen); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		one.key = base64.RawURLEncoding.EncodeToString(hash)
		one.seenAt = time.UnixMicro(seen)
		list = append(list, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

func (b *sqlBackend) end(ctx context.Context, user string, h handle) (bool, error) {
	return b.affect(ctx, "end session", `DELETE FROM session WHERE user_id = $1 AND substr(id_hash, 1, 16) = $2`, user, h[:])
}

func (b *sqlBackend) revoke(ctx context.Context, user string) error {
	_, err := b.affect(ctx, "revoke sessions", `DELETE FROM session WHERE user_id = $1`, user)
	return err
}

func (b *sqlBackend) sweep(ctx context.Context) error {
	_, err := b.affect(ctx, "sweep sessions", `DELETE FROM session WHERE expires_at <= $1`, b.options.Clock().UnixMicro())
	return err
}

// close has no effect: the caller closes the pools.
func (b *sqlBackend) close() error { return nil }
