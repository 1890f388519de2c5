package account

import (
	"context"
	"net/http"
	"slices"

	"equity/account"
	"equity/fault"
	"equity/http/api"
)

func (s signIn) login(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[account.Credentials](c)
	if err != nil {
		return api.Answer{}, err
	}
	entry, err := s.Accounts.SignIn(ctx, api.AccountCaller(c), input)
	return s.signedIn(ctx, c, entry, err)
}

func (s signIn) logout(context.Context, *api.Call) (api.Answer, error) {
	return api.Answer{Status: http.StatusNoContent, Private: true, Session: api.SessionChange{SignOut: true}}, nil
}

func (s signIn) currentUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	user, err := s.describe(ctx, account)
	user.Organizations = slices.DeleteFunc(user.Organizations, func(one userOrganization) bool { return !c.Reaches(one.ID) })
	return api.Answer{Record: user, Private: true}, err
}

// describeSignIn returns the user of the session, if there is one, and the demo account. A session whose user no longer exists counts as
// none.
func (s signIn) describeSignIn(ctx context.Context, c *api.Call) (api.Answer, error) {
	state := struct {
		User any          `json:"user,omitempty"`
		Demo *DemoAccount `json:"demo,omitempty"`
	}{Demo: s.Settings.Demo}
	if !c.Caller.User.IsZero() {
		current, err := s.currentUser(ctx, c)
		if err != nil && !fault.Is(err, fault.Unauthorized) {
			return api.Answer{}, err
		}
		if err == nil {
			state.User = current.Record
		}
	}
	return api.Answer{Record: state, Private: true}, nil
}

func (s signIn) operations() map[string]api.Handler {
	return map[string]api.Handler{"login": s.login, "logout": s.logout, "currentUser": s.currentUser, "describeSignIn": s.describeSignIn}
}
