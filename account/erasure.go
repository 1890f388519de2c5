package account

import (
	"context"
	"strings"

	"equity/fault"
	"equity/messages"
)

// ErasureRequest confirms an erasure.
type ErasureRequest struct {
	Email          string `json:"email"`
	Password       string `json:"password"`
	TwoFactorToken string `json:"twoFactorToken"`
}

// Erase deletes the caller's account and all personal data. Sessions are ended before and after the
// deletion, so that a sign-in in between does not survive it.
func (s *Service) Erase(ctx context.Context, by Caller, confirmation ErasureRequest) error {
	user, err := s.Find(ctx, by)
	if err != nil {
		return err
	}
	if err := s.confirmErasure(ctx, by, user, confirmation); err != nil {
		return err
	}
	if err := s.Memberships.CheckOwners(ctx, user.ID); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return s.Memberships.LeaveAll(ctx, user.ID, by.At) },
		func() error { return s.Sessions.RevokeUser(ctx, user.ID) },
		func() error { return s.Erasure.Erase(ctx, user) },
		func() error { return s.Sessions.RevokeUser(ctx, user.ID) },
	} {
		if err := step(); err != nil {
			return messages.Unavailable(ctx, "erase", err)
		}
	}
	return nil
}

// confirmErasure requires the e-mail address, the password and the second factor, because an erasure
// cannot be undone and the browser may have been left open. Users who sign in only through an identity
// provider have no password to enter.
func (s *Service) confirmErasure(ctx context.Context, by Caller, user messages.User, given ErasureRequest) error {
	if !strings.EqualFold(strings.TrimSpace(given.Email), user.Email) {
		return fault.InvalidField("/email", "mismatch", "Enter the e-mail address of the account to confirm the erasure.")
	}
	if user.PasswordHash != "" {
		if err := s.checkPassword(ctx, by, user, given.Password); err != nil {
			return err
		}
	}
	return s.checkSecondFactor(ctx, by, user, given.TwoFactorToken)
}
