package account

import (
	"context"
	"fmt"
	"io"
	"time"

	"equity/fault"
	"equity/messages"
)

const (
	twoFactorWindow = 15 * time.Minute
	twoFactorTries  = 5 // three of a million codes are valid at a time
	recoveryCodes   = 10
	recoveryGroups  = 3 // groups of five characters: 75 bits
)

func errTwoFactor() error {
	return fault.Refuse(fault.InvalidTwoFactor, "Two-factor authentication is on. The code is missing, wrong, or was used before.")
}

// TwoFactorProposal is a secret that is not enabled yet.
type TwoFactorProposal struct {
	// Secret is the form that users type into authenticator apps. Address is the otpauth URL.
	Secret, Address string
}

// ProposeTwoFactor creates a secret, which replaces an earlier proposal.
func (s *Service) ProposeTwoFactor(ctx context.Context, by Caller) (TwoFactorProposal, error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return TwoFactorProposal{}, err
	}
	seed := make([]byte, totpSeed)
	if _, err := io.ReadFull(s.Random, seed); err != nil {
		return TwoFactorProposal{}, fmt.Errorf("draw two-factor seed: %w", err)
	}
	if err := s.TwoFactors.Propose(ctx, user.ID, seed); err != nil {
		return TwoFactorProposal{}, messages.Unavailable(ctx, "propose two-factor", err)
	}
	return TwoFactorProposal{totpSecret(seed), totpAddress(user.Email, seed)}, nil
}

// VerifyTwoFactor checks a code of the app. A code of a proposal grants no access and is not consumed, so the same
// code may enable the second factor.
// It reports whether the code is one of the enabled second factor.
func (s *Service) VerifyTwoFactor(ctx context.Context, by Caller, code string) (enabled bool, err error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return false, err
	}
	if user.TwoFactorAt.IsZero() {
		_, _, err = s.checkProposal(ctx, by, user, code)
		return false, err
	}
	err = s.checkSecondFactor(ctx, by, user, code)
	return err == nil, err
}

// EnableTwoFactor enables the second factor and returns the recovery codes. It ends all sessions and renews the caller's
// own, so that anyone who signed in with the password alone is signed out.
func (s *Service) EnableTwoFactor(ctx context.Context, by Caller, code string) (recovery []string, _ Entry, err error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return nil, Entry{}, err
	}
	proposed, step, err := s.checkProposal(ctx, by, user, code)
	if err != nil {
		return nil, Entry{}, err
	}
	recovery, stored, err := drawRecovery(s.Random)
	if err != nil {
		return nil, Entry{}, err
	}
	mail, err := s.Letters.Notice(by.At, user, NoticeTwoFactorOn)
	if err != nil {
		return nil, Entry{}, err
	}
	if err := s.endOtherSessions(ctx, by); err != nil { // as for another password
		return nil, Entry{}, err
	}
	if err := s.TwoFactors.Enable(ctx, user.ID, proposed, step, stored, mail); err != nil {
		return nil, Entry{}, messages.Unavailable(ctx, "enable two-factor", err)
	}
	entry, err := s.enter(ctx, by, user, true)
	entry.SecondFactor = true
	return recovery, entry, err
}

// DisableTwoFactor disables the second factor. It requires a code, because a session may have been
// left open. The account's address is notified.
func (s *Service) DisableTwoFactor(ctx context.Context, by Caller, code string) error {
	user, err := s.requireTwoFactor(ctx, by, code)
	if err != nil {
		return err
	}
	mail, err := s.Letters.Notice(by.At, user, NoticeTwoFactorOff)
	if err != nil {
		return err
	}
	return messages.Unavailable(ctx, "disable two-factor", s.TwoFactors.Disable(ctx, user.ID, mail))
}

// RenewRecoveryCodes replaces the recovery codes and returns the new ones. Only their digests are
// stored.
func (s *Service) RenewRecoveryCodes(ctx context.Context, by Caller, code string) ([]string, error) {
	user, err := s.requireTwoFactor(ctx, by, code)
	if err != nil {
		return nil, err
	}
	recovery, stored, err := drawRecovery(s.Random)
	if err != nil {
		return nil, err
	}
	mail, err := s.Letters.Notice(by.At, user, NoticeRecoveryCodes)
	if err != nil {
		return nil, err
	}
	return recovery, messages.Unavailable(ctx, "renew recovery codes", s.TwoFactors.Renew(ctx, user.ID, stored, mail))
}

// drawRecovery returns new recovery codes and their normal forms, which the store digests.
func drawRecovery(random io.Reader) (shown, stored []string, err error) {
	for range recoveryCodes {
		code, err := drawCode(random, recoveryGroups)
		if err != nil {
			return nil, nil, err
		}
		shown, stored = append(shown, code), append(stored, normalCode(code))
	}
	return shown, stored, nil
}
