package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
	"equity/persistence"
)

// Baseline issues shares in the simplest way: each request is one SQL transaction that
// locks the security, checks it, inserts the shareholding, updates the security and
// inserts an audit row. Its tables are in the server's database.
type Baseline struct {
	pool *pgxpool.Pool // PostgreSQL
	db   *sql.DB       // SQLite: its one writer connection
	// known are the securities with a row.
	known sync.Map
	store *persistence.Database
}

// Issued is the row inserted by the baseline, the response in JSON.
type Issued struct {
	ID              captable.ShareholdingID `json:"id"`
	Organization    organization.ID         `json:"organization"`
	Entity          captable.EntityID       `json:"entity"`
	Security        captable.SecurityID     `json:"security"`
	Shares          captable.Decimal        `json:"shares"`
	IssueDate       captable.Date           `json:"issueDate"`
	SerialNumber    int64                   `json:"serialNumber"`
	Certificate     string                  `json:"certificate"`
	ShareholderName string                  `json:"shareholderName"`
	PricePerShare   *captable.Price         `json:"pricePerShare,omitempty"`
	Status          string                  `json:"status"`
	CreatedAt       time.Time               `json:"createdAt"`
	UpdatedAt       time.Time               `json:"updatedAt"`
	Version         int64                   `json:"version"`
}

const baselineSchema = `
CREATE TABLE IF NOT EXISTS bench_security (id BYTEA PRIMARY KEY, organization BYTEA NOT NULL,
	authorized TEXT NOT NULL, issued TEXT NOT NULL, serials BIGINT NOT NULL, version BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS bench_shareholding (id BYTEA PRIMARY KEY, organization BYTEA NOT NULL, entity BYTEA NOT NULL,
	security BYTEA NOT NULL, shares TEXT NOT NULL, issue_date TEXT NOT NULL, serial_number BIGINT NOT NULL,
	certificate TEXT NOT NULL, holder TEXT NOT NULL, price TEXT NOT NULL, status TEXT NOT NULL, created_at BIGINT NOT NULL,
	UNIQUE (organization, certificate), UNIQUE (security, serial_number));
CREATE TABLE IF NOT EXISTS bench_audit (id BYTEA PRIMARY KEY, organization BYTEA NOT NULL, recorded_at BIGINT NOT NULL,
	author TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL);`

// NewBaseline opens the baseline on the server's database.
func NewBaseline(ctx context.Context, address string) (_ *Baseline, err error) {
	store, err := persistence.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	b := &Baseline{store: store}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	if _, err := store.Writer().ExecContext(ctx, baselineSchema); err != nil {
		return nil, fmt.Errorf("baseline tables: %w", err)
	}
	if store.Engine() == persistence.SQLite {
		b.db = store.Writer().DB
		return b, nil
	}
	settings, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	settings.MaxConns, settings.MinConns = 32, 8
	b.pool, err = pgxpool.NewWithConfig(ctx, settings)
	return b, err
}

// addSecurity inserts the row that is locked by issues, unless it exists.
func (b *Baseline) addSecurity(ctx context.Context, org organization.ID, security captable.SecurityID) error {
	if _, known := b.known.Load(security); known {
		return nil
	}
	const statement = `INSERT INTO bench_security VALUES ($1, $2, '1000000000000', '0', 0, 0) ON CONFLICT DO NOTHING`
	if err := b.exec(ctx, statement, security[:], org[:]); err != nil {
		return err
	}
	b.known.Store(security, true)
	return nil
}

func (b *Baseline) exec(ctx context.Context, statement string, arguments ...any) error {
	if b.db != nil {
		_, err := b.db.ExecContext(ctx, statement, arguments...)
		return err
	}
	_, err := b.pool.Exec(ctx, statement, arguments...)
	return err
}

// transaction is the common part of the transactions of both engines.
type transaction interface {
	queryRow(ctx context.Context, statement string, arguments []any, into ...any) error
	exec(ctx context.Context, statement string, arguments ...any) error
}

type pgxTransaction struct{ pgx.Tx }

func (t pgxTransaction) queryRow(ctx context.Context, statement string, arguments []any, into ...any) error {
	return t.QueryRow(ctx, statement, arguments...).Scan(into...)
}

func (t pgxTransaction) exec(ctx context.Context, statement string, arguments ...any) error {
	_, err := t.Exec(ctx, statement, arguments...)
	return err
}

type sqlTransaction struct{ *sql.Tx }

func (t sqlTransaction) queryRow(ctx context.Context, statement string, arguments []any, into ...any) error {
	return t.QueryRowContext(ctx, statement, arguments...).Scan(into...)
}

func (t sqlTransaction) exec(ctx context.Context, statement string, arguments ...any) error {
	_, err := t.ExecContext(ctx, statement, arguments...)
	return err
}

// Issue executes one request and returns the inserted row.
func (b *Baseline) Issue(
	ctx context.Context, org organization.ID, by string, body []byte, name func(captable.EntityID) string,
) (row Issued, err error) {
	var command captable.IssueShareholding
	if err := json.Unmarshal(body, &command); err != nil {
		return row, err
	}
	if err := b.addSecurity(ctx, org, command.Security); err != nil {
		return row, err
	}
	holder := name(command.Entity)
	if b.db != nil {
		tx, err := b.db.BeginTx(ctx, nil) // immediate, which takes the lock
		if err != nil {
			return row, err
		}
		if row, err = issueIn(ctx, sqlTransaction{tx}, "", org, by, holder, command); err != nil {
			return row, errors.Join(err, tx.Rollback())
		}
		return row, tx.Commit()
	}
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		row, err = issueIn(ctx, pgxTransaction{tx}, " FOR UPDATE", org, by, holder, command)
		return err
	})
	return row, err
}

func issueIn(
	ctx context.Context, tx transaction, lock string, org organization.ID, by, holder string, command captable.IssueShareholding,
) (Issued, error) {
	var authorizedText, issuedText string
	var serials, version int64
	err := tx.queryRow(ctx, `SELECT authorized, issued, serials, version FROM bench_security WHERE id = $1 AND organization = $2`+lock,
		[]any{command.Security[:], org[:]}, &authorizedText, &issuedText, &serials, &version)
	if err != nil {
		return Issued{}, err
	}
	issued, authorized := exact.MustDecimal(issuedText), exact.MustDecimal(authorizedText)
	total := issued.Add(command.Shares)
	if total.Cmp(authorized) > 0 {
		return Issued{}, fault.Refuse(fault.InsufficientShares,
			authorized.Sub(issued).String()+" authorized shares are available; "+command.Shares.String()+" were requested.")
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	row := Issued{
		ID: newID(), Organization: org, Entity: command.Entity, Security: command.Security, Shares: command.Shares,
		IssueDate: command.IssueDate, SerialNumber: serials + 1, Certificate: fmt.Sprintf("CS-%d", serials+1),
		ShareholderName: holder, PricePerShare: command.PricePerShare, Status: "active", CreatedAt: now, UpdatedAt: now,
		Version: version + 1,
	}
	price, err := json.Marshal(row.PricePerShare)
	if err != nil {
		return Issued{}, err
	}
	err = tx.exec(ctx, `INSERT INTO bench_shareholding VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		row.ID[:], org[:], row.Entity[:], row.Security[:], row.Shares.String(), row.IssueDate.String(), row.SerialNumber,
		row.Certificate, row.ShareholderName, string(price), row.Status, now.UnixMicro())
	if err != nil {
		return Issued{}, err
	}
	err = tx.exec(ctx, `UPDATE bench_security SET issued = $2, serials = $3, version = $4 WHERE id = $1`,
		row.Security[:], total.String(), row.SerialNumber, row.Version)
	if err != nil {
		return Issued{}, err
	}
	audit, err := json.Marshal(row)
	if err != nil {
		return Issued{}, err
	}
	id := newID()
	return row, tx.exec(ctx, `INSERT INTO bench_audit VALUES ($1, $2, $3, $4, $5, $6)`,
		id[:], org[:], now.UnixMicro(), by, "shareholdingIssued", string(audit))
}

// Close closes the connections.
func (b *Baseline) Close() error {
	if b.pool != nil {
		b.pool.Close()
	}
	return b.store.Close()
}
