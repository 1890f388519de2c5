package persistence

import (
	"context"
	"strings"
	"time"

	"equity/messages"
)

// Search returns the accounts that match the query, oldest first.
func (u *Users) Search(ctx context.Context, query messages.UserQuery) ([]User, error) {
	return Collect(ctx, u.db.reader, "search users", func(row Row) (User, error) { return scanUser(row) }, `SELECT `+userColumns+` FROM users
		WHERE id > $1 AND (email_canonical LIKE $2 ESCAPE '\' OR LOWER(first_name || ' ' || last_name) LIKE $2 ESCAPE '\')
		ORDER BY id LIMIT $3`, query.After[:], containing(query.Text), query.Limit)
}

// containing returns the LIKE pattern of texts that contain this text. Both are compared in lower case.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(messages.CanonicalEmail(text)) + "%"
}

// Statistics returns counts of the whole server.
func (u *Users) Statistics(ctx context.Context, now time.Time) (found messages.Statistics, err error) {
	const week = 7 * 24 * time.Hour
	err = u.db.reader.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(email_verified_at) FROM users),
		(SELECT COUNT(*) FROM users WHERE created_at > $1), (SELECT COUNT(disabled_at) FROM users),
		(SELECT COUNT(*) FROM users WHERE site_admin = TRUE), (SELECT COUNT(DISTINCT organization) FROM membership),
		(SELECT COUNT(*) FROM blocked_email), (SELECT COUNT(*) FROM blocked_domain)`, Micros(now.Add(-week))).
		Scan(&found.Users, &found.Verified, &found.LastWeek, &found.Disabled, &found.SiteAdmins, &found.Organizations,
			&found.BlockedAddresses, &found.BlockedDomains)
	return found, during("count", err)
}
