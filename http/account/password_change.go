package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/letter"
	"equity/messages"
)

func (s credentials) operations() map[string]api.Handler {
	return map[string]api.Handler{
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
func (s credentials) resetPassword(ctx context.Context, c *api.Call) (api.Answer, error) {
	wish, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "reset address "+c.Caller.Network(), resetsPerHour, resetWindow); err != nil {
		return api.Answer{}, err
	}
	account, err := s.Accounts.ByEmail(ctx, wish.Email)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	password, mail, err := s.temporaryMail(c, account)
	if err != nil {
		return api.Answer{}, err
	}
	err = s.Passwords.SendTemporaryPassword(ctx, account.ID, messages.TemporaryPassword{
		Password: plain(password), SentAt: c.At, ExpiresAt: c.At.Add(temporaryValid),
	}, mail)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "send temporary password", err))
	}
	return api.Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}, nil
}

// temporaryMail returns a new temporary password and its mail.
func (s credentials) temporaryMail(c *api.Call, account messages.User) (string, messages.Mail, error) {
	password, err := s.drawLegible(temporaryGroups)
	if err != nil {
		return "", messages.Mail{}, err
	}
	name := account.FirstName
	if account.EmailVerifiedAt.IsZero() { // another person may have chosen it
		name = ""
	}
	mail, err := s.Letters.Letter(c.At, "temporary", account.Email, "Your temporary password",
		struct{ Name, Password, Link string }{name, password, strings.TrimSuffix(s.Settings.PublicURL, "/") + api.LoginPath})
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
func (s credentials) changePassword(ctx context.Context, c *api.Call) (api.Answer, error) {
	wish, err := api.Decode[changePassword](c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	err = s.knowsPassword(ctx, c, account, wish.Current)
	if refusal, is := errors.AsType[*fault.Error](err); is && refusal.Code == fault.InvalidCredentials {
		return s.completeChange(ctx, c, account, wish.Password, err)
	}
	if err != nil {
		return api.Answer{}, err
	}
	faults := s.hasher.faults(wish.Password, account.Email)
	if wish.Password == wish.Current {
		faults.Add("/password", "unchanged", "The new password must differ from the old one.")
	}
	if err := api.WrongFields(faults); err != nil {
		return api.Answer{}, err
	}
	hash, err := s.hasher.hash(ctx, wish.Password)
	if err != nil {
		return api.Answer{}, err
	}
	mail, err := s.Letters.Notify(c.At, account, letter.NoticePassword)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.endOthers(ctx, c); err != nil {
		return api.Answer{}, err
	}
	if err := s.Passwords.ChangePassword(ctx, account.ID, account.PasswordHash, hash, mail); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "change password", err))
	}
	account.MustChangePassword = false
	return s.signedIn(ctx, c, account, true)
}

// completeChange answers a request whose new password is already the present one: an earlier request stored it and its
// reply was lost. Otherwise it returns the refusal. The comparison counts as another attempt.
func (s credentials) completeChange(ctx context.Context, c *api.Call, account messages.User, password string, refusal error) (api.Answer, error) {
	err := s.knowsPassword(ctx, c, account, password)
	if wrong, is := errors.AsType[*fault.Error](err); is && wrong.Code == fault.InvalidCredentials {
		return api.Answer{}, refusal
	}
	if err != nil {
		return api.Answer{}, err
	}
	return s.signedIn(ctx, c, account, true)
}

// endOthers ends all sessions of the caller except the present one. It is not the outcome of the request: a failure of a
// later step leaves the account as it was.
func (s *base) endOthers(ctx context.Context, c *api.Call) error {
	ctx = messages.WithoutChanges(ctx)
	listed, err := s.Sessions.List(ctx, c.Caller.User)
	for i := 0; i < len(listed) && err == nil; i++ {
		if listed[i].Handle != c.Caller.Session {
			_, err = s.Sessions.End(ctx, c.Caller.User, listed[i].Handle)
		}
	}
	return api.Unavailable(api.Wrap(ctx, "end other sessions", err))
}

// knowsPassword requires the present password, except in sessions started by a temporary password or
// by confirming the address, whose accounts have no password. Other sessions of such an account are
// about to end.
func (s *base) knowsPassword(ctx context.Context, c *api.Call, account messages.User, current string) error {
	if account.MustChangePassword && c.Caller.MustChangePassword {
		return nil
	}
	subject := "password account " + account.ID.String()
	if err := s.Throttle(ctx, subject, loginsPerAccount, loginWindow); err != nil {
		return err
	}
	fits, err := s.hasher.fits(ctx, current, account.PasswordHash)
	if err != nil {
		return err
	}
	if !fits {
		return fault.Refuse(fault.InvalidCredentials, "The current password is wrong.")
	}
	return api.Unavailable(s.Throttles.Forgive(ctx, subject))
}
