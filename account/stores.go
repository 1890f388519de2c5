package account

import (
	"context"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Accounts stores the accounts of users. Expected failures are a fault.Error whose code is one of
// the authentication errors; the code of an unknown account is userNotFound.
type Accounts interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
	// ByEmail ignores case.
	ByEmail(ctx context.Context, email string) (messages.User, error)
	ByEntity(ctx context.Context, entity captable.EntityID) (messages.User, error)
	// Register stores an account, its verification and the mail that carries the code. The account of a verified address needs
	// neither.
	Register(ctx context.Context, r messages.Registration) error
	// ConfirmRegistration consumes a code. It reports what the code proves about the credentials.
	ConfirmRegistration(ctx context.Context, c messages.Confirmation) (messages.User, messages.Proof, error)
	// RenewVerification replaces the code and sends another mail.
	RenewVerification(ctx context.Context, id organization.UserID, v messages.Verification, mail messages.Mail) error
	// NoteDevice records a sign-in from a device, and sends the mail if the user has signed in from other devices only.
	NoteDevice(ctx context.Context, id organization.UserID, device string, now time.Time, mail messages.Mail) error
}

// Passwords stores passwords and temporary passwords.
type Passwords interface {
	// SendTemporaryPassword stores a temporary password and its mail. While an earlier temporary
	// password is valid, it returns a fault.Error with code existingActiveTempPassword.
	SendTemporaryPassword(ctx context.Context, id organization.UserID, t messages.TemporaryPassword, mail messages.Mail) error
	// IsTemporaryPassword reports whether the password is the user's temporary password. It does not
	// consume it.
	IsTemporaryPassword(ctx context.Context, id organization.UserID, password string, now time.Time) (bool, error)
	// UseTemporaryPassword consumes the temporary password and removes the previous password. It
	// returns false if another request consumed it first.
	UseTemporaryPassword(ctx context.Context, id organization.UserID, password string, now time.Time) (bool, error)
	// ChangePassword replaces the hash was. If the stored hash is a different one, it returns a
	// fault.Error with code conflict.
	ChangePassword(ctx context.Context, id organization.UserID, was, hash string, mail messages.Mail) error
	// EndTokens ends the API tokens and the grants of OAuth.
	EndTokens(ctx context.Context, id organization.UserID) error
}

// TwoFactors stores second factors: sealed seeds and hashes of recovery codes.
type TwoFactors interface {
	// Propose stores a seed that is not enabled yet. If a seed is enabled already, it returns a
	// fault.Error with code conflict.
	Propose(ctx context.Context, id organization.UserID, seed []byte) error
	// Find returns the enabled or the proposed seed. The Seed of the result is empty if the user has
	// neither.
	Find(ctx context.Context, id organization.UserID) (messages.TwoFactor, error)
	// Enable enables the proposed seed and consumes the time step of the code that proved it.
	Enable(
		ctx context.Context, id organization.UserID, proposed messages.TwoFactor, step int64, recovery []string, mail messages.Mail,
	) error
	// Accept consumes a time step. It returns false if this step or a later one was consumed before.
	Accept(ctx context.Context, id organization.UserID, step int64) (bool, error)
	// Recover consumes a recovery code. It returns false if the code is not valid.
	Recover(ctx context.Context, id organization.UserID, code string) (bool, error)
	Renew(ctx context.Context, id organization.UserID, recovery []string, mail messages.Mail) error
	// Disable deletes the seed and the recovery codes.
	Disable(ctx context.Context, id organization.UserID, mail messages.Mail) error
}

// MagicLinks stores single-use sign-in links.
type MagicLinks interface {
	// SendMagicLink stores a link and its mail.
	SendMagicLink(ctx context.Context, id organization.UserID, link messages.MagicLink, mail messages.Mail) error
	// ByMagicLink returns the account of a link without consuming it. For an unknown link it returns a
	// fault.Error with code userNotFound.
	ByMagicLink(ctx context.Context, token string, now time.Time) (messages.User, error)
	// UseMagicLink consumes the link. It returns false if another request consumed it first.
	UseMagicLink(ctx context.Context, token string, now time.Time) (bool, error)
}

// Identities stores the links between identities and accounts. Expected failures are a fault.Error.
type Identities interface {
	// ByIdentity returns the account linked to an identity; code userNotFound if there is no link.
	ByIdentity(ctx context.Context, i messages.Identity) (messages.User, error)
	// IdentitiesOf returns the identities of an account in the order in which they were linked.
	IdentitiesOf(ctx context.Context, id organization.UserID) ([]messages.Identity, error)
	// LinkIdentity links an identity to an account and mails its owner; code conflict if the account
	// changed since and the link is no longer safe.
	LinkIdentity(ctx context.Context, id organization.UserID, i messages.Identity, now time.Time, mail messages.Mail) error
	// TakeOver transfers an account with unproven credentials to the owner of the identity; code
	// conflict if the credentials were proven since.
	TakeOver(ctx context.Context, t messages.TakeOver, mail messages.Mail) error
	// RegisterIdentity stores a new account for an identity. It fails like Accounts.Register, and with
	// code conflict if the identity is linked already.
	RegisterIdentity(ctx context.Context, user messages.User, i messages.Identity, addressLimit int) error
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

// Erasure deletes the personal data of a user.
type Erasure interface {
	Erase(ctx context.Context, user messages.User) error
}
