package http

import (
	"context"
	"errors"
	"net/http"
	"time"

	"equity/captable"
	"equity/messages"
)

// loginUser is the request body of a sign-in.
type loginUser struct {
	Email          string `json:"email"`
	Password       string `json:"password"`
	TwoFactorToken string `json:"twoFactorToken"`
}

func (s *Server) login(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[loginUser](c)
	if err != nil {
		return Answer{}, err
	}
	account, temporary, err := s.authenticate(ctx, c, wish)
	if err != nil {
		return Answer{}, err
	}
	takeover := temporary && account.ProvenAt.IsZero()
	if !takeover { // a temporary password removes unproven second factors
		if err := s.secondFactor(ctx, c, account, wish.TwoFactorToken); err != nil {
			return Answer{}, err
		}
	}
	if temporary && account.DisabledAt.IsZero() {
		used, err := s.chosen.UseTemporaryPassword(ctx, account.ID, plain(wish.Password), c.At)
		if err != nil {
			return Answer{}, unavailable(doing(ctx, "use temporary password", err))
		}
		if !used { // a concurrent request was first
			return Answer{}, errCredentials()
		}
		account.MustChangePassword, account.EmailVerifiedAt = true, c.At
		if takeover {
			account.ProvenAt, account.TwoFactorAt = c.At, time.Time{}
		}
	}
	return s.signedIn(ctx, c, account, temporary)
}

func errCredentials() error {
	return captable.Refuse(codeInvalidCredentials, "The e-mail address or the password is wrong.")
}

// authenticate returns the account with this e-mail address and password, and reports whether the
// password is a temporary one, which it does not consume. Unknown addresses and wrong passwords get
// the same error after the same time. Only callers with the correct password learn that the address is
// not verified. A temporary password verifies the address, because it was read there. Attempts are
// counted by account and network, so that a stranger locks out only their own network, and also by
// account.
func (s *Server) authenticate(ctx context.Context, c *Call, wish loginUser) (_ messages.User, temporary bool, err error) {
	subject := "login account " + canonical(wish.Email)
	if err := s.patience(ctx, "login address "+c.Caller.network(), loginsPerAddress, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	from := subject + " from " + c.Caller.network()
	if err := s.patience(ctx, from, loginsPerAccount, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	if err := s.patience(ctx, subject, loginsFromAnywhere, loginWindow); err != nil {
		return messages.User{}, false, err
	}
	account, err := s.accounts.ByEmail(ctx, wish.Email)
	if err != nil && !isUnknownUser(err) {
		return messages.User{}, false, unavailable(doing(ctx, "find account", err))
	}
	fits, err := s.passwords.fits(ctx, wish.Password, account.PasswordHash)
	if err != nil {
		return messages.User{}, false, err
	}
	if !fits {
		temporary, err = s.chosen.FitsTemporaryPassword(ctx, account.ID, plain(wish.Password), c.At)
		if err != nil {
			return messages.User{}, false, unavailable(doing(ctx, "find temporary password", err))
		}
	}
	if !fits && !temporary || account.ID.IsZero() {
		return messages.User{}, false, errCredentials()
	}
	if err := errors.Join(s.throttle.Forgive(ctx, from), s.throttle.Forgive(ctx, subject)); err != nil {
		return messages.User{}, false, unavailable(err)
	}
	if account.EmailVerifiedAt.IsZero() && !temporary {
		return messages.User{}, false, captable.Refuse(codeEmailNotVerified, "Verify the address first: follow the link in the verification mail.")
	}
	return account, temporary, nil
}

// signedIn returns the user and starts their session, unless the account is disabled.
func (s *Server) signedIn(ctx context.Context, c *Call, account messages.User, endOthers bool) (Answer, error) {
	if !account.DisabledAt.IsZero() {
		return Answer{}, errDisabled()
	}
	s.claim(ctx, c, account)
	user, err := s.describe(ctx, account)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Record: user, Private: true, Session: SessionChange{
		EndOthers: endOthers, ProvenAt: account.ProvenAt,
		SignIn: messages.SignIn{
			User: account.ID, SiteAdmin: account.SiteAdmin, MustChangePassword: account.MustChangePassword,
			Address: c.Caller.Address.String(), Agent: c.Header("User-Agent"),
		},
	}}, nil
}

func (s *Server) logout(context.Context, *Call) (Answer, error) {
	return Answer{Status: http.StatusNoContent, Private: true, Session: SessionChange{SignOut: true}}, nil
}

func (s *Server) currentUser(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.ownAccount(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	s.claim(ctx, c, account) // memberships entered since the sign-in
	user, err := s.describe(ctx, account)
	return Answer{Record: user, Private: true}, err
}
