package account

import (
	"context"
	"time"

	"equity/fault"
	"equity/messages"
)

const (
	temporaryValid  = time.Hour
	temporaryGroups = 4 // groups of five characters: 100 bits
)

// ResetPassword mails a temporary password. The interface requires that the answer reports an unknown
// user, so requests are limited per network address.
func (s *Service) ResetPassword(ctx context.Context, by Caller, email string) error {
	if err := s.limitMail(ctx, by.mail(messages.MailReset, email)); err != nil {
		return err
	}
	user, err := s.Accounts.ByEmail(ctx, email)
	if err != nil {
		return messages.Unavailable(ctx, "find account", err)
	}
	password, err := drawCode(s.Random, temporaryGroups)
	if err != nil {
		return err
	}
	name := user.FirstName
	if user.EmailVerifiedAt.IsZero() { // another person may have chosen it
		name = ""
	}
	mail, err := s.Letters.TemporaryPassword(by.At, user.Email, name, password)
	if err != nil {
		return err
	}
	err = s.Passwords.SendTemporaryPassword(ctx, user.ID, messages.TemporaryPassword{
		Password: normalCode(password), SentAt: by.At, ExpiresAt: by.At.Add(temporaryValid),
	}, mail)
	return messages.Unavailable(ctx, "send temporary password", err)
}

// ChangePassword replaces the caller's password. It ends all sessions and renews the caller's own, so that
// copies of its cookie become useless. The other sessions end before the change as well, so that they have ended
// also if the reply to the commit is lost. With endTokens, API tokens and grants of OAuth end in the same way. A repetition of the request
// completes a change that was stored.
func (s *Service) ChangePassword(ctx context.Context, by Caller, current, password string, endTokens bool) (Entry, error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return Entry{}, err
	}
	err = s.checkPassword(ctx, by, user, current)
	if fault.Is(err, fault.InvalidCredentials) {
		return s.completeChange(ctx, by, user, password, err)
	}
	if err != nil {
		return Entry{}, err
	}
	faults := s.hasher.faults(password, user.Email)
	if password == current {
		faults.Add("/password", "unchanged", "The new password must differ from the old one.")
	}
	if err := faults.Err(); err != nil {
		return Entry{}, err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return Entry{}, err
	}
	mail, err := s.Letters.Notice(by.At, user, NoticePassword)
	if err != nil {
		return Entry{}, err
	}
	if err := s.endOtherSessions(ctx, by); err != nil {
		return Entry{}, err
	}
	if endTokens {
		if err := s.Passwords.EndTokens(messages.WithoutChanges(ctx), user.ID); err != nil {
			return Entry{}, messages.Unavailable(ctx, "end tokens", err)
		}
	}
	if err := s.Passwords.ChangePassword(ctx, user.ID, user.PasswordHash, hash, mail); err != nil {
		return Entry{}, messages.Unavailable(ctx, "change password", err)
	}
	user.MustChangePassword = false
	return s.enter(ctx, by, user, true)
}

// completeChange completes a request whose new password is already the present one: an earlier request stored it and
// its reply was lost. Otherwise it returns the refusal. The comparison counts as another attempt.
func (s *Service) completeChange(ctx context.Context, by Caller, user messages.User, password string, refusal error) (Entry, error) {
	err := s.checkPassword(ctx, by, user, password)
	if fault.Is(err, fault.InvalidCredentials) {
		return Entry{}, refusal
	}
	if err != nil {
		return Entry{}, err
	}
	return s.enter(ctx, by, user, true)
}

// endOtherSessions ends all sessions of the caller except the present one. It is not the outcome of the request: a
// failure of a later step leaves the account unchanged.
func (s *Service) endOtherSessions(ctx context.Context, by Caller) error {
	ctx = messages.WithoutChanges(ctx)
	listed, err := s.Sessions.List(ctx, by.User)
	for i := 0; i < len(listed) && err == nil; i++ {
		if listed[i].Handle != by.Session {
			_, err = s.Sessions.End(ctx, by.User, listed[i].Handle)
		}
	}
	return messages.Unavailable(ctx, "end other sessions", err)
}

// checkPassword requires the present password, except in sessions started by a temporary password or
// by confirming the address, whose accounts have no password. Other sessions of such an account are
// about to end.
func (s *Service) checkPassword(ctx context.Context, by Caller, user messages.User, current string) error {
	if user.MustChangePassword && by.MustChangePassword {
		return nil
	}
	subject := "password account " + user.ID.String()
	if err := s.limit(ctx, subject, loginsPerAccount, loginWindow); err != nil {
		return err
	}
	matches, err := s.hasher.matches(ctx, current, user.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		return fault.Refuse(fault.InvalidCredentials, "The current password is wrong.")
	}
	return s.forgive(ctx, subject)
}
