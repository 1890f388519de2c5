package persistence

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// Documents stores the readings of documents, and the codes and visits of shares.
type Documents struct{ db *Database }

// NewDocuments returns the Documents of db.
func NewDocuments(db *Database) *Documents { return &Documents{db} }

// viewInterval is the interval in which several readings of a document by one reader are one: browsers request large documents in parts.
const viewInterval = 10 * time.Minute

// rememberViews is the retention of readings.
const rememberViews = 400 * 24 * time.Hour

// RecordView stores a reading, or adds its bytes to an earlier one of the same interval.
func (s *Documents) RecordView(ctx context.Context, id organization.ID, v messages.DocumentView) error {
	return Execute(messages.WithoutChanges(ctx), s.db.writer, "record reading of a document", `INSERT INTO document_view
		(organization, document, id, user_id, share_id, email, version, kind, slot, viewed_at, bytes)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (organization, document, user_id, share_id, version, kind, slot) DO UPDATE SET bytes = document_view.bytes + excluded.bytes`,
		id[:], v.Document[:], v.ID[:], v.User[:], v.Share[:], v.Email, v.Version, v.Kind, Micros(v.At.Truncate(viewInterval)), Micros(v.At),
		v.Bytes)
}

// Views returns the readings of a document before the id, the latest first. The zero id is the end.
func (s *Documents) Views(
	ctx context.Context, id organization.ID, item document.ItemID, before [16]byte, limit int,
) ([]messages.DocumentView, error) {
	if before == ([16]byte{}) {
		before = [16]byte{0xff}
	}
	return Collect(ctx, s.db.reader, "list readings of a document", func(row Row) (messages.DocumentView, error) {
		view := messages.DocumentView{Document: item}
		return view, row.Scan(IntoBytes(view.ID[:]), IntoBytes(view.User[:]), IntoBytes(view.Share[:]), &view.Email, &view.Version, &view.Kind,
			IntoTime(&view.At), &view.Bytes)
	}, `SELECT id, user_id, share_id, email, version, kind, viewed_at, bytes FROM document_view
		WHERE organization = $1 AND document = $2 AND id < $3 ORDER BY id DESC LIMIT $4`, id[:], item[:], before[:], limit)
}

// SendCode stores the code of a share, in place of an earlier one, and its mail.
func (s *Documents) SendCode(ctx context.Context, share document.ShareID, code string, expires time.Time, mail Mail) error {
	return s.db.Transact(messages.WithoutChanges(ctx), func(tx *sql.Tx) error {
		err := Execute(ctx, tx, "store code of a share", `INSERT INTO share_code (share_id, code_hash, attempts, expires_at) VALUES ($1, $2, 0, $3)
			ON CONFLICT (share_id) DO UPDATE SET code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`,
			share[:], hashed(share.String()+" "+code), Micros(expires))
		if err != nil {
			return err
		}
		if err := s.db.rows.signRow(ctx, tx, signedShareCode(), share[:]); err != nil {
			return err
		}
		return s.db.enqueue(ctx, tx, mail)
	})
}

// Visit uses up the code of a share and stores a visit. It reports false for a wrong or expired code, and after too many attempts.
func (s *Documents) Visit(
	ctx context.Context, share document.ShareID, code string, attempts int, now time.Time, token string, expires time.Time,
) (valid bool, err error) {
	err = s.db.Transact(messages.WithoutChanges(ctx), func(tx *sql.Tx) error {
		row, found, err := s.db.rows.find(ctx, tx, signedShareCode(), `UPDATE share_code SET attempts = attempts + 1
			WHERE share_id = $1 AND expires_at > $2 AND attempts < $3 RETURNING `+signedShareCode().all(), share[:], Micros(now), attempts)
		if err != nil {
			return err
		}
		if valid = found && subtle.ConstantTimeCompare(row.bytes("code_hash"), hashed(share.String()+" "+code)) == 1; !valid {
			return nil
		}
		if err := Execute(ctx, tx, "use code of a share", `DELETE FROM share_code WHERE share_id = $1`, share[:]); err != nil {
			return err
		}
		err = Execute(ctx, tx, "store visit of a share", `INSERT INTO share_visit (token_hash, share_id, expires_at) VALUES ($1, $2, $3)`,
			hashed(token), share[:], Micros(expires))
		if err != nil {
			return err
		}
		return s.db.rows.signRow(ctx, tx, signedShareVisit(), hashed(token))
	})
	return valid && err == nil, err
}

// Visited reports whether the token belongs to a visit of the share that has not expired.
func (s *Documents) Visited(ctx context.Context, share document.ShareID, token string, now time.Time) (bool, error) {
	_, found, err := s.db.rows.find(ctx, s.db.reader, signedShareVisit(), `SELECT `+signedShareVisit().all()+` FROM share_visit
		WHERE token_hash = $1 AND share_id = $2 AND expires_at > $3`, hashed(token), share[:], Micros(now))
	return found, err
}

// Sweep removes expired codes and visits, and readings older than 400 days.
func (s *Documents) Sweep(ctx context.Context, now time.Time) error {
	return errors.Join(
		Execute(ctx, s.db.writer, "sweep codes of shares", `DELETE FROM share_code WHERE expires_at <= $1`, Micros(now)),
		Execute(ctx, s.db.writer, "sweep visits of shares", `DELETE FROM share_visit WHERE expires_at <= $1`, Micros(now)),
		Execute(ctx, s.db.writer, "sweep readings", `DELETE FROM document_view WHERE viewed_at <= $1`, Micros(now.Add(-rememberViews))))
}
