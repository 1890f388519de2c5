package account

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"

	"github.com/pquerna/otp"

	"equity/http/api"
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

// twoFactorProposal is a secret that is not enabled yet.
type twoFactorProposal struct {
	Secret  string `json:"secret"`
	Address string `json:"otpauthUrl"`
	Image   string `json:"qrCode"`
}

// proposeTwoFactor creates a secret, which replaces an earlier proposal.
func (s factors) proposeTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	proposal, err := s.Accounts.ProposeTwoFactor(ctx, api.AccountCaller(c))
	if err != nil {
		return api.Answer{}, err
	}
	image, err := totpImage(proposal.Address)
	return api.Answer{Private: true, Record: twoFactorProposal{proposal.Secret, proposal.Address, image}}, err
}

// twoFactorToken is the request body of operations that require a code.
type twoFactorToken struct {
	Token string `json:"token"`
}

// verifyTwoFactor reports whether the app produces valid codes. The session then counts as confirmed by a second factor.
func (s factors) verifyTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[twoFactorToken](c)
	if err != nil {
		return api.Answer{}, err
	}
	enabled, err := s.Accounts.VerifyTwoFactor(ctx, api.AccountCaller(c), input.Token)
	answer := api.Answer{Private: true, Record: struct {
		Verified bool `json:"verified"`
	}{true}}
	if enabled && c.Caller.Token == nil {
		answer.Session.SecondFactorAt = c.At
	}
	return answer, err
}

// recoveryAnswer contains the recovery codes. They are shown only once.
type recoveryAnswer struct {
	Enabled bool     `json:"twoFactorEnabled"`
	Codes   []string `json:"recoveryCodes"`
}

// enableTwoFactor enables the second factor and replaces the caller's session.
func (s factors) enableTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[twoFactorToken](c)
	if err != nil {
		return api.Answer{}, err
	}
	codes, entry, err := s.Accounts.EnableTwoFactor(ctx, api.AccountCaller(c), input.Token)
	answer, err := s.signedIn(ctx, c, entry, err)
	return api.Answer{Private: true, Record: recoveryAnswer{true, codes}, Session: answer.Session}, err
}

// disableTwoFactor disables the second factor.
func (s factors) disableTwoFactor(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[twoFactorToken](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: struct {
		Enabled bool `json:"twoFactorEnabled"`
	}{false}}, s.Accounts.DisableTwoFactor(ctx, api.AccountCaller(c), input.Token)
}

// renewRecoveryCodes replaces the recovery codes and returns the new ones.
func (s factors) renewRecoveryCodes(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[twoFactorToken](c)
	if err != nil {
		return api.Answer{}, err
	}
	codes, err := s.Accounts.RenewRecoveryCodes(ctx, api.AccountCaller(c), input.Token)
	return api.Answer{Private: true, Record: recoveryAnswer{true, codes}}, err
}

const imageSide = 240 // pixels

// totpImage returns the QR code of an otpauth URL as a data URL.
func totpImage(address string) (string, error) {
	key, err := otp.NewKeyFromURL(address)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	drawn, err := key.Image(imageSide, imageSide)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, drawn); err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded.Bytes()), nil
}
