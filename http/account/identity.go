package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"

	"equity/fault"
	"equity/http/api"
)

// The redirect form: the identity provider's page makes the browser post the token to this site. To
// prevent forgery by other pages, a random token must match in the form and in a cookie of this site.
const (
	csrfToken      = "g_csrf_token" //nolint:gosec // the name of a field
	redirectFailed = api.LoginPath + "?error=auth_failed"
	redirectFactor = api.LoginPath + "?error=two_factor_required"
)

// plainMessage is the error body of the redirect form.
type plainMessage struct {
	Message string `json:"message"`
}

// describeIdentityProvider returns the address of the identity provider's sign-in page.
func (s identities) describeIdentityProvider(ctx context.Context, c *api.Call) (api.Answer, error) {
	record := struct {
		SignInURL string `json:"signInUrl,omitempty"`
	}{s.Accounts.ProviderSignIn(ctx, api.AccountCaller(c), s.Settings.PublicURL+api.LoginPath)}
	return api.Answer{Record: record}, nil
}

// identifyUser signs in the user of an identity provider.
func (s identities) identifyUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	entry, err := s.Accounts.SignInByProvider(ctx, api.AccountCaller(c), input.Token, input.TwoFactorToken)
	return s.signedIn(ctx, c, entry, err)
}

// identifyByForm signs in a user with the form of the identity provider's page. It always redirects,
// also after an error.
func (s identities) identifyByForm(ctx context.Context, c *api.Call) (api.Answer, error) {
	form, err := api.Decode[struct {
		Credential string `json:"credential"`
		Token      string `json:"g_csrf_token"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if !fromThisSite(form.Token, c.Header("Cookie")) {
		return api.Answer{Status: http.StatusForbidden, Record: plainMessage{"CSRF token validation failed"}}, nil
	}
	if form.Credential == "" {
		return api.Answer{Status: http.StatusBadRequest, Record: plainMessage{"Missing credential"}}, nil
	}
	entry, err := s.Accounts.SignInByProvider(ctx, api.AccountCaller(c), form.Credential, "")
	answer, err := s.signedIn(ctx, c, entry, err)
	if err != nil {
		return s.redirectRefused(ctx, c, err)
	}
	return api.Answer{Status: http.StatusFound, Redirect: api.SignedInPath, Private: true, Session: answer.Session}, nil
}

// redirectRefused redirects to the sign-in page. It logs the cause here, because a redirect has no
// error body.
func (s identities) redirectRefused(ctx context.Context, c *api.Call, err error) (api.Answer, error) {
	if ctx.Err() != nil {
		return api.Answer{}, err
	}
	to := redirectFailed
	refusal, refused := errors.AsType[*fault.Error](err)
	switch {
	case refused && refusal.Code == fault.InvalidTwoFactor:
		to = redirectFactor
	case !refused || refusal.Code == fault.Unavailable:
		s.Log.Error("sign-in by redirect failed", "request", c.ID, "error", err)
	}
	return api.Answer{Status: http.StatusFound, Redirect: to, Private: true}, nil
}

// fromThisSite compares the token in the form with the cookie. It requires exactly one cookie, because
// another site on the domain could add a second one.
func fromThisSite(inForm, cookies string) bool {
	parsed, err := http.ParseCookie(cookies)
	if err != nil || inForm == "" {
		return false
	}
	found := 0
	same := false
	for _, cookie := range parsed {
		if cookie.Name == csrfToken {
			found++
			same = subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(inForm)) == 1
		}
	}
	return found == 1 && same
}

func (s identities) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"describeIdentityProvider": s.describeIdentityProvider, "identifyUser": s.identifyUser, "identifyByForm": s.identifyByForm,
	}
}
