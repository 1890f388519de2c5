package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/people/referral"
)

// Referrals keeps who brought whom along, and what that earned.
type Referrals struct{ db *Database }

// NewReferrals makes the Referrals of db.
func NewReferrals(db *Database) *Referrals { return &Referrals{db: db} }

// codeDraws is how often a code is drawn before that is given up. When half of all sixteen million codes are taken, that
// happens to one in a billion.
const codeDraws = 30

var errNoCodeLeft = errors.New("every referral code that was drawn is somebody's")

// Code gives the code of an entity. The first time it is drawn, as often as needed for one that is nobody's.
func (f *Referrals) Code(
	ctx context.Context, entity captable.EntityID, now time.Time, draw func() (referral.Code, error),
) (referral.Code, error) {
	for range codeDraws {
		if code, err := f.knownCode(ctx, entity); err != nil || code != "" {
			return code, err
		}
		drawn, err := draw()
		if err != nil {
			return "", err
		}
		// Neither another's code nor another code of the same entity is written over.
		_, err = affect(ctx, f.db.writer, "add referral code", `INSERT INTO referral_code (entity, code, created_at)
			VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, entity[:], string(drawn), micros(now))
		if err != nil {
			return "", err
		}
	}
	return "", errNoCodeLeft
}

// knownCode gives the code that the entity has; none when it has none yet. It asks the writer, as it may have been given a moment ago.
func (f *Referrals) knownCode(ctx context.Context, entity captable.EntityID) (referral.Code, error) {
	var code string
	err := f.db.writer.QueryRowContext(ctx, `SELECT code FROM referral_code WHERE entity = $1`, entity[:]).Scan(&code)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return referral.Code(code), during("read referral code", err)
}

// refer links a newcomer with the owner of the code they registered with, and keeps the cards that both will get. An Error
// with code invalidFields when the code is nobody's.
func refer(ctx context.Context, tx *sql.Tx, newcomer captable.EntityID, by messages.Referred, now time.Time) error {
	var referrer []byte
	err := tx.QueryRowContext(ctx, `SELECT entity FROM referral_code WHERE code = $1`, string(by.Code)).Scan(&referrer)
	if errors.Is(err, sql.ErrNoRows) {
		var faults captable.Faults
		faults.Add("/referralCode", "unknownReference", "This referral code is nobody's.")
		return faults.Err()
	}
	if err != nil {
		return fmt.Errorf("find referral code: %w", err)
	}
	_, err = affect(ctx, tx, "refer", `INSERT INTO referral (newcomer, referrer, referred_at) VALUES ($1, $2, $3)`,
		newcomer[:], referrer, micros(now))
	if err != nil {
		return err
	}
	by.ForNewcomer.Entity, by.ForReferrer.Entity = newcomer, captable.EntityID(referrer)
	if err := addCard(ctx, tx, by.ForNewcomer, newcomer[:], time.Time{}); err != nil {
		return err
	}
	return addCard(ctx, tx, by.ForReferrer, newcomer[:], time.Time{})
}

// Referred gives the newest of those who came by the entity's code, at most limit, and how many there are and how many of them
// joined.
func (f *Referrals) Referred(
	ctx context.Context, entity captable.EntityID, limit int,
) (found []messages.Referral, referred, joined int, err error) {
	const came = ` FROM referral JOIN users ON users.entity = referral.newcomer WHERE referrer = $1`
	err = f.db.reader.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(email_verified_at)`+came, entity[:]).Scan(&referred, &joined)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("count referrals: %w", err)
	}
	rows, err := f.db.reader.QueryContext(ctx,
		`SELECT first_name, referred_at, email_verified_at`+came+` ORDER BY referred_at DESC, newcomer LIMIT $2`, entity[:], limit)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("list referrals: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one messages.Referral
		var at int64
		var verified sql.NullInt64
		if err := rows.Scan(&one.FirstName, &at, &verified); err != nil {
			return nil, 0, 0, fmt.Errorf("list referrals: %w", err)
		}
		one.At, one.Joined = moment(at), verified.Valid
		found = append(found, one)
	}
	return found, referred, joined, during("list referrals", rows.Err())
}

// AddCompany keeps a company that somebody told about, and the card that they earned by it. An Error with code conflict when
// somebody told about it before.
func (f *Referrals) AddCompany(ctx context.Context, o Once, wish messages.Company) (messages.Company, bool, error) {
	return once(ctx, f.db, o, func(tx *sql.Tx) (messages.Company, error) {
		isNew, err := affect(ctx, tx, "add company", `INSERT INTO referral_company
			(id, site, entity, name, website, contact_email, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (site) DO NOTHING`,
			wish.ID[:], wish.Site, wish.Entity[:], wish.Name, wish.Website, wish.ContactEmail, wish.Note, micros(wish.At))
		if err != nil {
			return wish, err
		}
		if !isNew {
			return wish, captable.Refuse(captable.CodeConflict, "Somebody told about this company before.").With("site", wish.Site)
		}
		return wish, addCard(ctx, tx, wish.Card, nil, wish.At)
	})
}

// Waitlist counts those who registered, in all and in the last seven days, and gives a user's place among them; none for the
// zero user.
func (f *Referrals) Waitlist(ctx context.Context, user organization.UserID, now time.Time) (found messages.Waitlist, err error) {
	const week = 7 * 24 * time.Hour
	err = f.db.reader.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM users),
		(SELECT COUNT(*) FROM users WHERE created_at > $2),
		(SELECT COUNT(*) FROM users JOIN users AS self ON self.id = $1
			WHERE users.created_at < self.created_at OR (users.created_at = self.created_at AND users.id <= self.id))`,
		user[:], micros(now.Add(-week))).Scan(&found.Total, &found.LastWeek, &found.Position)
	return found, during("count waitlist", err)
}
