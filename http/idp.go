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

// IdentityProvider vouches for who somebody is.
type IdentityProvider interface {
	// Verify reads an ID token; identity.ErrRefused when it is not good, another error when nobody can tell.
	Verify(ctx context.Context, token string) (messages.Claims, error)
	// Knows tells whether the identity is one of the provider.
	Knows(i messages.Identity) bool
	// Contacts gives whom somebody knows there; nobody where the provider does not tell.
	Contacts(ctx context.Context, subject string) ([]messages.Contact, error)
}

// Identities keeps whose identity is which account's. Refusals are a captable.Error.
type Identities interface {
	// ByIdentity gives the account that an identity was linked to; code userNotFound when there is none.
	ByIdentity(ctx context.Context, i messages.Identity) (messages.User, error)
	// IdentitiesOf gives those of an account, in the order in which they were linked.
	IdentitiesOf(ctx context.Context, id organization.UserID) ([]messages.Identity, error)
	// LinkIdentity links an identity to an account and tells its owner; code conflict when that is not safe any more.
	LinkIdentity(ctx context.Context, id organization.UserID, i messages.Identity, now time.Time, mail messages.Mail) error
	// TakeOver gives an account whose credentials are unproven to the identity's owner; code conflict when they were proven meanwhile.
	TakeOver(ctx context.Context, t messages.TakeOver, mail messages.Mail) error
	// RegisterIdentity adds an account for an identity. It refuses like Accounts.Register, and with code conflict when
	// the identity is somebody's already.
	RegisterIdentity(ctx context.Context, user messages.User, i messages.Identity, addressLimit int) error
}

// spentMargin is how much longer than it is good a token is remembered: clocks differ.
const spentMargin = 10 * time.Minute

// theProvider is who a refusal names that is the provider's fault.
const theProvider = "The identity provider"

// codeAuthentication is the key of a refusal that tells nothing else.
const codeAuthentication captable.Code = "authenticationFailed"

func errAuthentication() error {
	return captable.Refuse(codeAuthentication, "The identity provider's token was refused.")
}

// identifyUser signs in who the identity provider vouches for.
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

// signInBy verifies the token and starts a session of the account that it leads to. A second factor is asked for as with
// a password: that the provider asked for one is not known.
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
	if !takeover { // unproven second factors end by the takeover
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

// vouched verifies the token.
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

// spend accepts a token once, on all servers: whoever finds one in a log or a history comes too late. One that asked for a second factor
// is shown again with it, so it is spent when it opens the account and not before.
func (s *Server) spend(ctx context.Context, claims messages.Claims) error {
	good := claims.ExpiresAt.Add(spentMargin).Sub(s.now()) // at most what a Duration holds, which a sum would go beyond
	used, err := s.throttle.Take(ctx, "identity token "+hex.EncodeToString(claims.Digest[:]), 1, good)
	if err != nil {
		return unavailable(doing(ctx, "spend identity token", err))
	}
	if used > 0 {
		return errAuthentication()
	}
	return nil
}

// accountOf finds the account of an identity: the one it was linked to; else the one with its address, which is not linked
// yet; else a new one. The provider must have verified the address: otherwise a token with anybody's address would open
// their account.
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

// registerIdentity adds the account of who was never here.
func (s *Server) registerIdentity(ctx context.Context, c *Call, claims messages.Claims) (messages.User, error) {
	account := s.claimed(c, claims)
	err := s.identities.RegisterIdentity(ctx, account, claims.Identity, s.settings.RegistrationIPLimit)
	return account, s.raced(ctx, "register identity", err)
}

// claimed is a new account of the person whom the provider names.
func (s *Server) claimed(c *Call, claims messages.Claims) messages.User {
	local, _, _ := strings.Cut(claims.Email, "@")
	account := s.newAccount(c, registerUser{
		Email: claims.Email, Username: local, FirstName: cmp.Or(claims.FirstName, local), LastName: claims.LastName,
	}, "")
	account.EmailVerifiedAt, account.ProvenAt, account.AcceptedTermsAt = c.At, c.At, time.Time{}
	return account
}

// takeOver gives an account with unproven credentials to the person whom the provider names, and tells them by mail.
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

// link connects the identity with the account, and tells its owner by mail.
func (s *Server) link(ctx context.Context, c *Call, account messages.User, i messages.Identity) error {
	mail, err := s.notify(c, account, noticeIdentity)
	if err != nil {
		return err
	}
	return s.raced(ctx, "link identity", s.identities.LinkIdentity(ctx, account.ID, i, c.At, mail))
}

// raced turns a conflict into a refusal to sign in: another request with the same token was first, which the next one will
// find; or the account belongs to another identity of that provider, whose address was given to somebody else.
func (s *Server) raced(ctx context.Context, what string, err error) error {
	if refusal, ok := errors.AsType[*captable.Error](err); ok && refusal.Code == captable.CodeConflict {
		return errAuthentication()
	}
	return unavailable(doing(ctx, what, err))
}
