// Package account contains the use cases of user accounts: registration, verification, sign-in, second factors,
// passwords, identity providers and erasure. It has no transport: the caller of the service sets cookies and sessions,
// and the stores send the mails that they keep.
package account

import (
	"io"
	"log/slog"
	"time"

	"github.com/alexedwards/argon2id"

	"equity/messages"
	"equity/organization"
)

// Settings are the operator's settings for accounts.
type Settings struct {
	// RegistrationIPLimit is the maximum number of registrations from one address.
	RegistrationIPLimit int
	// EmailVerificationLimit is the cooldown of verification mails.
	EmailVerificationLimit time.Duration
	// PasswordCost is the cost of new password hashes; PasswordCost() when zero.
	PasswordCost argon2id.Params
}

// Services are the dependencies of the use cases. A use case needs only some of them.
type Services struct {
	Accounts   Accounts
	Passwords  Passwords
	TwoFactors TwoFactors
	Identities Identities
	// MagicLinks is nil unless users sign in by mailed links.
	MagicLinks MagicLinks
	// Provider is nil if users sign in with passwords only.
	Provider    IdentityProvider
	Sessions    Sessions
	Erasure     Erasure
	Memberships Memberships
	Throttle    Throttle
	Letters     Letters
	// HashingSlots bounds the concurrent password hashes; nil does not.
	HashingSlots HashingSlots
	Log          *slog.Logger
	// Now returns the time. NewID returns a new UUID of version 7. Random is a secure source.
	Now    func() time.Time
	NewID  func() [16]byte
	Random io.Reader
}

// Service carries out the use cases. It is safe for concurrent use.
type Service struct {
	settings Settings
	Services
	limits
	notices
	hasher *hasher
}

// New returns a service.
func New(settings Settings, services Services) *Service {
	return &Service{
		settings, services,
		limits{services.Throttle},
		notices{services.Accounts, services.Letters, services.Log},
		newHasher(settings.PasswordCost, services.HashingSlots),
	}
}

// Caller is the origin of a request.
type Caller struct {
	// User is the signed-in user; the zero ID without a session.
	User organization.UserID
	// Session is the public handle of the session; empty without a session.
	Session string
	// MustChangePassword reports that the session began with a temporary password.
	MustChangePassword bool
	// Network is the key by which attempts are counted: the address of the client, or a network of addresses.
	Network string
	// Agent is the User-Agent of the request.
	Agent string
	// Request identifies the request in the log.
	Request string
	// At is the time of the request.
	At time.Time
}

// Entry permits a new session for an account.
type Entry struct {
	User messages.User
	// EndOthers ends all other sessions of the user before the new session begins.
	EndOthers bool
	// SecondFactor reports that the user has just given a second factor.
	SecondFactor bool
}

// mail returns a mail that the request causes, to be counted.
func (c Caller) mail(kind messages.MailKind, recipient string) messages.ChosenMail {
	mail := messages.ChosenMail{Kind: kind, Recipient: recipient, Network: c.Network}
	if !c.User.IsZero() {
		mail.Sender = c.User.String()
	}
	return mail
}
