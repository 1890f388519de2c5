package persistence

import (
	"context"
	"math"

	"equity/messages"
)

// Registration contains all changes of a registration.
type Registration = messages.Registration

// Register adds a user with a verification code and its mail; without both, if the address of the user is verified. It refuses with an error with one of these codes, in this
// order: emailBlacklisted, domainBlacklisted, emailUnavailable, ipLimit, and
// invalidFields for an unknown referral code.
func (u *Users) Register(ctx context.Context, r Registration) error {
	if err := u.refuseBlocked(ctx, r.User.Email); err != nil {
		return err
	}
	inserted, err := u.inserted(r.User)
	if err != nil {
		return err
	}
	changes := []change{inserted}
	if r.Browser != "" {
		changes = append(changes, change{"store registrar", `UPDATE users SET registrar_hash = $2 WHERE id = $1`, []any{r.User.ID[:], hashed(r.Browser)}, nil})
	}
	changes = append(changes, countRegistration(r.User.RegisteredIP, r.AddressLimit)...)
	if r.User.EmailVerifiedAt.IsZero() {
		sent, err := u.verification(r.User.ID, r.Verification, r.Mail)
		if err != nil {
			return err
		}
		changes = append(changes, sent...)
	}
	if r.Referred != nil {
		referred, err := u.refer(ctx, r.User.Entity, *r.Referred, r.User.CreatedAt)
		if err != nil {
			return err
		}
		changes = append(changes, referred...)
	}
	if !r.User.EmailVerifiedAt.IsZero() {
		changes = append(changes, cardsEarned(r.User.ID, r.User.EmailVerifiedAt))
	}
	return u.db.together(ctx, changes...)
}

// countRegistration returns the change that increments the number of accounts from the network address. The count is a row instead of a
// COUNT(*), so that concurrent registrations wait for the row lock and cannot exceed the limit.
func countRegistration(address string, limit int) []change {
	if address == "" {
		return nil
	}
	if limit <= 0 {
		limit = math.MaxInt32
	}
	return []change{{
		"count registration", `INSERT INTO registration_count (address, number) VALUES ($1, 1)
		ON CONFLICT (address) DO UPDATE SET number = registration_count.number + 1 WHERE registration_count.number < $2`,
		[]any{address, limit},
		errAddressLimit(),
	}}
}
