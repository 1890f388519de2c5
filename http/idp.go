package http

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"equity/captable"
	"equity/http/identity"
	"equity/messages"
	"equity/organization"
)

// IdentityProvider verifies the identity of users.
type IdentityProvider interface {
	// Verify verifies an ID token. It returns identity.ErrRefused for an invalid token, and another
	// error if the verification failed.
	Verify(ctx context.Context, token string) (messages.Claims, error)
	// Knows reports whether the identity belongs to this provider.
	Knows(i messages.Identity) bool
	// Contacts returns the subject's contacts at the provider. The list is empty if the provider has
	// no such service.
	Contacts(ctx context.Context, subject string) ([]messages.Contact, error)
}

// Identities stores the links between identities and accounts. Expected failures are a captable.Error.
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

// spentMargin is added to the lifetime of a spent token, to allow for clock differences.
const spentMargin = 10 * time.Minute

// theProvider is the name of the provider in error messages.
const theProvider = "The identity provider"

// codeAuthentication is the error code that reveals no details.
const codeAuthentication captable.Code = "authenticationFailed"

func errAuthentication() error {
	return captable.Refuse(codeAuthentication, "The identity provider's token was refused.")
}

// identifyUser signs in the user of an identity provider.
func (s *Server) identifyUser(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	return s.signInBy(ctx, c, wish.Token, wish.TwoFactorToken)
}

// signInBy verifies the token and starts a session for its account. It requires the account's second
// factor, because the provider's own second factor is unknown.
func (s *Server) signInBy(ctx context.Context, c *Call, token, code string) (Answer, error) {
	if err := s.patience(ctx, "identity address "+c.Caller.network(), loginsPerAddress, loginWindow); err != nil {
		return Answer{}, err
	}
	claims, err := s.vouched(ctx, c, token)
	if err != nil {
		return Answer{}, err
	}
	account, linked, err := s.accountOf(ctx, c, claims)
	if err != nil {
		return Answer{}, err
	}
	takeover := !linked && account.ProvenAt.IsZero()
	if !takeover { // a takeover removes unproven second factors
		if err := s.secondFactor(ctx, c, account, code); err != nil {
			return Answer{}, err
		}
	}
	if err := s.spend(ctx, claims); err != nil {
		return Answer{}, err
	}
	switch {
	case takeover:
		account, err = s.takeOver(ctx, c, account, claims)
	case !linked:
		err = s.link(ctx, c, account, claims.Identity)
	}
	if err != nil {
		return Answer{}, err
	}
	return s.signedIn(ctx, c, account, takeover)
}

// vouched verifies the token and returns its claims.
func (s *Server) vouched(ctx context.Context, c *Call, token string) (messages.Claims, error) {
	if s.provider == nil {
		return messages.Claims{}, errAuthentication()
	}
	claims, err := s.provider.Verify(ctx, token)
	if errors.Is(err, identity.ErrRefused) {
		s.log.Info("identity token refused", "request", c.ID, "cause", err)
		return claims, errAuthentication()
	}
	return claims, unreachable(theProvider, doing(ctx, "ask identity provider", err))
}

// spend accepts a token once, across all servers, so that tokens from logs or the browser history are
// useless. A token that needs a second factor is presented twice; it is therefore spent at sign-in,
// not before.
func (s *Server) spend(ctx context.Context, claims messages.Claims) error {
	good := claims.ExpiresAt.Add(spentMargin).Sub(s.now()) // the difference saturates; a sum could overflow
	used, err := s.throttle.Take(ctx, "identity token "+hex.EncodeToString(claims.Digest[:]), 1, good)
	if err != nil {
		return unavailable(doing(ctx, "spend identity token", err))
	}
	if used > 0 {
		return errAuthentication()
	}
	return nil
}

// accountOf returns the account of an identity: the linked account, else the account with its address,
// which is not linked yet, else a new one. The provider must have verified the address; otherwise a
// token with a foreign address would open that account.
func (s *Server) accountOf(ctx context.Context, c *Call, claims messages.Claims) (_ messages.User, linked bool, err error) {
	account, err := s.identities.ByIdentity(ctx, claims.Identity)
	if err == nil || !isUnknownUser(err) {
		return account, true, unavailable(doing(ctx, "find identity", err))
	}
	if !claims.EmailVerified || claims.Email == "" {
		return account, false, captable.Refuse(codeEmailNotVerified, "The identity provider has not verified this e-mail address.")
	}
	account, err = s.accounts.ByEmail(ctx, claims.Email)
	if isUnknownUser(err) {
		account, err = s.registerIdentity(ctx, c, claims)
		return account, true, err
	}
	return account, false, unavailable(doing(ctx, "find account", err))
}

// registerIdentity adds an account for an unknown identity.
func (s *Server) registerIdentity(ctx context.Context, c *Call, claims messages.Claims) (messages.User, error) {
	account := s.claimed(c, claims)
	err := s.identities.RegisterIdentity(ctx, account, claims.Identity, s.settings.RegistrationIPLimit)
	return account, s.raced(ctx, "register identity", err)
}

// claimed returns a new account with the claims of the provider.
func (s *Server) claimed(c *Call, claims messages.Claims) messages.User {
	local, _, _ := strings.Cut(claims.Email, "@")
	account := s.newAccount(c, registerUser{
		Email: claims.Email, Username: local, FirstName: cmp.Or(claims.FirstName, local), LastName: claims.LastName,
	}, "")
	account.EmailVerifiedAt, account.ProvenAt, account.AcceptedTermsAt = c.At, c.At, time.Time{}
	return account
}

// takeOver transfers an account with unproven credentials to the person whom the provider identifies,
// and mails them.
func (s *Server) takeOver(ctx context.Context, c *Call, account messages.User, claims messages.Claims) (messages.User, error) {
	named := s.claimed(c, claims)
	mail, err := s.notify(c, named, noticeTakeOver)
	if err != nil {
		return account, err
	}
	mail.To = account.Email
	err = s.raced(ctx, "take over account", s.identities.TakeOver(ctx, messages.TakeOver{
		User: account.ID, Identity: claims.Identity, FirstName: named.FirstName, LastName: named.LastName, Username: named.Username, At: c.At,
	}, mail))
	if err != nil {
		return account, err
	}
	account, err = s.accounts.ByID(ctx, account.ID)
	return account, unavailable(doing(ctx, "find account", err))
}

// link links the identity to the account and mails its owner.
func (s *Server) link(ctx context.Context, c *Call, account messages.User, i messages.Identity) error {
	mail, err := s.notify(c, account, noticeIdentity)
	if err != nil {
		return err
	}
	return s.raced(ctx, "link identity", s.identities.LinkIdentity(ctx, account.ID, i, c.At, mail))
}

// raced converts a conflict into a failed sign-in. Either a concurrent request with the same token was
// first, and the next attempt will succeed; or the account belongs to another identity of the
// provider, because the address was reassigned.
func (s *Server) raced(ctx context.Context, what string, err error) error {
	if refusal, ok := errors.AsType[*captable.Error](err); ok && refusal.Code == captable.CodeConflict {
		return errAuthentication()
	}
	return unavailable(doing(ctx, what, err))
}
