package account

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
)

// IdentityProvider verifies the identity of users.
type IdentityProvider interface {
	// Verify verifies an ID token. It returns ErrInvalidToken for an invalid token, and another error if
	// the verification failed.
	Verify(ctx context.Context, token string) (messages.Claims, error)
	// SignInURL returns the address of the provider's sign-in page, which returns the browser to the given address with an ID token in the
	// fragment.
	SignInURL(ctx context.Context, back string) (string, error)
	// Knows reports whether the identity belongs to this provider.
	Knows(i messages.Identity) bool
	// Contacts returns the subject's contacts at the provider. The list is empty if the provider has
	// no such service.
	Contacts(ctx context.Context, subject string) ([]messages.Contact, error)
}

// ErrInvalidToken is the error of an invalid ID token. It wraps the cause, which is for the log only.
var ErrInvalidToken = errors.New("identity token refused")

// Memberships changes the memberships of a user in organizations.
type Memberships interface {
	// Claim links the user to the members that organizations entered with the user's verified e-mail address.
	Claim(ctx context.Context, user messages.User, at time.Time) error
	// Invites reports whether an open invitation with the token was mailed to the address.
	Invites(ctx context.Context, token, email, network string, at time.Time) (bool, error)
	// CheckOwners returns an error if the user is the only owner of an organization.
	CheckOwners(ctx context.Context, user organization.UserID) error
	// LeaveAll ends the memberships of the user.
	LeaveAll(ctx context.Context, user organization.UserID, at time.Time) error
}

// Throttle counts attempts across all servers.
type Throttle interface {
	// Take counts one attempt. It returns the time to wait if the attempts in the window exceed the
	// limit; else zero.
	Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
	// Forgive resets the attempts of the subject.
	Forgive(ctx context.Context, subject string) error
}

// HashingSlots bounds the concurrent password hashes.
type HashingSlots interface {
	// Do carries out the work when a slot is free. Its error is that of the work, or of the wait for a slot.
	Do(ctx context.Context, work func() error) error
}

// Letters writes the mails of accounts.
type Letters interface {
	// Verification returns the mail with the code that confirms an address.
	Verification(at time.Time, to, code string) (messages.Mail, error)
	// TemporaryPassword returns the mail with a temporary password. The name may be empty.
	TemporaryPassword(at time.Time, to, name, password string) (messages.Mail, error)
	// MagicLink returns the mail with a link that signs its recipient in.
	MagicLink(at time.Time, to messages.User, token string) (messages.Mail, error)
	// Notice returns the mail about a change of the user's credentials.
	Notice(at time.Time, to messages.User, notice Notice) (messages.Mail, error)
}

// Notice is a change of credentials about which a user is mailed.
type Notice int

// The notices.
const (
	NoticePassword Notice = iota
	NoticeTwoFactorOn
	NoticeTwoFactorOff
	NoticeRecoveryCodes
	NoticeIdentityLinked
	NoticeTakeOver
	NoticeToken
	NoticeDevice
)
