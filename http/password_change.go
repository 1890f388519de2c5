package http

import (
	"context"
	"errors"
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
// copies of its cookie become useless. The other sessions end before the change as well, so that they have ended
// also if the reply to the commit is lost. A repetition of the request completes a change that was stored.
func (s *Server) changePassword(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[changePassword](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.ownAccount(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	err = s.knowsPassword(ctx, c, account, wish.Current)
	if refusal, is := errors.AsType[*captable.Error](err); is && refusal.Code == codeInvalidCredentials {
		return s.completeChange(ctx, c, account, wish.Password, err)
	}
	if err != nil {
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
	if err := s.endOthers(ctx, c); err != nil {
		return Answer{}, err
	}
	if err := s.chosen.ChangePassword(ctx, account.ID, account.PasswordHash, hash, mail); err != nil {
		return Answer{}, unavailable(doing(ctx, "change password", err))
	}
	account.MustChangePassword = false
	return s.signedIn(ctx, c, account, true)
}

// completeChange answers a request whose new password is already the present one: an earlier request stored it and its
// reply was lost. Otherwise it returns the refusal. The comparison counts as another attempt.
func (s *Server) completeChange(ctx context.Context, c *Call, account messages.User, password string, refusal error) (Answer, error) {
	err := s.knowsPassword(ctx, c, account, password)
	if wrong, is := errors.AsType[*captable.Error](err); is && wrong.Code == codeInvalidCredentials {
		return Answer{}, refusal
	}
	if err != nil {
		return Answer{}, err
	}
	return s.signedIn(ctx, c, account, true)
}

// endOthers ends all sessions of the caller except the present one. It is not the outcome of the request: a failure of a
// later step leaves the account as it was.
func (s *Server) endOthers(ctx context.Context, c *Call) error {
	ctx = messages.WithoutChanges(ctx)
	listed, err := s.sessions.List(ctx, c.Caller.User)
	for i := 0; i < len(listed) && err == nil; i++ {
		if listed[i].Handle != c.Caller.Session {
			_, err = s.sessions.End(ctx, c.Caller.User, listed[i].Handle)
		}
	}
	return unavailable(doing(ctx, "end other sessions", err))
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
