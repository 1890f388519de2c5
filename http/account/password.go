package account

import (
	"context"

	"equity/http/api"
)

func (s credentials) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"resetPassword":  s.resetPassword,
		"changePassword": s.changePassword,
	}
}

func (s credentials) resetPassword(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	return answerSent(s.Accounts.ResetPassword(ctx, api.AccountCaller(c), input.Email))
}

func (s credentials) changePassword(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Current  string `json:"currentPassword"`
		Password string `json:"password"`
		Tokens   bool   `json:"endTokens"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	entry, err := s.Accounts.ChangePassword(ctx, api.AccountCaller(c), input.Current, input.Password, input.Tokens)
	return s.signedIn(ctx, c, entry, err)
}
