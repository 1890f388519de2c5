package http

import (
	"context"
	"fmt"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
)

func (s *Server) passwordHandlers() map[string]Handler {
	return map[string]Handler{
		"resetPassword":  s.resetPassword,
		"changePassword": s.changePassword,
	}
}

const (
	resetWindow     = time.Hour
	resetsPerHour   = 30 // from one network address: the answer tells who has an account
	temporaryValid  = time.Hour
	temporaryGroups = 4 // of five letters: 100 bits
)

// resetPassword sends a temporary password. The interface has the answer tell when there
// is no such user, so asking is counted by network address.
func (s *Server) resetPassword(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.patience(ctx, "reset address "+c.Caller.network(), resetsPerHour, resetWindow); err != nil {
		return Answer{}, err
	}
	account, err := s.accounts.ByEmail(ctx, wish.Email)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	password, mail, err := s.temporaryMail(c, account)
	if err != nil {
		return Answer{}, err
	}
	err = s.chosen.SendTemporaryPassword(ctx, account.ID, messages.TemporaryPassword{
		Password: plain(password), SentAt: c.At, ExpiresAt: c.At.Add(temporaryValid),
	}, mail)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "send temporary password", err))
	}
	return Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}, nil
}

// temporaryMail draws a temporary password and writes the mail that carries it.
func (s *Server) temporaryMail(c *Call, account messages.User) (string, messages.Mail, error) {
	password, err := s.drawLegible(temporaryGroups)
	if err != nil {
		return "", messages.Mail{}, err
	}
	name := account.FirstName
	if account.EmailVerifiedAt.IsZero() { // somebody else may have chosen it
		name = ""
	}
	mail, err := s.letter(c, "temporary", account.Email, "Your temporary password",
		struct{ Name, Password, Link string }{name, password, strings.TrimSuffix(s.settings.PublicURL, "/") + loginPath})
	return password, mail, err
}

// changePassword is the body of choosing a password.
type changePassword struct {
	Current  string `json:"currentPassword"`
	Password string `json:"password"`
}

// changePassword replaces the password. All sessions end, and the one that asked goes on
// under a new identifier: whoever held a copy of its cookie is out too.
func (s *Server) changePassword(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[changePassword](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.ownAccount(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.knowsPassword(ctx, c, account, wish.Current); err != nil {
		return Answer{}, err
	}
	faults := s.passwords.faults(wish.Password, account.Email)
	if wish.Password == wish.Current {
		faults.Add("/password", "unchanged", "The new password is the old one.")
	}
	if err := wrongFields(faults); err != nil {
		return Answer{}, err
	}
	hash, err := s.passwords.hash(ctx, wish.Password)
	if err != nil {
		return Answer{}, err
	}
	mail, err := s.notify(c, account, noticePassword)
	if err != nil {
		return Answer{}, err
	}
	if err := s.chosen.ChangePassword(ctx, account.ID, account.PasswordHash, hash, mail); err != nil {
		return Answer{}, unavailable(doing(ctx, "change password", err))
	}
	account.MustChangePassword = false
	return s.signedIn(ctx, c, account, true)
}

// knowsPassword requires the present password, except in a session that a temporary password or the confirmation of
// the address started: its account has no password. Other sessions of that account are about to end.
func (s *Server) knowsPassword(ctx context.Context, c *Call, account messages.User, current string) error {
	if account.MustChangePassword && c.Caller.MustChangePassword {
		return nil
	}
	subject := "password account " + account.ID.String()
	if err := s.patience(ctx, subject, loginsPerAccount, loginWindow); err != nil {
		return err
	}
	fits, err := s.passwords.fits(ctx, current, account.PasswordHash)
	if err != nil {
		return err
	}
	if !fits {
		return captable.Refuse(codeInvalidCredentials, "The present password is wrong.")
	}
	return unavailable(s.throttle.Forgive(ctx, subject))
}

// ownAccount is the account of who calls. One that is gone while its session is not yet
// is nobody's.
func (s *Server) ownAccount(ctx context.Context, c *Call) (messages.User, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if isUnknownUser(err) {
		return account, errUnauthorized()
	}
	if err != nil {
		return account, unavailable(fmt.Errorf("find account: %w", err))
	}
	return account, nil
}
