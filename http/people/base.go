// Package people serves wallets, referral credit, reward cards, profiles and the personal data of users.
package people

import (
	"context"
	"io"
	"maps"

	"equity/account"
	"equity/captable"
	"equity/http/api"
	"equity/http/letter"
	"equity/messages"
	"equity/organization"
)

// Services are the dependencies of the package.
type Services struct {
	Index      api.Index
	Accounts   Accounts
	Identities Identities
	// Provider is nil if users sign in with passwords only.
	Provider     Provider
	Wallets      Wallets
	Credit       Credit
	Referrals    Referrals
	Waitlist     Waitlist
	Profiles     Profiles
	ProfileFiles ProfileFiles
	Erasure      Erasure
	Letters      *letter.Letters
	// NewID returns a new UUID of version 7. Random is a secure source.
	NewID  func() [16]byte
	Random io.Reader
	// DescribeUser and DescribeMember return the records of an account and of a membership.
	DescribeUser   func(ctx context.Context, account messages.User) (any, error)
	DescribeMember func(ctx context.Context, c *api.Call, member *organization.Member) (any, error)
}

// Erasure erases accounts.
type Erasure interface {
	// Erase deletes the caller's account and all personal data.
	Erase(ctx context.Context, by account.Caller, confirmation account.ErasureRequest) error
}

// Accounts finds accounts.
type Accounts interface {
	// ByEntity returns the account of an entity; code userNotFound if the entity has no account.
	ByEntity(ctx context.Context, entity captable.EntityID) (messages.User, error)
}

// Identities lists the identities of accounts.
type Identities interface {
	IdentitiesOf(ctx context.Context, id organization.UserID) ([]messages.Identity, error)
}

// Provider is the identity provider.
type Provider interface {
	// Knows reports whether the identity belongs to this provider.
	Knows(i messages.Identity) bool
	// Contacts returns the subject's contacts at the provider.
	Contacts(ctx context.Context, subject string) ([]messages.Contact, error)
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
}

type (
	cards     struct{ *base }
	ledger    struct{ *base }
	profiles  struct{ *base }
	referrals struct{ *base }
	wallets   struct{ *base }
	privacy   struct{ *base }
)

// Feature serves the operations of people.
type Feature struct{ base *base }

// New returns the feature.
func New(kernel *api.Kernel, services Services) *Feature { return &Feature{&base{kernel, services}} }

// Operations returns the handlers of the package by operation id.
func (f *Feature) Operations() map[string]api.Handler {
	all := map[string]api.Handler{}
	for _, part := range []interface{ operations() map[string]api.Handler }{
		wallets{f.base}, ledger{f.base}, cards{f.base}, referrals{f.base}, profiles{f.base}, privacy{f.base},
	} {
		maps.Copy(all, part.operations())
	}
	return all
}

// Checks returns the checks of bodies of operations without a dry run.
func (f *Feature) Checks() map[string]func(*api.Call) error { return ledger{f.base}.creditChecks() }
