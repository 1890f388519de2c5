// Package account serves registration, sign-in, sessions, API tokens, passwords and second factors. The use cases are those of
// equity/account.
package account

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"time"

	"equity/account"
	"equity/http/api"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// Settings are the operator's settings for the operations.
type Settings struct {
	// PublicURL is the public base URL.
	PublicURL string
	// Secure reports that clients use HTTPS only.
	Secure bool
	// SessionMaxAge is the lifetime of an unused session.
	SessionMaxAge time.Duration
	// Demo is the public account of the demo company; nil on other servers.
	Demo *DemoAccount
}

// DemoAccount is an account whose password is public.
type DemoAccount struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// Services are the dependencies of the package.
type Services struct {
	Settings    Settings
	Accounts    *account.Service
	Memberships *membership.Service
	Sessions    Sessions
	Tokens      Tokens
	Log         *slog.Logger
	NewID       func() [16]byte
	Random      io.Reader
}

// Sessions stores the sessions of users.
type Sessions interface {
	// List returns the user's sessions, most recently used first.
	List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error)
	// End ends the user's session with the handle. It returns false if the session does not exist.
	End(ctx context.Context, user organization.UserID, handle string) (bool, error)
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
}

type (
	credentials   struct{ *base }
	diagnostics   struct{ *base }
	factors       struct{ *base }
	identities    struct{ *base }
	magicLinks    struct{ *base }
	registrations struct{ *base }
	sessions      struct{ *base }
	signIn        struct{ *base }
	tokens        struct{ *base }
)

// Feature serves the operations of accounts.
type Feature struct{ base *base }

// New returns the feature.
func New(kernel *api.Kernel, services Services) *Feature {
	return &Feature{&base{kernel, services}}
}

// Operations returns the handlers of the package by operation id.
func (f *Feature) Operations() map[string]api.Handler {
	all := map[string]api.Handler{}
	for _, part := range []interface{ operations() map[string]api.Handler }{
		registrations{f.base},
		signIn{f.base},
		identities{f.base},
		credentials{f.base},
		sessions{f.base},
		factors{f.base},
		tokens{f.base},
		diagnostics{f.base},
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

// signedIn returns the user and the session that the entry permits.
func (s *base) signedIn(ctx context.Context, c *api.Call, entry account.Entry, failure error) (api.Answer, error) {
	if failure != nil {
		return api.Answer{}, failure
	}
	user, err := s.describe(ctx, entry.User)
	if err != nil {
		return api.Answer{}, err
	}
	var factorAt time.Time
	if entry.SecondFactor {
		factorAt = c.At
	}
	return api.Answer{Record: user, Private: true, Session: api.SessionChange{
		EndOthers:  entry.EndOthers,
		StillValid: func(ctx context.Context, handle string) error { return s.Accounts.ConfirmSession(ctx, entry, handle) },
		SignIn: messages.SignIn{
			User: entry.User.ID, SiteAdmin: entry.User.SiteAdmin, MustChangePassword: entry.User.MustChangePassword,
			Address: c.Caller.Address.String(), Agent: c.Header("User-Agent"), SecondFactorAt: factorAt,
		},
	}}, nil
}

// sent is the record of a request that sends a mail.
type sent struct {
	Sent bool `json:"sent"`
}

// answerSent returns the answer to a request that sends a mail.
func answerSent(err error) (api.Answer, error) {
	return api.Answer{Private: true, Record: sent{true}}, err
}
