// Package account serves registration, sign-in, sessions, passwords and second factors.
package account

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"time"

	"github.com/alexedwards/argon2id"

	"equity/http/admission"
	"equity/http/api"
	"equity/http/letter"
	"equity/messages"
	"equity/organization"
)

// Settings are the operator's settings for accounts.
type Settings struct {
	// PublicURL is the public base URL.
	PublicURL string
	// Secure reports that clients use HTTPS only.
	Secure bool
	// SessionMaxAge is the lifetime of an unused session.
	SessionMaxAge time.Duration
	// RegistrationIPLimit is the maximum number of registrations from one address.
	RegistrationIPLimit int
	// EmailVerificationLimit is the cooldown of verification mails.
	EmailVerificationLimit time.Duration
	// PasswordHashingParallel is the number of concurrent password hashes, which use 64 MiB and half a
	// processor each; 1 when 0.
	PasswordHashingParallel int
	// PasswordCost is the cost of new password hashes; PasswordCost() when zero.
	PasswordCost argon2id.Params
}

// Services are the dependencies of the package.
type Services struct {
	Settings      Settings
	Organizations api.Organizations
	Index         api.Index
	Sessions      Sessions
	Accounts      Accounts
	Passwords     Passwords
	TwoFactors    TwoFactors
	Identities    Identities
	// Provider is nil if users sign in with passwords only.
	Provider  IdentityProvider
	Throttles api.Throttle
	Letters   *letter.Letters
	Log       *slog.Logger
	// Now returns the time. NewID returns a new UUID of version 7. Random is a secure source.
	Now    func() time.Time
	NewID  func() [16]byte
	Random io.Reader
	// HashingSlots bounds the concurrent password hashes; nil makes a queue of the settings.
	HashingSlots *admission.Queue
}

// Sessions stores the sessions of users.
type Sessions interface {
	// List returns the user's sessions, most recently used first.
	List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error)
	// End ends the user's session with the handle. It returns false if the session does not exist.
	End(ctx context.Context, user organization.UserID, handle string) (bool, error)
	// RevokeUser ends all sessions of the user.
	RevokeUser(ctx context.Context, user organization.UserID) error
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
	hasher *hasher
}

type (
	credentials   struct{ *base }
	diagnostics   struct{ *base }
	factors       struct{ *base }
	identities    struct{ *base }
	registrations struct{ *base }
	sessions      struct{ *base }
	signIn        struct{ *base }
)

// Feature serves the operations of accounts.
type Feature struct{ base *base }

// New returns the feature.
func New(kernel *api.Kernel, services Services) *Feature {
	return &Feature{&base{kernel, services, newHasher(services)}}
}

// Operations returns the handlers of the package by operation id.
func (f *Feature) Operations() map[string]api.Handler {
	all := map[string]api.Handler{}
	for _, part := range []interface{ operations() map[string]api.Handler }{
		registrations{f.base}, signIn{f.base}, identities{f.base}, credentials{f.base}, sessions{f.base}, factors{f.base}, diagnostics{f.base},
	} {
		maps.Copy(all, part.operations())
	}
	return all
}

// Checks returns the checks of bodies of operations without a dry run.
func (f *Feature) Checks() map[string]func(*api.Call) error { return registrations{f.base}.checks() }

// DescribeUser returns the record of an account.
func (f *Feature) DescribeUser(ctx context.Context, account messages.User) (any, error) {
	return f.base.describe(ctx, account)
}

// ConfirmOwner requires the present password, if the account has one, and the second factor.
func (f *Feature) ConfirmOwner(ctx context.Context, c *api.Call, account messages.User, password, code string) error {
	return factors{f.base}.confirmOwner(ctx, c, account, password, code)
}
