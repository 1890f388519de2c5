package account

import (
	"context"

	"equity/fault"
	"equity/messages"
)

// checkProposal requires a code of the proposed secret.
func (s *Service) checkProposal(ctx context.Context, by Caller, user messages.User, code string) (messages.TwoFactor, int64, error) {
	proposed, err := s.TwoFactors.Find(ctx, user.ID)
	if err != nil {
		return proposed, 0, messages.Unavailable(ctx, "find two-factor", err)
	}
	switch {
	case proposed.Enabled:
		return proposed, 0, fault.Refuse(fault.Conflict, "Two-factor authentication is already on.")
	case proposed.Seed == nil:
		return proposed, 0, fault.Refuse(fault.Conflict, "Request a secret first.")
	}
	step, valid := totpCode(code, proposed.Seed, by.At)
	if !valid {
		return proposed, 0, errTwoFactor()
	}
	return proposed, step, nil
}

// requireTwoFactor returns the caller's account. It requires a code of the enabled secret.
func (s *Service) requireTwoFactor(ctx context.Context, by Caller, code string) (messages.User, error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return user, err
	}
	if user.TwoFactorAt.IsZero() {
		return user, fault.Refuse(fault.Conflict, "Two-factor authentication is off.")
	}
	return user, s.checkSecondFactor(ctx, by, user, code)
}

// checkSecondFactor requires a code of the enabled secret or a recovery code, if the account has a second
// factor. It consumes either. A missing code does not count as a failed attempt.
func (s *Service) checkSecondFactor(ctx context.Context, by Caller, user messages.User, code string) error {
	if user.TwoFactorAt.IsZero() {
		return nil
	}
	if code == "" {
		return errTwoFactor()
	}
	subject := "two factor account " + user.ID.String()
	if err := s.limit(ctx, subject, twoFactorTries, twoFactorWindow); err != nil {
		return err
	}
	accepted, err := s.acceptFactor(ctx, by, user, code)
	if err != nil {
		return messages.Unavailable(ctx, "check second factor", err)
	}
	if !accepted {
		return errTwoFactor()
	}
	return s.forgive(ctx, subject)
}

func (s *Service) acceptFactor(ctx context.Context, by Caller, user messages.User, code string) (bool, error) {
	enabled, err := s.TwoFactors.Find(ctx, user.ID)
	if err != nil {
		return false, err
	}
	if step, valid := totpCode(code, enabled.Seed, by.At); valid && enabled.Enabled {
		return s.TwoFactors.Accept(ctx, user.ID, step)
	}
	return s.TwoFactors.Recover(ctx, user.ID, normalCode(code))
}
