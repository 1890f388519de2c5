package persistence

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"time"

	"equity/messages"
	"equity/organization"
)

// rememberDevices is the time after the last sign-in from a device in which it is known.
const rememberDevices = 180 * 24 * time.Hour

// NoteDevice records a sign-in from a device, and sends the mail if the user has signed in from other devices only.
func (u *Users) NoteDevice(ctx context.Context, id organization.UserID, device string, now time.Time, mail Mail) error {
	var key []byte
	if secrets := u.db.secrets.Load(); secrets != nil {
		key = secrets.rowKey()
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte("known_device " + id.String() + " " + device))
	return u.db.Transact(messages.WithoutChanges(ctx), func(tx *sql.Tx) error {
		err := Execute(ctx, tx, "forget devices", `DELETE FROM known_device WHERE user_id = $1 AND seen_at < $2`, id[:], Micros(now.Add(-rememberDevices)))
		if err != nil {
			return err
		}
		known, err := Affect(ctx, tx, "note device", `UPDATE known_device SET seen_at = $3 WHERE user_id = $1 AND device_hash = $2`,
			id[:], hash.Sum(nil), Micros(now))
		if err != nil || known {
			return err
		}
		others, err := exists(ctx, tx, `SELECT 1 FROM known_device WHERE user_id = $1`, id[:])
		if err != nil {
			return err
		}
		err = Execute(ctx, tx, "note device", `INSERT INTO known_device (user_id, device_hash, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			id[:], hash.Sum(nil), Micros(now))
		if err != nil || !others {
			return err
		}
		return u.db.enqueue(ctx, tx, mail)
	})
}
