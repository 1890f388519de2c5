package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// CanonicalEmail is the form in which addresses are compared: trimmed, composed (NFC) and lower-cased. Two addresses
// with one canonical form are one account.
func CanonicalEmail(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}

// Blocklist keeps the addresses and domains that may not register.
type Blocklist struct{ db *Database }

// NewBlocklist makes the Blocklist of db.
func NewBlocklist(db *Database) *Blocklist { return &Blocklist{db: db} }

// BlockEmail refuses registrations with the address. Blocking twice is the same as once.
func (b *Blocklist) BlockEmail(ctx context.Context, email string, now time.Time) error {
	_, err := b.db.writer.ExecContext(ctx, `INSERT INTO blocked_email (email_canonical, created_at) VALUES ($1, $2)
		ON CONFLICT DO NOTHING`, CanonicalEmail(email), micros(now))
	if err != nil {
		return fmt.Errorf("block email: %w", err)
	}
	return nil
}

// BlockDomain refuses registrations with addresses of the domain and of all domains below it.
func (b *Blocklist) BlockDomain(ctx context.Context, domain string, now time.Time) error {
	_, err := b.db.writer.ExecContext(ctx, `INSERT INTO blocked_domain (domain, created_at) VALUES ($1, $2)
		ON CONFLICT DO NOTHING`, CanonicalEmail(strings.TrimPrefix(domain, "@")), micros(now))
	if err != nil {
		return fmt.Errorf("block domain: %w", err)
	}
	return nil
}

// refuseBlocked refuses an address that is blocked, or whose domain or a domain above it is.
func refuseBlocked(ctx context.Context, tx *sql.Tx, canonical string) error {
	blocked, err := exists(ctx, tx, `SELECT 1 FROM blocked_email WHERE email_canonical = $1`, canonical)
	if err != nil {
		return err
	}
	if blocked {
		return errEmailBlocked()
	}
	domain := canonical[strings.LastIndexByte(canonical, '@')+1:]
	for domain != "" {
		blocked, err := exists(ctx, tx, `SELECT 1 FROM blocked_domain WHERE domain = $1`, domain)
		if err != nil {
			return err
		}
		if blocked {
			return errDomainBlocked()
		}
		_, domain, _ = strings.Cut(domain, ".")
	}
	return nil
}

// exists reports whether the query has a row.
func exists(ctx context.Context, tx *sql.Tx, query string, arguments ...any) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, query, arguments...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up: %w", err)
	}
	return true, nil
}
