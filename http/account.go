package http

import (
	"context"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Accounts keeps who can sign in. Refusals are a captable.Error whose code is one of
// the authentication errors; userNotFound where there is nobody.
type Accounts interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
	// ByEmail compares without regard to case.
	ByEmail(ctx context.Context, email string) (messages.User, error)
	ByEntity(ctx context.Context, entity captable.EntityID) (messages.User, error)
	// Register adds an account, its verification and the mail that carries the code.
	Register(ctx context.Context, r messages.Registration) error
	// ConfirmRegistration uses up a code, and reports whether it ended credentials that somebody else chose.
	ConfirmRegistration(ctx context.Context, c messages.Confirmation) (user messages.User, takeover bool, err error)
	// RenewVerification replaces the code and sends another mail, unless the last one was
	// sent less than the cooldown ago.
	RenewVerification(
		ctx context.Context, id organization.UserID, v messages.Verification, mail messages.Mail, cooldown time.Duration,
	) error
}

// Passwords changes the password of an account, or stands in for one that was forgotten.
type Passwords interface {
	// SendTemporaryPassword keeps a temporary password and sends it; a captable.Error with
	// code existingActiveTempPassword while an earlier one waits.
	SendTemporaryPassword(ctx context.Context, id organization.UserID, t messages.TemporaryPassword, mail messages.Mail) error
	// FitsTemporaryPassword reports whether it waits for the user; nothing is used up.
	FitsTemporaryPassword(ctx context.Context, id organization.UserID, password string, now time.Time) (bool, error)
	// UseTemporaryPassword uses it up, and the password before it too; false when somebody else was first.
	UseTemporaryPassword(ctx context.Context, id organization.UserID, password string, now time.Time) (bool, error)
	// ChangePassword replaces the hash that was; a captable.Error with code conflict when it is not that any more.
	ChangePassword(ctx context.Context, id organization.UserID, was, hash string, mail messages.Mail) error
}

// TwoFactors keeps second factors: sealed seeds, and hashes of recovery codes.
type TwoFactors interface {
	// Propose keeps a seed until it is enabled; a captable.Error with code conflict when one is in use.
	Propose(ctx context.Context, id organization.UserID, seed []byte) error
	// Find gives the seed in use or the one proposed; one without a seed when there is neither.
	Find(ctx context.Context, id organization.UserID) (messages.TwoFactor, error)
	// Enable puts the proposal into use, with the step of the code that was shown, which is used up by that.
	Enable(ctx context.Context, id organization.UserID, proposed messages.TwoFactor, step int64, recovery []string, mail messages.Mail) error
	// Accept uses up a step; false when it or a later one was used before.
	Accept(ctx context.Context, id organization.UserID, step int64) (bool, error)
	// Recover uses up a recovery code; false when it is none.
	Recover(ctx context.Context, id organization.UserID, code string) (bool, error)
	// Renew replaces the recovery codes.
	Renew(ctx context.Context, id organization.UserID, recovery []string, mail messages.Mail) error
	// Disable forgets the seed and the recovery codes.
	Disable(ctx context.Context, id organization.UserID, mail messages.Mail) error
}

// fullName is the person's name as others see it.
func fullName(u messages.User) string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }
