package account

import (
	"context"

	"equity/http/api"
)

// MagicLinkHandlers returns the handlers for signing in with a link. The contract does not declare
// these operations, because the public interface leaves them unregistered. To enable them, declare
// them and add this table to the server's.
func (f *Feature) MagicLinkHandlers() map[string]api.Handler {
	m := magicLinks{f.base}
	return map[string]api.Handler{"requestMagicLink": m.request, "followMagicLink": m.follow}
}

// request sends a link if the account exists. The answer is always the same.
func (m magicLinks) request(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	return answerSent(m.Accounts.SendMagicLink(ctx, api.AccountCaller(c), input.Email))
}

// follow signs in with the token of a link and the second factor, if enabled.
func (m magicLinks) follow(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	entry, err := m.Accounts.FollowMagicLink(ctx, api.AccountCaller(c), input.Token, input.TwoFactorToken)
	return m.signedIn(ctx, c, entry, err)
}
