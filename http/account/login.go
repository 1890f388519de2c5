package account

import (
	"context"
	"errors"
	"net/http"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// loginUser is the request body of a sign-in.
type loginUser struct {
	Email          string `json:"email"`
	Password       string `json:"password"`
	TwoFactorToken string `json:"twoFactorToken"`
}

func (s signIn) login(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[loginUser](c)
	if err != nil {
		return api.Answer{}, err
	}
	account, temporary, err := s.authenticate(ctx, c, input)
	if err != nil {
		return api.Answer{}, err
	}
	takeover := temporary && account.ProvenAt.IsZero()
	if !takeover { // a temporary password removes unproven second factors
		if err := s.secondFactor(ctx, c, account, input.TwoFactorToken); err != nil {
			return api.Answer{}, err
		}
	}
	if temporary && account.DisabledAt.IsZero() {
		used, err := s.Passwords.UseTemporaryPassword(ctx, account.ID, plain(input.Password), c.At)
		if err != nil {
			return api.Answer{}, api.Unavailable(api.Wrap(ctx, "use temporary password", err))
		}
		if !used { // a concurrent request was first
			return api.Answer{}, api.WrongCredentials()
		}
		account.MustChangePassword, account.EmailVerifiedAt = true, c.At
		if takeover {
			account.ProvenAt, account.TwoFactorAt = c.At, time.Time{}
		}
	}
	return s.signedIn(ctx, c, account, temporary)
}

// authenticate returns the account with this e-mail address and password, and reports whether the
// password is a temporary one, which it does not consume. Unknown addresses and wrong passwords get
// the same error after the same time. Only callers with the correct password learn that the address is
// not verified. A temporary password verifies the address, because it was read there. Attempts are
// counted by account and network, so that a stranger locks out only their own network, and also by
// account.
func (s signIn) authenticate(ctx context.Context, c *api.Call, input loginUser) (_ messages.User, temporary bool, err error) {
	subject := "login account " + messages.CanonicalEmail(input.Email)
	if err := s.Throttle(ctx, "login address "+c.Caller.Network(), loginsPerAddress, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	from := subject + " from " + c.Caller.Network()
	if err := s.Throttle(ctx, from, loginsPerAccount, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	if err := s.Throttle(ctx, subject, loginsFromAnywhere, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	account, err := s.Accounts.ByEmail(ctx, input.Email)
	if err != nil && !api.IsUnknownUser(err) {
		return messages.User{}, false, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	fits, err := s.hasher.fits(ctx, input.Password, account.PasswordHash)
	if err != nil {
		return messages.User{}, false, err
	}
	if !fits {
		temporary, err = s.Passwords.FitsTemporaryPassword(ctx, account.ID, plain(input.Password), c.At)
		if err != nil {
			return messages.User{}, false, api.Unavailable(api.Wrap(ctx, "find temporary password", err))
		}
	}
	if !fits && !temporary || account.ID.IsZero() {
		return messages.User{}, false, api.WrongCredentials()
	}
	if err := errors.Join(s.Throttles.Forgive(ctx, from), s.Throttles.Forgive(ctx, subject)); err != nil {
		return messages.User{}, false, api.Unavailable(err)
	}
	if account.EmailVerifiedAt.IsZero() && !temporary {
		return messages.User{}, false, fault.Refuse(fault.EmailNotVerified, "Verify the address first: follow the link in the verification mail.")
	}
	return account, temporary, nil
}

// signedIn returns the user and starts their session, unless the account is disabled.
func (s *base) signedIn(ctx context.Context, c *api.Call, account messages.User, endOthers bool) (api.Answer, error) {
	if !account.DisabledAt.IsZero() {
		return api.Answer{}, api.Disabled()
	}
	s.claim(ctx, c, account)
	user, err := s.describe(ctx, account)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: user, Private: true, Session: api.SessionChange{
		EndOthers:  endOthers,
		StillValid: func(ctx context.Context, handle string) error { return s.stillValid(ctx, account, handle) },
		SignIn: messages.SignIn{
			User: account.ID, SiteAdmin: account.SiteAdmin, MustChangePassword: account.MustChangePassword,
			Address: c.Caller.Address.String(), Agent: c.Header("User-Agent"),
		},
	}}, nil
}

func (s signIn) logout(context.Context, *api.Call) (api.Answer, error) {
	return api.Answer{Status: http.StatusNoContent, Private: true, Session: api.SessionChange{SignOut: true}}, nil
}

func (s signIn) currentUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	user, err := s.describe(ctx, account)
	return api.Answer{Record: user, Private: true}, err
}

// stillValid ends the new session if its account was disabled or taken over since it was read.
func (s *base) stillValid(ctx context.Context, signedIn messages.User, handle string) error {
	account, err := s.Accounts.ByID(ctx, signedIn.ID)
	switch {
	case err != nil:
		return err
	case !account.DisabledAt.IsZero():
		return errors.Join(api.Disabled(), s.Sessions.RevokeUser(ctx, account.ID))
	case account.ProvenAt.UnixMicro() != signedIn.ProvenAt.UnixMicro():
		_, err := s.Sessions.End(ctx, account.ID, handle)
		return errors.Join(api.WrongCredentials(), err)
	default:
		return nil
	}
}

func (s signIn) operations() map[string]api.Handler {
	return map[string]api.Handler{"login": s.login, "logout": s.logout, "currentUser": s.currentUser}
}
