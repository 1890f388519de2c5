package persistence

import (
	"context"
	"database/sql"
	"time"

	"equity/messages"
	"equity/organization"
)

// SendMagicLink stores a sign-in link and sends its mail. Earlier links remain valid until they expire; expired links
// are removed.
func (u *Users) SendMagicLink(
	ctx context.Context, id organization.UserID, link messages.MagicLink, mail Mail,
) error {
	hash, expires := hashed(link.Token), Micros(link.ExpiresAt)
	mac, err := u.db.rows.mac(signedLink(), hash, id[:], expires)
	if err != nil {
		return err
	}
	enqueued, err := u.db.enqueued(mail)
	if err != nil {
		return err
	}
	return u.db.together(ctx,
		change{"sweep magic links", `DELETE FROM magic_link WHERE expires_at <= $1`, []any{Micros(mail.CreatedAt)}, nil},
		change{"store magic link", `INSERT INTO magic_link (token_hash, user_id, expires_at, mac) VALUES ($1, $2, $3, $4)`, []any{hash, id[:], expires, mac}, nil},
		enqueued)
}

// ByMagicLink returns the user of a link without using it up, or an error with code userNotFound.
func (u *Users) ByMagicLink(ctx context.Context, token string, now time.Time) (User, error) {
	return u.holder(ctx, signedLink(), `SELECT `+signedLink().all()+` FROM magic_link WHERE token_hash = $1 AND expires_at > $2`, hashed(token), Micros(now))
}

// UseMagicLink uses up a link. It reports whether the link was valid; of two concurrent calls, one succeeds. The use of the
// link confirms the address and invalidates unproven credentials. The caller then ends the sessions.
func (u *Users) UseMagicLink(ctx context.Context, token string, now time.Time) (used bool, err error) {
	err = u.db.Transact(ctx, func(tx *sql.Tx) error {
		row, found, err := u.db.rows.find(ctx, tx, signedLink(), `DELETE FROM magic_link WHERE token_hash = $1 AND expires_at > $2
			RETURNING `+signedLink().all(), hashed(token), Micros(now))
		if used = found; !used {
			return err
		}
		var id organization.UserID
		copy(id[:], row.bytes("user_id"))
		if _, err := u.proveHolder(ctx, tx, id, now, keepFactor); err != nil {
			return err
		}
		return u.confirmEmail(ctx, tx, id, now)
	})
	return used && err == nil, err
}
