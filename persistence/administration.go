package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Search gives the accounts that a site administrator looks for, oldest first.
func (u *Users) Search(ctx context.Context, query messages.UserQuery) (found []User, err error) {
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(CanonicalEmail(query.Text)) + "%"
	rows, err := u.db.reader.QueryContext(ctx, `SELECT id FROM users
		WHERE id > $1 AND (email_canonical LIKE $2 ESCAPE '\' OR LOWER(first_name || ' ' || last_name) LIKE $2 ESCAPE '\')
		ORDER BY id LIMIT $3`, query.After[:], pattern, query.Limit)
	if err != nil {
		return nil, fmt.Errorf("search users: %w", err)
	}
	ids, err := userIDs(rows)
	if err != nil {
		return nil, fmt.Errorf("search users: %w", err)
	}
	for _, id := range ids {
		user, err := u.ByID(ctx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, user)
	}
	return found, nil
}

// userIDs reads the only column of the rows, and closes them.
func userIDs(rows *sql.Rows) (ids []organization.UserID, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id []byte
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, organization.UserID(id))
	}
	return ids, rows.Err()
}

// Statistics counts what there is on the whole server.
func (u *Users) Statistics(ctx context.Context, now time.Time) (found messages.Statistics, err error) {
	const week = 7 * 24 * time.Hour
	err = u.db.reader.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(email_verified_at) FROM users),
		(SELECT COUNT(*) FROM users WHERE created_at > $1), (SELECT COUNT(*) FROM users WHERE site_admin = TRUE),
		(SELECT COUNT(DISTINCT organization) FROM membership)`, micros(now.Add(-week))).
		Scan(&found.Users, &found.Verified, &found.LastWeek, &found.SiteAdmins, &found.Organizations)
	return found, during("count", err)
}
