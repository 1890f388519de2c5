package account

import (
	"context"

	"equity/account"
	"equity/http/api"
)

func (s registrations) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"registerUser":          s.registerUser,
		"verifyEmail":           s.verifyEmail,
		"sendEmailVerification": s.sendEmailVerification,
	}
}

// checks returns the checks of the bodies of operations without a dry run.
func (s registrations) checks() map[string]func(*api.Call) error {
	return map[string]func(*api.Call) error{
		"registerUser": func(c *api.Call) error {
			input, err := api.Decode[account.Registration](c)
			if err != nil {
				return err
			}
			return s.Accounts.CheckRegistration(input)
		},
	}
}

func (s registrations) registerUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[account.Registration](c)
	if err != nil {
		return api.Answer{}, err
	}
	registered, err := s.Accounts.Register(ctx, api.AccountCaller(c), input)
	if err != nil {
		return api.Answer{}, err
	}
	answer := api.Created(userOf(registered.User, []userOrganization{}), "/user/current", "")
	answer.Private = true
	if registered.Entry == nil {
		answer.Cookie = s.registrationCookie(registered.Browser, registered.User.Email)
		return answer, nil
	}
	entered, err := s.signedIn(ctx, c, *registered.Entry, nil)
	answer.Record, answer.Session = entered.Record, entered.Session
	return answer, err
}

// verifyEmail confirms an address by the code that was mailed to it, and signs the browser in that registered the account. With
// choosePassword, another browser ends the earlier credentials and gets a session that must choose a password.
func (s registrations) verifyEmail(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Code           string `json:"code"`
		ChoosePassword bool   `json:"choosePassword"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	secret, _ := registrationOf(c.Header("Cookie"))
	confirmed, err := s.Accounts.Confirm(ctx, api.AccountCaller(c), input.Code, secret, input.ChoosePassword)
	if err != nil {
		return api.Answer{}, err
	}
	answer := api.Answer{Private: true, Record: emailVerified{confirmed.User.Email, true, confirmed.TakenOver, confirmed.Entry != nil}}
	if confirmed.Entry != nil {
		entered, err := s.signedIn(ctx, c, *confirmed.Entry, nil)
		answer.Session = entered.Session
		return answer, err
	}
	return answer, nil
}

type emailVerified struct {
	Email         string `json:"email"`
	EmailVerified bool   `json:"emailVerified"`
	// MustChangePassword reports that the caller got a session in which to choose a password.
	MustChangePassword bool `json:"mustChangePassword,omitempty"`
	SignedIn           bool `json:"signedIn,omitempty"`
}

// sendEmailVerification returns the same answer for every address, known or unknown. The address is that in the body, of the session, or of the
// registration in this browser.
func (s registrations) sendEmailVerification(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if input.Email == "" && c.Caller.User.IsZero() {
		_, input.Email = registrationOf(c.Header("Cookie"))
	}
	return answerSent(s.Accounts.SendVerification(ctx, api.AccountCaller(c), input.Email))
}
