package http

import (
	"context"
	"net/http"
	"strings"

	"equity/captable"
	"equity/messages"
)

// loginUser is the body of signing in.
type loginUser struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func (s *Server) login(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[loginUser](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.authenticate(ctx, c, wish)
	if err != nil {
		return Answer{}, err
	}
	user, err := s.describe(ctx, account)
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Record: user, Private: true, Session: SessionChange{SignIn: account.ID, SiteAdmin: account.SiteAdmin},
	}, nil
}

// authenticate finds the account that the e-mail and the password belong to. An
// unknown e-mail takes as long as a wrong password and is told in the same words;
// that an address is not verified is told only to who knows the password.
func (s *Server) authenticate(ctx context.Context, c *Call, wish loginUser) (messages.User, error) {
	subject := "login account " + strings.ToLower(strings.TrimSpace(wish.Email))
	if err := s.patience(ctx, "login address "+c.Caller.Address.String(), loginsPerAddress, loginWindow); err != nil {
		return messages.User{}, err
	}
	if err := s.patience(ctx, subject, loginsPerAccount, loginWindow); err != nil {
		return messages.User{}, err
	}
	account, err := s.accounts.ByEmail(ctx, wish.Email)
	if err != nil && !isUnknownUser(err) {
		return messages.User{}, unavailable(doing(ctx, "find account", err))
	}
	fits, err := s.passwords.fits(ctx, wish.Password, account.PasswordHash)
	if err != nil {
		return messages.User{}, err
	}
	if !fits || account.ID.IsZero() {
		return messages.User{}, captable.Refuse(codeInvalidCredentials, "The e-mail address or the password is wrong.")
	}
	if err := s.throttle.Forgive(ctx, subject); err != nil {
		return messages.User{}, unavailable(err)
	}
	if account.EmailVerifiedAt.IsZero() {
		return messages.User{}, captable.Refuse(codeEmailNotVerified, "Follow the link in the verification mail first.")
	}
	return account, nil
}

func (s *Server) logout(context.Context, *Call) (Answer, error) {
	return Answer{Status: http.StatusNoContent, Private: true, Session: SessionChange{SignOut: true}}, nil
}

func (s *Server) currentUser(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if isUnknownUser(err) { // the account is gone, the session is not yet
		return Answer{}, errUnauthorized()
	}
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	user, err := s.describe(ctx, account)
	return Answer{Record: user, Private: true}, err
}
