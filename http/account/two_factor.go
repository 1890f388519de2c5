package account

import (
	"context"
	"fmt"
	"io"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/letter"
	"equity/messages"
)

func (s factors) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"proposeTwoFactor":   s.proposeTwoFactor,
		"verifyTwoFactor":    s.verifyTwoFactor,
		"enableTwoFactor":    s.enableTwoFactor,
		"disableTwoFactor":   s.disableTwoFactor,
		"renewRecoveryCodes": s.renewRecoveryCodes,
	}
}

const (
	twoFactorWindow = 15 * time.Minute
	twoFactorTries  = 5 // three of a million codes are valid at a time
	recoveryCodes   = 10
	recoveryGroups  = 3 // groups of five characters: 75 bits
)

func errTwoFactor() error {
	return fault.Refuse(fault.InvalidTwoFactor, "Two-factor authentication is on. The code is missing, wrong, or was used before.")
}

// twoFactorProposal is a secret that is not enabled yet.
type twoFactorProposal struct {
	Secret  string `json:"secret"`
	Address string `json:"otpauthUrl"`
	Image   string `json:"qrCode"`
}

// proposeTwoFactor creates a secret, which replaces an earlier proposal.
func (s factors) proposeTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	seed := make([]byte, totpSeed)
	if _, err := io.ReadFull(s.Random, seed); err != nil {
		return api.Answer{}, fmt.Errorf("draw two-factor seed: %w", err)
	}
	address := totpAddress(account.Email, seed)
	image, err := totpImage(address)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.TwoFactors.Propose(ctx, account.ID, seed); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "propose two-factor", err))
	}
	return api.Answer{Private: true, Record: twoFactorProposal{totpSecret(seed), address, image}}, nil
}

// twoFactorToken is the request body of operations that require a code.
type twoFactorToken struct {
	Token string `json:"token"`
}

// verifyTwoFactor reports whether the app produces valid codes. A code of a proposal grants no access
// and is not consumed, so the same code may enable the second factor.
func (s factors) verifyTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if account.TwoFactorAt.IsZero() {
		_, _, err = s.fitsProposal(ctx, c, account, input.Token)
	} else {
		err = s.secondFactor(ctx, c, account, input.Token)
	}
	return api.Answer{Private: true, Record: struct {
		Verified bool `json:"verified"`
	}{true}}, err
}

// recoveryAnswer contains the recovery codes. They are shown only once.
type recoveryAnswer struct {
	Enabled bool     `json:"twoFactorEnabled"`
	Codes   []string `json:"recoveryCodes"`
}

// enableTwoFactor enables the second factor. It ends all sessions and renews the caller's own, so that
// anyone who signed in with the password alone is signed out.
func (s factors) enableTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	proposed, step, err := s.fitsProposal(ctx, c, account, input.Token)
	if err != nil {
		return api.Answer{}, err
	}
	shown, kept, err := s.drawRecovery()
	if err != nil {
		return api.Answer{}, err
	}
	mail, err := s.Letters.Notify(c.At, account, letter.NoticeTwoFactor)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.endOthers(ctx, c); err != nil { // as for another password
		return api.Answer{}, err
	}
	if err := s.TwoFactors.Enable(ctx, account.ID, proposed, step, kept, mail); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "enable two-factor", err))
	}
	answer, err := s.signedIn(ctx, c, account, true)
	return api.Answer{Private: true, Record: recoveryAnswer{true, shown}, Session: answer.Session}, err
}

// disableTwoFactor disables the second factor. It requires a code, because a session may have been
// left open. The account's address is notified.
func (s factors) disableTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mustHaveTwoFactor(ctx, c, account, input.Token); err != nil {
		return api.Answer{}, err
	}
	mail, err := s.Letters.Notify(c.At, account, letter.NoticeOneFactor)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.TwoFactors.Disable(ctx, account.ID, mail); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "disable two-factor", err))
	}
	return api.Answer{Private: true, Record: struct {
		Enabled bool `json:"twoFactorEnabled"`
	}{false}}, nil
}

// renewRecoveryCodes replaces the recovery codes and returns the new ones. Only their digests are
// stored.
func (s factors) renewRecoveryCodes(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mustHaveTwoFactor(ctx, c, account, input.Token); err != nil {
		return api.Answer{}, err
	}
	shown, kept, err := s.drawRecovery()
	if err != nil {
		return api.Answer{}, err
	}
	mail, err := s.Letters.Notify(c.At, account, letter.NoticeRecovery)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.TwoFactors.Renew(ctx, account.ID, kept, mail); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "renew recovery codes", err))
	}
	return api.Answer{Private: true, Record: recoveryAnswer{true, shown}}, nil
}

// drawRecovery returns new recovery codes and the digests that are stored.
func (s factors) drawRecovery() (shown, kept []string, err error) {
	for range recoveryCodes {
		code, err := s.drawLegible(recoveryGroups)
		if err != nil {
			return nil, nil, err
		}
		shown, kept = append(shown, code), append(kept, plain(code))
	}
	return shown, kept, nil
}

// tokenOf returns the code in the body and the caller's account.
func (s factors) tokenOf(ctx context.Context, c *api.Call) (twoFactorToken, messages.User, error) {
	input, err := api.Decode[twoFactorToken](c)
	if err != nil {
		return input, messages.User{}, err
	}
	account, err := s.Account(ctx, c)
	return input, account, err
}
