package http

import (
	"context"
	"fmt"
	"io"
	"time"

	"equity/captable"
	"equity/messages"
)

func (s *Server) twoFactorHandlers() map[string]Handler {
	return map[string]Handler{
		"proposeTwoFactor":   s.proposeTwoFactor,
		"verifyTwoFactor":    s.verifyTwoFactor,
		"enableTwoFactor":    s.enableTwoFactor,
		"disableTwoFactor":   s.disableTwoFactor,
		"renewRecoveryCodes": s.renewRecoveryCodes,
	}
}

const (
	codeTwoFactor captable.Code = "invalidTwoFactorToken"

	twoFactorWindow = 15 * time.Minute
	twoFactorTries  = 5 // of a million codes, three of which fit at a time
	recoveryCodes   = 10
	recoveryGroups  = 3 // of five letters: 75 bits
)

func errTwoFactor() error {
	return captable.Refuse(codeTwoFactor, "Two-factor authentication is on, and this is not its code, or was used before.")
}

// twoFactorProposal is a secret that is not in use yet.
type twoFactorProposal struct {
	Secret  string `json:"secret"`
	Address string `json:"otpauthUrl"`
	Image   string `json:"qrCode"`
}

// proposeTwoFactor draws another secret each time, in place of the one before.
func (s *Server) proposeTwoFactor(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.ownAccount(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	seed := make([]byte, totpSeed)
	if _, err := io.ReadFull(s.random, seed); err != nil {
		return Answer{}, fmt.Errorf("draw two-factor seed: %w", err)
	}
	address := totpAddress(account.Email, seed)
	image, err := totpImage(address)
	if err != nil {
		return Answer{}, err
	}
	if err := s.factors.Propose(ctx, account.ID, seed); err != nil {
		return Answer{}, unavailable(doing(ctx, "propose two-factor", err))
	}
	return Answer{Private: true, Record: twoFactorProposal{totpSecret(seed), address, image}}, nil
}

// twoFactorToken is the body of everything that takes a code.
type twoFactorToken struct {
	Token string `json:"token"`
}

// verifyTwoFactor tells whether the app was set up well. A code of a proposal is not used
// up, as it opens nothing: the same one may enable it.
func (s *Server) verifyTwoFactor(ctx context.Context, c *Call) (Answer, error) {
	wish, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if account.TwoFactorAt.IsZero() {
		_, _, err = s.fitsProposal(ctx, c, account, wish.Token)
	} else {
		err = s.secondFactor(ctx, c, account, wish.Token)
	}
	return Answer{Private: true, Record: struct {
		Verified bool `json:"verified"`
	}{true}}, err
}

// recoveryAnswer shows recovery codes, this once.
type recoveryAnswer struct {
	Enabled bool     `json:"twoFactorEnabled"`
	Codes   []string `json:"recoveryCodes"`
}

// enableTwoFactor turns the second factor on. As with another password, all sessions end, and the one that asked goes on
// under a new identifier: whoever got in by the password alone is out.
func (s *Server) enableTwoFactor(ctx context.Context, c *Call) (Answer, error) {
	wish, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	proposed, step, err := s.fitsProposal(ctx, c, account, wish.Token)
	if err != nil {
		return Answer{}, err
	}
	shown, kept, err := s.drawRecovery()
	if err != nil {
		return Answer{}, err
	}
	mail, err := s.notify(c, account, noticeTwoFactor)
	if err != nil {
		return Answer{}, err
	}
	if err := s.endOthers(ctx, c); err != nil { // as for another password
		return Answer{}, err
	}
	if err := s.factors.Enable(ctx, account.ID, proposed, step, kept, mail); err != nil {
		return Answer{}, unavailable(doing(ctx, "enable two-factor", err))
	}
	answer, err := s.signedIn(ctx, c, account, true)
	return Answer{Private: true, Record: recoveryAnswer{true, shown}, Session: answer.Session}, err
}

// disableTwoFactor takes a code of the second factor itself: a session that was left open is not
// enough. The account's address is told.
func (s *Server) disableTwoFactor(ctx context.Context, c *Call) (Answer, error) {
	wish, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.mustHaveTwoFactor(ctx, c, account, wish.Token); err != nil {
		return Answer{}, err
	}
	mail, err := s.notify(c, account, noticeOneFactor)
	if err != nil {
		return Answer{}, err
	}
	if err := s.factors.Disable(ctx, account.ID, mail); err != nil {
		return Answer{}, unavailable(doing(ctx, "disable two-factor", err))
	}
	return Answer{Private: true, Record: struct {
		Enabled bool `json:"twoFactorEnabled"`
	}{false}}, nil
}

// renewRecoveryCodes makes the old codes void and shows the new ones, once: what is kept of them
// are digests.
func (s *Server) renewRecoveryCodes(ctx context.Context, c *Call) (Answer, error) {
	wish, account, err := s.tokenOf(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.mustHaveTwoFactor(ctx, c, account, wish.Token); err != nil {
		return Answer{}, err
	}
	shown, kept, err := s.drawRecovery()
	if err != nil {
		return Answer{}, err
	}
	mail, err := s.notify(c, account, noticeRecovery)
	if err != nil {
		return Answer{}, err
	}
	if err := s.factors.Renew(ctx, account.ID, kept, mail); err != nil {
		return Answer{}, unavailable(doing(ctx, "renew recovery codes", err))
	}
	return Answer{Private: true, Record: recoveryAnswer{true, shown}}, nil
}

// drawRecovery draws recovery codes: as they are shown, and as they are kept.
func (s *Server) drawRecovery() (shown, kept []string, err error) {
	for range recoveryCodes {
		code, err := s.drawLegible(recoveryGroups)
		if err != nil {
			return nil, nil, err
		}
		shown, kept = append(shown, code), append(kept, plain(code))
	}
	return shown, kept, nil
}

// tokenOf reads a code and whose account it is about.
func (s *Server) tokenOf(ctx context.Context, c *Call) (twoFactorToken, messages.User, error) {
	wish, err := decode[twoFactorToken](c)
	if err != nil {
		return wish, messages.User{}, err
	}
	account, err := s.ownAccount(ctx, c)
	return wish, account, err
}
