package account

import (
	"context"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// fitsProposal requires a code of the proposed secret.
func (s factors) fitsProposal(ctx context.Context, c *api.Call, account messages.User, token string) (messages.TwoFactor, int64, error) {
	proposed, err := s.TwoFactors.Find(ctx, account.ID)
	if err != nil {
		return proposed, 0, api.Unavailable(api.Wrap(ctx, "find two-factor", err))
	}
	switch {
	case proposed.Enabled:
		return proposed, 0, fault.Refuse(fault.Conflict, "Two-factor authentication is already on.")
	case proposed.Seed == nil:
		return proposed, 0, fault.Refuse(fault.Conflict, "Request a secret first.")
	}
	step, fits := totpCode(token, proposed.Seed, c.At)
	if !fits {
		return proposed, 0, errTwoFactor()
	}
	return proposed, step, nil
}

// mustHaveTwoFactor requires a code of the enabled secret.
func (s factors) mustHaveTwoFactor(ctx context.Context, c *api.Call, account messages.User, token string) error {
	if account.TwoFactorAt.IsZero() {
		return fault.Refuse(fault.Conflict, "Two-factor authentication is off.")
	}
	return s.secondFactor(ctx, c, account, token)
}

// secondFactor requires a code of the enabled secret or a recovery code, if the account has a second
// factor. It consumes either. A missing code does not count as a failed attempt.
func (s *base) secondFactor(ctx context.Context, c *api.Call, account messages.User, token string) error {
	if account.TwoFactorAt.IsZero() {
		return nil
	}
	if token == "" {
		return errTwoFactor()
	}
	subject := "two factor account " + account.ID.String()
	if err := s.Throttle(ctx, subject, twoFactorTries, twoFactorWindow); err != nil {
		return err
	}
	accepted, err := s.acceptFactor(ctx, c, account, token)
	if err != nil {
		return api.Unavailable(api.Wrap(ctx, "check second factor", err))
	}
	if !accepted {
		return errTwoFactor()
	}
	return api.Unavailable(s.Throttles.Forgive(ctx, subject))
}

func (s *base) acceptFactor(ctx context.Context, c *api.Call, account messages.User, token string) (bool, error) {
	inUse, err := s.TwoFactors.Find(ctx, account.ID)
	if err != nil {
		return false, err
	}
	if step, fits := totpCode(token, inUse.Seed, c.At); fits && inUse.Enabled {
		return s.TwoFactors.Accept(ctx, account.ID, step)
	}
	return s.TwoFactors.Recover(ctx, account.ID, plain(token))
}

// confirmOwner requires the present password, if the account has one, and the second factor.
func (s factors) confirmOwner(ctx context.Context, c *api.Call, account messages.User, password, code string) error {
	if account.PasswordHash != "" {
		if err := s.knowsPassword(ctx, c, account, password); err != nil {
			return err
		}
	}
	return s.secondFactor(ctx, c, account, code)
}
