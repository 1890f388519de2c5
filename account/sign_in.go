package account

import (
	"context"
	"errors"
	"time"

	"equity/fault"
	"equity/messages"
)

// Limits of sign-in attempts. Attempts are counted in the store, for all servers together.
const (
	loginWindow        = 15 * time.Minute
	loginsPerAccount   = 10   // from one network
	loginsFromAnywhere = 25   // 100 an hour for an account (ASVS 2.2.1)
	loginsPerAddress   = 1000 // an office may share one address
)

// Credentials are the input of a sign-in.
type Credentials struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	// TwoFactorToken is a code of the second factor or a recovery code; empty without a second factor.
	TwoFactorToken string `json:"twoFactorToken"`
}

func errDisabled() error {
	return fault.Refuse(fault.AuthenticationFailed, "A site administrator has disabled this account.")
}

func errCredentials() error {
	return fault.Refuse(fault.InvalidCredentials, "The e-mail address or the password is wrong.")
}

// SignIn permits a session to the owner of the credentials. The password may be a temporary one, which is then used up. A temporary
// password replaces the password, never the second factor.
func (s *Service) SignIn(ctx context.Context, by Caller, given Credentials) (Entry, error) {
	user, temporary, err := s.authenticate(ctx, by, given)
	if err != nil {
		return Entry{}, err
	}
	if err := s.checkSecondFactor(ctx, by, user, given.TwoFactorToken); err != nil {
		return Entry{}, err
	}
	if temporary && user.DisabledAt.IsZero() {
		used, err := s.Passwords.UseTemporaryPassword(ctx, user.ID, normalCode(given.Password), by.At)
		if err != nil {
			return Entry{}, messages.Unavailable(ctx, "use temporary password", err)
		}
		if !used { // a concurrent request was first
			return Entry{}, errCredentials()
		}
		user.MustChangePassword, user.EmailVerifiedAt = true, by.At
		if user.ProvenAt.IsZero() {
			user.ProvenAt = by.At
		}
	}
	entry, err := s.enter(ctx, by, user, temporary)
	entry.SecondFactor = !user.TwoFactorAt.IsZero()
	if err == nil {
		s.noteDevice(ctx, by, user)
	}
	return entry, err
}

// authenticate returns the account with this e-mail address and password, and reports whether the
// password is a temporary one, which it does not consume. Unknown addresses and wrong passwords get
// the same error after the same time. Only callers with the correct password learn that the address is
// not verified. A temporary password verifies the address, because it was read there. Attempts are
// counted by account and network, so that a stranger locks out only their own network, and also by
// account.
func (s *Service) authenticate(ctx context.Context, by Caller, given Credentials) (_ messages.User, temporary bool, err error) {
	subject := "login account " + messages.CanonicalEmail(given.Email)
	if err := s.limit(ctx, "login address "+by.Network, loginsPerAddress, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	from := subject + " from " + by.Network
	if err := s.limit(ctx, from, loginsPerAccount, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	if err := s.limit(ctx, subject, loginsFromAnywhere, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	user, err := s.Accounts.ByEmail(ctx, given.Email)
	if err != nil && !fault.Is(err, fault.UserNotFound) {
		return messages.User{}, false, messages.Unavailable(ctx, "find account", err)
	}
	matches, err := s.hasher.matches(ctx, given.Password, user.PasswordHash)
	if err != nil {
		return messages.User{}, false, err
	}
	if !matches {
		temporary, err = s.Passwords.IsTemporaryPassword(ctx, user.ID, normalCode(given.Password), by.At)
		if err != nil {
			return messages.User{}, false, messages.Unavailable(ctx, "find temporary password", err)
		}
	}
	if !matches && !temporary || user.ID.IsZero() {
		return messages.User{}, false, errCredentials()
	}
	if err := s.forgive(ctx, from, subject); err != nil {
		return messages.User{}, false, err
	}
	if user.EmailVerifiedAt.IsZero() && !temporary {
		return messages.User{}, false, fault.Refuse(
			fault.EmailNotVerified, "Verify the address first: follow the link in the verification mail.",
		)
	}
	return user, temporary, nil
}

// RenewSession permits a session that replaces all sessions of the caller. API tokens and grants of OAuth end too.
func (s *Service) RenewSession(ctx context.Context, by Caller) (Entry, error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return Entry{}, err
	}
	if err := s.Passwords.EndTokens(ctx, user.ID); err != nil {
		return Entry{}, messages.Unavailable(ctx, "end tokens", err)
	}
	return s.enter(ctx, by, user, true)
}

// enter permits a session for the user, unless the account is disabled. It claims memberships of the user.
func (s *Service) enter(ctx context.Context, by Caller, user messages.User, endOthers bool) (Entry, error) {
	if !user.DisabledAt.IsZero() {
		return Entry{}, errDisabled()
	}
	s.claim(ctx, by, user)
	return Entry{User: user, EndOthers: endOthers}, nil
}

// claim links a user with a verified address to the members that organizations entered with it. Errors do
// not prevent the sign-in; the next sign-in tries again.
func (s *Service) claim(ctx context.Context, by Caller, user messages.User) {
	if user.EmailVerifiedAt.IsZero() || user.MustChangePassword {
		return
	}
	// The caller did not request this change.
	if err := s.Memberships.Claim(messages.WithoutChanges(ctx), user, by.At); err != nil {
		s.Log.Warn("memberships not claimed", "request", by.Request, "cause", err)
	}
}

// ConfirmSession checks the account again after the session with this handle has begun. It ends the session if the
// account was disabled or taken over since the entry.
func (s *Service) ConfirmSession(ctx context.Context, entry Entry, handle string) error {
	user, err := s.Accounts.ByID(ctx, entry.User.ID)
	switch {
	case err != nil:
		return err
	case !user.DisabledAt.IsZero():
		return errors.Join(errDisabled(), s.Sessions.RevokeUser(ctx, user.ID))
	case user.ProvenAt.UnixMicro() != entry.User.ProvenAt.UnixMicro():
		_, err := s.Sessions.End(ctx, user.ID, handle)
		return errors.Join(errCredentials(), err)
	default:
		return nil
	}
}
