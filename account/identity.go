package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
)

// spentMargin is added to the lifetime of a spent token, to allow for clock differences.
const spentMargin = 10 * time.Minute

func errAuthentication() error {
	return fault.Refuse(fault.AuthenticationFailed, "The identity provider's token cannot be used. Sign in again.")
}

// SignInByProvider verifies a token of the identity provider and permits a session for its account. It requires the
// account's second factor, because the provider's own second factor is unknown.
func (s *Service) SignInByProvider(ctx context.Context, by Caller, token, code string) (Entry, error) {
	if err := s.limit(ctx, "identity address "+by.Network, loginsPerAddress, loginWindow); err != nil {
		return Entry{}, err
	}
	claims, err := s.verifyToken(ctx, by, token)
	if err != nil {
		return Entry{}, err
	}
	user, linked, err := s.findByIdentity(ctx, by, claims)
	if err != nil {
		return Entry{}, err
	}
	takeover := !linked && user.ProvenAt.IsZero()
	if !takeover { // a takeover removes unproven second factors
		if err := s.checkSecondFactor(ctx, by, user, code); err != nil {
			return Entry{}, err
		}
	}
	if err := s.spendToken(ctx, claims); err != nil {
		return Entry{}, err
	}
	switch {
	case takeover:
		user, err = s.takeOver(ctx, by, user, claims)
	case !linked:
		err = s.link(ctx, by, user, claims.Identity)
	}
	if err != nil {
		return Entry{}, err
	}
	entry, err := s.enter(ctx, by, user, takeover)
	if err == nil {
		s.noteDevice(ctx, by, user)
	}
	return entry, err
}

// ProviderSignIn returns the address of the identity provider's sign-in page, which returns the browser to the given address. It is empty
// without a provider, or while the provider cannot be reached.
func (s *Service) ProviderSignIn(ctx context.Context, by Caller, back string) string {
	if s.Provider == nil {
		return ""
	}
	address, err := s.Provider.SignInURL(ctx, back)
	if err != nil {
		s.Log.Warn("no address of the identity provider", "request", by.Request, "cause", err)
	}
	return address
}

// verifyToken verifies the token and returns its claims.
func (s *Service) verifyToken(ctx context.Context, by Caller, token string) (messages.Claims, error) {
	if s.Provider == nil {
		return messages.Claims{}, errAuthentication()
	}
	claims, err := s.Provider.Verify(ctx, token)
	if errors.Is(err, ErrInvalidToken) {
		s.Log.Info("identity token refused", "request", by.Request, "cause", err)
		return claims, errAuthentication()
	}
	return claims, messages.Unreachable("The identity provider", messages.Wrap(ctx, "ask identity provider", err))
}

// spendToken accepts a token once, across all servers, so that tokens from logs or the browser history are
// useless. A token that needs a second factor is presented twice; it is therefore spent at sign-in,
// not before.
func (s *Service) spendToken(ctx context.Context, claims messages.Claims) error {
	good := claims.ExpiresAt.Add(spentMargin).Sub(s.Now()) // the difference saturates; a sum could overflow
	used, err := s.Throttle.Take(ctx, "identity token "+hex.EncodeToString(claims.Digest[:]), 1, good)
	if err != nil {
		return messages.Unavailable(ctx, "spend identity token", err)
	}
	if used > 0 {
		return errAuthentication()
	}
	return nil
}

// findByIdentity returns the account of an identity: the linked account, else the account with its address,
// which is not linked yet, else a new one. The provider must have verified the address; otherwise a
// token with a foreign address would open that account.
func (s *Service) findByIdentity(ctx context.Context, by Caller, claims messages.Claims) (_ messages.User, linked bool, err error) {
	user, err := s.Identities.ByIdentity(ctx, claims.Identity)
	if !fault.Is(err, fault.UserNotFound) {
		return user, true, messages.Unavailable(ctx, "find identity", err)
	}
	if !claims.EmailVerified || claims.Email == "" {
		return user, false, fault.Refuse(fault.EmailNotVerified,
			"The identity provider has not verified your e-mail address. Verify it there and sign in again.")
	}
	user, err = s.Accounts.ByEmail(ctx, claims.Email)
	if fault.Is(err, fault.UserNotFound) {
		user = s.newUserOf(by, claims)
		err = s.Identities.RegisterIdentity(ctx, user, claims.Identity, s.settings.RegistrationIPLimit)
		return user, true, refuseConflict(ctx, "register identity", err)
	}
	return user, false, messages.Unavailable(ctx, "find account", err)
}

// newUserOf returns a new account with the claims of the provider.
func (s *Service) newUserOf(by Caller, claims messages.Claims) messages.User {
	local, _, _ := strings.Cut(claims.Email, "@")
	user := by.newUser(s.NewID, Registration{
		Email: claims.Email, Username: local, FirstName: cmp.Or(claims.FirstName, local), LastName: claims.LastName,
	}, "")
	user.EmailVerifiedAt, user.ProvenAt, user.AcceptedTermsAt = by.At, by.At, time.Time{}
	return user
}

// takeOver transfers an account with unproven credentials to the person whom the provider identifies,
// and mails them.
func (s *Service) takeOver(ctx context.Context, by Caller, user messages.User, claims messages.Claims) (messages.User, error) {
	named := s.newUserOf(by, claims)
	mail, err := s.Letters.Notice(by.At, named, NoticeTakeOver)
	if err != nil {
		return user, err
	}
	mail.To = user.Email
	err = refuseConflict(ctx, "take over account", s.Identities.TakeOver(ctx, messages.TakeOver{
		User: user.ID, Identity: claims.Identity, FirstName: named.FirstName, LastName: named.LastName, Username: named.Username, At: by.At,
	}, mail))
	if err != nil {
		return user, err
	}
	user, err = s.Accounts.ByID(ctx, user.ID)
	return user, messages.Unavailable(ctx, "find account", err)
}

// link links the identity to the account and mails its owner.
func (s *Service) link(ctx context.Context, by Caller, user messages.User, i messages.Identity) error {
	mail, err := s.Letters.Notice(by.At, user, NoticeIdentityLinked)
	if err != nil {
		return err
	}
	return refuseConflict(ctx, "link identity", s.Identities.LinkIdentity(ctx, user.ID, i, by.At, mail))
}

// refuseConflict converts a conflict into a failed sign-in. Either a concurrent request with the same token was
// first, and the next attempt will succeed; or the account belongs to another identity of the
// provider, because the address was reassigned.
func refuseConflict(ctx context.Context, operation string, err error) error {
	if fault.Is(err, fault.Conflict) {
		return errAuthentication()
	}
	return messages.Unavailable(ctx, operation, err)
}
