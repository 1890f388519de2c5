package http

import (
	"context"
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
	// VerifyEmail uses up a code; the email may be empty.
	VerifyEmail(ctx context.Context, email, code string, now time.Time) (messages.User, error)
	// RenewVerification replaces the code and sends another mail, unless the last one was
	// sent less than the cooldown ago.
	RenewVerification(
		ctx context.Context, id organization.UserID, v messages.Verification, mail messages.Mail, cooldown time.Duration,
	) error
}

// fullName is the person's name as others see it.
func fullName(u messages.User) string { return u.FirstName + " " + u.LastName }
