package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

func (s registrations) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"registerUser":          s.registerUser,
		"verifyEmail":           s.verifyEmail,
		"sendEmailVerification": s.sendEmailVerification,
	}
}

// Rate limits. Attempts are counted in the store, for all servers together.
const (
	loginWindow        = 15 * time.Minute
	loginsPerAccount   = 10   // from one network
	loginsFromAnywhere = 25   // 100 an hour for an account (ASVS 2.2.1)
	loginsPerAddress   = 1000 // an office may share one address
	registerWindow     = time.Hour
	registersPerHour   = 60 // attempts, because each costs a hash
	verifyWindow       = time.Hour
	verifiesPerHour    = 100
	verificationValid  = 24 * time.Hour
	codeBytes          = 24
)

// registerUser is the request body of a registration.
type registerUser struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	Username  string `json:"username"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	// ReferralCode is empty without a referral.
	ReferralCode string `json:"referralCode"`
}

// readRegistration decodes and checks the body.
func (s registrations) readRegistration(c *api.Call) (registerUser, error) {
	input, err := api.Decode[registerUser](c)
	if err != nil {
		return input, err
	}
	return input, api.WrongFields(s.hasher.faults(input.Password, input.Email))
}

func (s registrations) registerUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := s.readRegistration(c)
	if err != nil {
		return api.Answer{}, err
	}
	wait, err := s.Throttles.Take(ctx, "register address "+c.Caller.Network(),
		max(registersPerHour, s.Settings.RegistrationIPLimit), registerWindow)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if wait > 0 {
		return api.Answer{}, fault.Refuse(fault.AddressLimit, "Too many accounts were registered from this network address. Try again later.")
	}
	hash, err := s.hasher.hash(ctx, input.Password)
	if err != nil {
		return api.Answer{}, err
	}
	account := s.newAccount(c, input, hash)
	verification, mail, err := s.verificationMail(c, account)
	if err != nil {
		return api.Answer{}, err
	}
	referred, err := s.referredBy(input.ReferralCode)
	if err != nil {
		return api.Answer{}, err
	}
	browser, err := s.drawSecret(codeBytes)
	if err != nil {
		return api.Answer{}, err
	}
	err = s.Accounts.Register(ctx, messages.Registration{
		User: account, Verification: verification, Mail: mail, AddressLimit: s.Settings.RegistrationIPLimit, Referred: referred,
		Browser: browser,
	})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "register", err))
	}
	if cooldown := s.Settings.EmailVerificationLimit; cooldown > 0 { // this mail starts the cooldown
		if _, err := s.Throttles.Take(ctx, "verification "+messages.CanonicalEmail(account.Email), 1, cooldown); err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
	}
	answer := api.Created(userOf(account, []userOrganization{}), "/user/current", "")
	answer.Private, answer.Cookie = true, s.registrationCookie(browser)
	return answer, nil
}

func (s *base) newAccount(c *api.Call, input registerUser, hash string) messages.User {
	email := strings.TrimSpace(input.Email)
	username := strings.TrimSpace(input.Username)
	if username == "" {
		username, _, _ = strings.Cut(email, "@")
	}
	return messages.User{
		ID: captable.ID[organization.User](s.NewID()), Entity: captable.ID[captable.Entity](s.NewID()), Email: email, Username: username,
		FirstName: strings.TrimSpace(input.FirstName), LastName: strings.TrimSpace(input.LastName),
		PasswordHash: hash, AcceptedTermsAt: c.At, CreatedAt: c.At, RegisteredIP: c.Caller.Network(),
	}
}

// verificationMail returns a new code and the mail that carries it. The mail does not contain the
// chosen name: the address may belong to another person, and the name could carry a message to them.
func (s registrations) verificationMail(c *api.Call, account messages.User) (messages.Verification, messages.Mail, error) {
	code, err := s.drawSecret(codeBytes)
	if err != nil {
		return messages.Verification{}, messages.Mail{}, err
	}
	mail, err := s.Letters.Letter(c.At, "verify", account.Email, "Confirm your e-mail address",
		struct{ Link, Code string }{s.Letters.PageLink(api.VerifyPath, "code", code), code})
	return messages.Verification{Code: code, SentAt: c.At, ExpiresAt: c.At.Add(verificationValid)}, mail, err
}

// verifyEmail confirms an address by the code that was mailed to it. Attempts are counted by network. Memberships that
// wait for the address are claimed. With choosePassword, a browser that did not register the account ends its earlier
// credentials and gets a session that must choose a password.
func (s registrations) verifyEmail(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Code           string `json:"code"`
		ChoosePassword bool   `json:"choosePassword"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "verify address "+c.Caller.Network(), verifiesPerHour, verifyWindow); err != nil {
		return api.Answer{}, err
	}
	account, takeover, err := s.Accounts.ConfirmRegistration(ctx, messages.Confirmation{
		Code: strings.TrimSpace(input.Code), Browser: registrationOf(c.Header("Cookie")), TakeOver: input.ChoosePassword, At: c.At,
	})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "verify email", err))
	}
	answer := api.Answer{Private: true, Record: emailVerified{account.Email, true, takeover}}
	if takeover && account.DisabledAt.IsZero() {
		entered, err := s.signedIn(ctx, c, account, true)
		answer.Session = entered.Session
		return answer, err
	}
	s.claim(ctx, c, account)
	return answer, nil
}

type emailVerified struct {
	Email         string `json:"email"`
	EmailVerified bool   `json:"emailVerified"`
	// MustChangePassword reports that the caller got a session in which to choose a password.
	MustChangePassword bool `json:"mustChangePassword,omitempty"`
}

// sendEmailVerification gets the same answer for every address, known or unknown. The cooldown is
// counted by address before the account is looked up.
func (s registrations) sendEmailVerification(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, email, err := s.verificationOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if cooldown := s.Settings.EmailVerificationLimit; cooldown > 0 {
		wait, err := s.Throttles.Take(ctx, "verification "+messages.CanonicalEmail(email), 1, cooldown)
		if err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
		if wait > 0 {
			return api.Answer{}, fault.Refuse(fault.RecentVerification, "A verification mail was sent recently. Wait before you request another one.")
		}
	}
	if !account.ID.IsZero() && account.EmailVerifiedAt.IsZero() {
		verification, mail, err := s.verificationMail(c, account)
		if err != nil {
			return api.Answer{}, err
		}
		err = s.Accounts.RenewVerification(ctx, account.ID, verification, mail, s.Settings.EmailVerificationLimit)
		var refusal *fault.Error
		if err != nil && !errors.As(err, &refusal) { // an earlier mail must not reveal that the account exists
			return api.Answer{}, api.Unavailable(api.Wrap(ctx, "send verification", err))
		}
	}
	return api.Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}, nil
}

// verificationOf returns the account of the address in the body, else of the session. The account is
// zero if it does not exist.
func (s registrations) verificationOf(ctx context.Context, c *api.Call) (messages.User, string, error) {
	input, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return messages.User{}, "", err
	}
	email := strings.TrimSpace(input.Email)
	if email == "" && c.Caller.User.IsZero() {
		return messages.User{}, "", api.WrongField("/email", "required", "Enter an e-mail address, or sign in first.")
	}
	var account messages.User
	if email == "" {
		account, err = s.Accounts.ByID(ctx, c.Caller.User)
	} else {
		account, err = s.Accounts.ByEmail(ctx, email)
	}
	if api.IsUnknownUser(err) {
		return messages.User{}, email, nil
	}
	if email == "" {
		email = account.Email
	}
	return account, email, api.Unavailable(api.Wrap(ctx, "find account", err))
}

// checks returns the checks of the bodies of operations without a dry run.
func (s registrations) checks() map[string]func(*api.Call) error {
	return map[string]func(*api.Call) error{
		"registerUser": func(c *api.Call) error { _, err := s.readRegistration(c); return err },
	}
}

// referredBy returns the referral of a registration; nil without a code. It draws the cards here; they
// are credited after the newcomer confirms their address.
func (s registrations) referredBy(text string) (*messages.Referred, error) {
	code, ok := referral.ParseCode(text)
	if !ok { // by the contract, the code is empty
		return nil, nil //nolint:nilnil // nil means no referral
	}
	newcomer, err := credit.DrawCard(s.Random, s.NewID(), credit.CardSignup)
	if err != nil {
		return nil, err
	}
	referrer, err := credit.DrawCard(s.Random, s.NewID(), credit.CardReferral)
	return &messages.Referred{Code: code, ForNewcomer: newcomer, ForReferrer: referrer}, err
}
