package persistence

import (
	"context"
	"strings"
	"time"

	"equity/messages"
)

// Blocklist stores the addresses and domains that may not register.
type Blocklist struct{ db *Database }

// NewBlocklist returns the Blocklist of db.
func NewBlocklist(db *Database) *Blocklist { return &Blocklist{db: db} }

// Block refuses registrations with the address, or with the addresses of the domain and its subdomains. An entry with an @ is
// an address. Block is idempotent.
func (b *Blocklist) Block(ctx context.Context, entry string, now time.Time) error {
	entry, statement := byKind(entry,
		`INSERT INTO blocked_email (email_canonical, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
		`INSERT INTO blocked_domain (domain, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`)
	return Execute(ctx, b.db.writer, "block", statement, entry, Micros(now))
}

// Unblock permits registrations with the address or domain again. It reports whether the entry was blocked.
func (b *Blocklist) Unblock(ctx context.Context, entry string) (bool, error) {
	entry, statement := byKind(entry,
		`DELETE FROM blocked_email WHERE email_canonical = $1`, `DELETE FROM blocked_domain WHERE domain = $1`)
	return Affect(ctx, b.db.writer, "unblock", statement, entry)
}

// Blocked returns a page of blocked addresses and domains, in ascending order.
func (b *Blocklist) Blocked(ctx context.Context, query messages.BlockedQuery) ([]messages.Blocked, error) {
	return Collect(ctx, b.db.reader, "read blocklist", func(row Row) (entry messages.Blocked, err error) {
		err = row.Scan(&entry.Entry, IntoTime(&entry.Since))
		return entry, err
	}, `SELECT entry, since FROM (
			SELECT email_canonical AS entry, created_at AS since FROM blocked_email
			UNION ALL SELECT domain, created_at FROM blocked_domain) AS blocked
		WHERE entry > $1 AND entry LIKE $2 ESCAPE '\' ORDER BY entry LIMIT $3`, query.After, containing(query.Text), query.Limit)
}

// byKind returns the canonical form of an entry and the statement for its kind.
func byKind(entry, forAddress, forDomain string) (canonical, statement string) {
	canonical = strings.TrimPrefix(messages.CanonicalEmail(entry), "@")
	if strings.Contains(canonical, "@") {
		return canonical, forAddress
	}
	return canonical, forDomain
}

// refuseBlocked returns an error if the address, its domain or a parent domain is blocked.
func (u *Users) refuseBlocked(ctx context.Context, email string) error {
	canonical := messages.CanonicalEmail(email)
	blocked, err := exists(ctx, u.db.reader, `SELECT 1 FROM blocked_email WHERE email_canonical = $1`, canonical)
	if err != nil {
		return err
	}
	if blocked {
		return errEmailBlocked()
	}
	domain := canonical[strings.LastIndexByte(canonical, '@')+1:]
	for domain != "" {
		blocked, err := exists(ctx, u.db.reader, `SELECT 1 FROM blocked_domain WHERE domain = $1`, domain)
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
