package persistence

import (
	"context"
	"database/sql"
	"fmt"

	"equity/messages"
)

// Registration contains all changes of a registration.
type Registration = messages.Registration

// Register adds a user with a verification code and its mail. It refuses with an error with one of these codes, in this
// order: emailBlacklisted, domainBlacklisted, emailUnavailable, ipLimit, and
// invalidFields for an unknown referral code.
func (u *Users) Register(ctx context.Context, r Registration) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := refuseBlocked(ctx, tx, messages.CanonicalEmail(r.User.Email)); err != nil {
			return err
		}
		if err := u.insertUser(ctx, tx, r.User); err != nil {
			return err
		}
		if r.Browser != "" {
			_, err := affect(ctx, tx, "store registrar", `UPDATE users SET registrar_hash = $2 WHERE id = $1`, r.User.ID[:], hashed(r.Browser))
			if err != nil {
				return err
			}
		}
		if err := countRegistration(ctx, tx, r.User.RegisteredIP, r.AddressLimit); err != nil {
			return err
		}
		if err := u.verifications.replace(ctx, tx, r.User.ID, r.Verification); err != nil {
			return err
		}
		if r.Referred != nil {
			if err := refer(ctx, tx, r.User.Entity, *r.Referred, r.User.CreatedAt); err != nil {
				return err
			}
		}
		return u.db.enqueue(ctx, tx, r.Mail)
	})
}

// countRegistration increments the number of accounts from the network address. The count is a row instead of a COUNT(*), so
// that concurrent registrations wait for the row lock and cannot exceed the limit.
func countRegistration(ctx context.Context, tx *sql.Tx, address string, limit int) error {
	if address == "" {
		return nil
	}
	var number int
	err := tx.QueryRowContext(ctx, `INSERT INTO registration_count (address, number) VALUES ($1, 1)
		ON CONFLICT (address) DO UPDATE SET number = registration_count.number + 1 RETURNING number`,
		address).Scan(&number)
	if err != nil {
		return fmt.Errorf("count registration: %w", err)
	}
	if limit > 0 && number > limit {
		return errAddressLimit()
	}
	return nil
}
