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
	resetsPerHour   = 30 // per network address, because the answer reveals whether the account exists
	temporaryValid  = time.Hour
	temporaryGroups = 4 // groups of five characters: 100 bits
)

// resetPassword mails a temporary password. The interface requires that the answer reports an unknown
// user, so requests are limited per network address.
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

// temporaryMail returns a new temporary password and its mail.
func (s *Server) temporaryMail(c *Call, account messages.User) (string, messages.Mail, error) {
	password, err := s.drawLegible(temporaryGroups)
	if err != nil {
		return "", messages.Mail{}, err
	}
	name := account.FirstName
	if account.EmailVerifiedAt.IsZero() { // another person may have chosen it
		name = ""
	}
	mail, err := s.letter(c, "temporary", account.Email, "Your temporary password",
		struct{ Name, Password, Link string }{name, password, strings.TrimSuffix(s.settings.PublicURL, "/") + loginPath})
	return password, mail, err
}

// changePassword is the request body for choosing a password.
type changePassword struct {
	Current  string `json:"currentPassword"`
	Password string `json:"password"`
}

// changePassword replaces the password. It ends all sessions and renews the caller's own, so that
// copies of its cookie become useless.
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
		faults.Add("/password", "unchanged", "The new password must differ from the old one.")
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

// knowsPassword requires the present password, except in sessions started by a temporary password or
// by confirming the address, whose accounts have no password. Other sessions of such an account are
// about to end.
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
		return captable.Refuse(codeInvalidCredentials, "The current password is wrong.")
	}
	return unavailable(s.throttle.Forgive(ctx, subject))
}

// ownAccount returns the caller's account. It returns an unauthorized error if the account was erased
// before its session ended.
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
