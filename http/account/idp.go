package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/identity"
	"equity/http/letter"
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

// spentMargin is added to the lifetime of a spent token, to allow for clock differences.
const spentMargin = 10 * time.Minute

func errAuthentication() error {
	return fault.Refuse(fault.AuthenticationFailed, "The identity provider's token was refused.")
}

// identifyUser signs in the user of an identity provider.
func (s identities) identifyUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.signInBy(ctx, c, input.Token, input.TwoFactorToken)
}

// signInBy verifies the token and starts a session for its account. It requires the account's second
// factor, because the provider's own second factor is unknown.
func (s identities) signInBy(ctx context.Context, c *api.Call, token, code string) (api.Answer, error) {
	if err := s.Throttle(ctx, "identity address "+c.Caller.Network(), loginsPerAddress, loginWindow); err != nil {
		return api.Answer{}, err
	}
	claims, err := s.vouched(ctx, c, token)
	if err != nil {
		return api.Answer{}, err
	}
	account, linked, err := s.accountOf(ctx, c, claims)
	if err != nil {
		return api.Answer{}, err
	}
	takeover := !linked && account.ProvenAt.IsZero()
	if !takeover { // a takeover removes unproven second factors
		if err := s.secondFactor(ctx, c, account, code); err != nil {
			return api.Answer{}, err
		}
	}
	if err := s.spend(ctx, claims); err != nil {
		return api.Answer{}, err
	}
	switch {
	case takeover:
		account, err = s.takeOver(ctx, c, account, claims)
	case !linked:
		err = s.link(ctx, c, account, claims.Identity)
	}
	if err != nil {
		return api.Answer{}, err
	}
	return s.signedIn(ctx, c, account, takeover)
}

// vouched verifies the token and returns its claims.
func (s identities) vouched(ctx context.Context, c *api.Call, token string) (messages.Claims, error) {
	if s.Provider == nil {
		return messages.Claims{}, errAuthentication()
	}
	claims, err := s.Provider.Verify(ctx, token)
	if errors.Is(err, identity.ErrRefused) {
		s.Log.Info("identity token refused", "request", c.ID, "cause", err)
		return claims, errAuthentication()
	}
	return claims, messages.Unreachable(api.TheProvider, api.Wrap(ctx, "ask identity provider", err))
}

// spend accepts a token once, across all servers, so that tokens from logs or the browser history are
// useless. A token that needs a second factor is presented twice; it is therefore spent at sign-in,
// not before.
func (s identities) spend(ctx context.Context, claims messages.Claims) error {
	good := claims.ExpiresAt.Add(spentMargin).Sub(s.Now()) // the difference saturates; a sum could overflow
	used, err := s.Throttles.Take(ctx, "identity token "+hex.EncodeToString(claims.Digest[:]), 1, good)
	if err != nil {
		return api.Unavailable(api.Wrap(ctx, "spend identity token", err))
	}
	if used > 0 {
		return errAuthentication()
	}
	return nil
}

// accountOf returns the account of an identity: the linked account, else the account with its address,
// which is not linked yet, else a new one. The provider must have verified the address; otherwise a
// token with a foreign address would open that account.
func (s identities) accountOf(ctx context.Context, c *api.Call, claims messages.Claims) (_ messages.User, linked bool, err error) {
	account, err := s.Identities.ByIdentity(ctx, claims.Identity)
	if err == nil || !api.IsUnknownUser(err) {
		return account, true, api.Unavailable(api.Wrap(ctx, "find identity", err))
	}
	if !claims.EmailVerified || claims.Email == "" {
		return account, false, fault.Refuse(fault.EmailNotVerified, "The identity provider has not verified this e-mail address.")
	}
	account, err = s.Accounts.ByEmail(ctx, claims.Email)
	if api.IsUnknownUser(err) {
		account, err = s.registerIdentity(ctx, c, claims)
		return account, true, err
	}
	return account, false, api.Unavailable(api.Wrap(ctx, "find account", err))
}

// registerIdentity adds an account for an unknown identity.
func (s identities) registerIdentity(ctx context.Context, c *api.Call, claims messages.Claims) (messages.User, error) {
	account := s.claimed(c, claims)
	err := s.Identities.RegisterIdentity(ctx, account, claims.Identity, s.Settings.RegistrationIPLimit)
	return account, s.conflictRefusal(ctx, "register identity", err)
}

// claimed returns a new account with the claims of the provider.
func (s identities) claimed(c *api.Call, claims messages.Claims) messages.User {
	local, _, _ := strings.Cut(claims.Email, "@")
	account := s.newAccount(c, registerUser{
		Email: claims.Email, Username: local, FirstName: cmp.Or(claims.FirstName, local), LastName: claims.LastName,
	}, "")
	account.EmailVerifiedAt, account.ProvenAt, account.AcceptedTermsAt = c.At, c.At, time.Time{}
	return account
}

// takeOver transfers an account with unproven credentials to the person whom the provider identifies,
// and mails them.
func (s identities) takeOver(ctx context.Context, c *api.Call, account messages.User, claims messages.Claims) (messages.User, error) {
	named := s.claimed(c, claims)
	mail, err := s.Letters.Notify(c.At, named, letter.NoticeTakeOver)
	if err != nil {
		return account, err
	}
	mail.To = account.Email
	err = s.conflictRefusal(ctx, "take over account", s.Identities.TakeOver(ctx, messages.TakeOver{
		User: account.ID, Identity: claims.Identity, FirstName: named.FirstName, LastName: named.LastName, Username: named.Username, At: c.At,
	}, mail))
	if err != nil {
		return account, err
	}
	account, err = s.Accounts.ByID(ctx, account.ID)
	return account, api.Unavailable(api.Wrap(ctx, "find account", err))
}

// link links the identity to the account and mails its owner.
func (s identities) link(ctx context.Context, c *api.Call, account messages.User, i messages.Identity) error {
	mail, err := s.Letters.Notify(c.At, account, letter.NoticeIdentity)
	if err != nil {
		return err
	}
	return s.conflictRefusal(ctx, "link identity", s.Identities.LinkIdentity(ctx, account.ID, i, c.At, mail))
}

// conflictRefusal converts a conflict into a failed sign-in. Either a concurrent request with the same token was
// first, and the next attempt will succeed; or the account belongs to another identity of the
// provider, because the address was reassigned.
func (s identities) conflictRefusal(ctx context.Context, what string, err error) error {
	if refusal, ok := errors.AsType[*fault.Error](err); ok && refusal.Code == fault.Conflict {
		return errAuthentication()
	}
	return api.Unavailable(api.Wrap(ctx, what, err))
}

func (s identities) operations() map[string]api.Handler {
	return map[string]api.Handler{"identifyUser": s.identifyUser, "identifyByForm": s.identifyByForm}
}
