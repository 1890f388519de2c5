package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/people/referral"
)

// Referrals stores referral codes, referred users and their rewards.
type Referrals struct{ db *Database }

// NewReferrals returns the Referrals of db.
func NewReferrals(db *Database) *Referrals { return &Referrals{db: db} }

// codeDraws is the maximum number of drawn codes. If half of all sixteen million codes are in use, all draws fail with a
// probability of one in a billion.
const codeDraws = 30

var errNoCodeLeft = errors.New("all drawn referral codes are in use")

// Code returns the referral code of an entity. The first time, it draws an unused code.
func (f *Referrals) Code(
	ctx context.Context, entity captable.EntityID, now time.Time, draw func() (referral.Code, error),
) (referral.Code, error) {
	for range codeDraws {
		if code, err := f.storedCode(ctx, entity); err != nil || code != "" {
			return code, err
		}
		drawn, err := draw()
		if err != nil {
			return "", err
		}
		// The statement replaces neither the code of another entity nor another code of this one.
		err = Execute(ctx, f.db.writer, "add referral code", `INSERT INTO referral_code (entity, code, created_at)
			VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, entity[:], string(drawn), Micros(now))
		if err != nil {
			return "", err
		}
	}
	return "", errNoCodeLeft
}

// storedCode returns the code of the entity, or "". It queries the writer, because the code may have just been stored.
func (f *Referrals) storedCode(ctx context.Context, entity captable.EntityID) (referral.Code, error) {
	return one(ctx, f.db.writer, nil, "read referral code", Value[referral.Code], `SELECT code FROM referral_code WHERE entity = $1`, entity[:])
}

// refer returns the changes that link a newcomer to the owner of the referral code and store the reward cards of both. They are refused
// with an error with code invalidFields for an unknown code.
func (u *Users) refer(ctx context.Context, newcomer captable.EntityID, by messages.Referred, now time.Time) ([]change, error) {
	referrer, err := one(ctx, u.db.reader, nil, "find referral code", Identifier[captable.EntityID],
		`SELECT entity FROM referral_code WHERE code = $1`, string(by.Code))
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	faults.Add("/referralCode", "unknownReference", "The referral code is unknown.")
	by.ForNewcomer.Entity, by.ForReferrer.Entity = newcomer, referrer
	return []change{
		{
			"refer", `INSERT INTO referral (newcomer, referrer, referred_at) SELECT $1, entity, $2 FROM referral_code WHERE code = $3 AND entity = $4`,
			[]any{newcomer[:], Micros(now), string(by.Code), referrer[:]},
			faults.Err(),
		},
		addCard(by.ForNewcomer, newcomer[:], time.Time{}), addCard(by.ForReferrer, newcomer[:], time.Time{}),
	}, nil
}

// Referred returns at most limit users who registered with the entity's code, newest first, and the numbers of registered and
// joined users.
func (f *Referrals) Referred(
	ctx context.Context, entity captable.EntityID, limit int,
) (found []messages.Referral, referred, joined int, err error) {
	const came = ` FROM referral JOIN users ON users.entity = referral.newcomer WHERE referrer = $1`
	err = f.db.reader.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(email_verified_at)`+came, entity[:]).Scan(&referred, &joined)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("count referrals: %w", err)
	}
	found, err = Collect(ctx, f.db.reader, "list referrals", func(row Row) (r messages.Referral, err error) {
		err = row.Scan(&r.FirstName, IntoTime(&r.At), &r.Joined)
		return r, err
	}, `SELECT first_name, referred_at, email_verified_at IS NOT NULL`+came+` ORDER BY referred_at DESC, newcomer LIMIT $2`, entity[:], limit)
	return found, referred, joined, err
}

// AddCompany stores information about a company and the reward card for it. It returns an error with code conflict if
// the company was submitted before.
func (f *Referrals) AddCompany(ctx context.Context, o Once, requested messages.Company) (messages.Company, bool, error) {
	return once(ctx, f.db, o, func(context.Context) (messages.Company, []change, error) {
		refused := fault.Refuse(fault.Conflict, "This company was submitted before.").With("site", requested.Site)
		return requested, []change{{"add company", `INSERT INTO referral_company
			(id, site, entity, name, website, contact_email, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (site) DO NOTHING`, []any{
			requested.ID[:], requested.Site, requested.Entity[:], requested.Name, requested.Website, requested.ContactEmail, requested.Note,
			Micros(requested.At),
		}, refused}, addCard(requested.Card, nil, requested.At)}, nil
	})
}

// Waitlist returns the number of registered users, in total and in the last seven days, and the position of a user, which is 0 for
// the zero user.
func (f *Referrals) Waitlist(ctx context.Context, user organization.UserID, now time.Time) (found messages.Waitlist, err error) {
	const week = 7 * 24 * time.Hour
	err = f.db.reader.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM users),
		(SELECT COUNT(*) FROM users WHERE created_at > $2),
		(SELECT COUNT(*) FROM users JOIN users AS self ON self.id = $1
			WHERE users.created_at < self.created_at OR (users.created_at = self.created_at AND users.id <= self.id))`,
		user[:], Micros(now.Add(-week))).Scan(&found.Total, &found.LastWeek, &found.Position)
	return found, during("count waitlist", err)
}
