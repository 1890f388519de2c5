package http

import (
	"context"
	"errors"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func (s *Server) userHandlers() map[string]Handler {
	return map[string]Handler{
		"registerUser":          s.registerUser,
		"verifyEmail":           s.verifyEmail,
		"sendEmailVerification": s.sendEmailVerification,
		"login":                 s.login,
		"logout":                s.logout,
		"currentUser":           s.currentUser,
		"identifyUser":          s.identifyUser,
		"identifyByForm":        s.identifyByForm,
		"diagnose":              s.diagnose,
	}
}

// Error codes that this package creates or compares.
const (
	codeUserNotFound       captable.Code = "userNotFound"
	codeInvalidCredentials captable.Code = "invalidCredentials"
	codeEmailNotVerified   captable.Code = "emailNotVerified"
	codeRecentVerification captable.Code = "recentEmailVerification"
	codeAddressLimit       captable.Code = "ipLimit"
)

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
func (s *Server) readRegistration(c *Call) (registerUser, error) {
	wish, err := decode[registerUser](c)
	if err != nil {
		return wish, err
	}
	return wish, wrongFields(s.passwords.faults(wish.Password, wish.Email))
}

func (s *Server) registerUser(ctx context.Context, c *Call) (Answer, error) {
	wish, err := s.readRegistration(c)
	if err != nil {
		return Answer{}, err
	}
	wait, err := s.throttle.Take(ctx, "register address "+c.Caller.network(),
		max(registersPerHour, s.settings.RegistrationIPLimit), registerWindow)
	if err != nil {
		return Answer{}, unavailable(err)
	}
	if wait > 0 {
		return Answer{}, captable.Refuse(codeAddressLimit, "Too many accounts were registered from this network address. Try again later.")
	}
	hash, err := s.passwords.hash(ctx, wish.Password)
	if err != nil {
		return Answer{}, err
	}
	account := s.newAccount(c, wish, hash)
	verification, mail, err := s.verificationMail(c, account)
	if err != nil {
		return Answer{}, err
	}
	referred, err := s.referredBy(wish.ReferralCode)
	if err != nil {
		return Answer{}, err
	}
	browser, err := s.drawSecret(codeBytes)
	if err != nil {
		return Answer{}, err
	}
	err = s.accounts.Register(ctx, messages.Registration{
		User: account, Verification: verification, Mail: mail, AddressLimit: s.settings.RegistrationIPLimit, Referred: referred,
		Browser: browser,
	})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "register", err))
	}
	if cooldown := s.settings.EmailVerificationLimit; cooldown > 0 { // this mail starts the cooldown
		if _, err := s.throttle.Take(ctx, "verification "+canonical(account.Email), 1, cooldown); err != nil {
			return Answer{}, unavailable(err)
		}
	}
	answer := created(userOf(account, []userOrganization{}), "/user/current", "")
	answer.Private, answer.Cookie = true, s.registrationCookie(browser)
	return answer, nil
}

func (s *Server) newAccount(c *Call, wish registerUser, hash string) messages.User {
	email := strings.TrimSpace(wish.Email)
	username := strings.TrimSpace(wish.Username)
	if username == "" {
		username, _, _ = strings.Cut(email, "@")
	}
	return messages.User{
		ID: fresh[organization.User](s), Entity: fresh[captable.Entity](s), Email: email, Username: username,
		FirstName: strings.TrimSpace(wish.FirstName), LastName: strings.TrimSpace(wish.LastName),
		PasswordHash: hash, AcceptedTermsAt: c.At, CreatedAt: c.At, RegisteredIP: c.Caller.network(),
	}
}

// verificationMail returns a new code and the mail that carries it. The mail does not contain the
// chosen name: the address may belong to another person, and the name could carry a message to them.
func (s *Server) verificationMail(c *Call, account messages.User) (messages.Verification, messages.Mail, error) {
	code, err := s.drawSecret(codeBytes)
	if err != nil {
		return messages.Verification{}, messages.Mail{}, err
	}
	mail, err := s.letter(c, "verify", account.Email, "Confirm your e-mail address",
		struct{ Link, Code string }{s.pageLink(verifyPath, "code", code), code})
	return messages.Verification{Code: code, SentAt: c.At, ExpiresAt: c.At.Add(verificationValid)}, mail, err
}

// verifyEmail confirms an address by the code that was mailed to it. Attempts are counted by network. Memberships that
// wait for the address are claimed. With choosePassword, a browser that did not register the account ends its earlier
// credentials and gets a session that must choose a password.
func (s *Server) verifyEmail(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Code           string `json:"code"`
		ChoosePassword bool   `json:"choosePassword"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.patience(ctx, "verify address "+c.Caller.network(), verifiesPerHour, verifyWindow); err != nil {
		return Answer{}, err
	}
	account, takeover, err := s.accounts.ConfirmRegistration(ctx, messages.Confirmation{
		Code: strings.TrimSpace(wish.Code), Browser: registrationOf(c.Header("Cookie")), TakeOver: wish.ChoosePassword, At: c.At,
	})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "verify email", err))
	}
	answer := Answer{Private: true, Record: emailVerified{account.Email, true, takeover}}
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
func (s *Server) sendEmailVerification(ctx context.Context, c *Call) (Answer, error) {
	account, email, err := s.verificationOf(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if cooldown := s.settings.EmailVerificationLimit; cooldown > 0 {
		wait, err := s.throttle.Take(ctx, "verification "+canonical(email), 1, cooldown)
		if err != nil {
			return Answer{}, unavailable(err)
		}
		if wait > 0 {
			return Answer{}, captable.Refuse(codeRecentVerification, "A verification mail was sent recently. Wait before you request another one.")
		}
	}
	if !account.ID.IsZero() && account.EmailVerifiedAt.IsZero() {
		verification, mail, err := s.verificationMail(c, account)
		if err != nil {
			return Answer{}, err
		}
		err = s.accounts.RenewVerification(ctx, account.ID, verification, mail, s.settings.EmailVerificationLimit)
		var refusal *captable.Error
		if err != nil && !errors.As(err, &refusal) { // an earlier mail must not reveal that the account exists
			return Answer{}, unavailable(doing(ctx, "send verification", err))
		}
	}
	return Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}, nil
}

// verificationOf returns the account of the address in the body, else of the session. The account is
// zero if it does not exist.
func (s *Server) verificationOf(ctx context.Context, c *Call) (messages.User, string, error) {
	wish, err := decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return messages.User{}, "", err
	}
	email := strings.TrimSpace(wish.Email)
	if email == "" && c.Caller.User.IsZero() {
		return messages.User{}, "", wrongField("/email", "required", "Enter an e-mail address, or sign in first.")
	}
	var account messages.User
	if email == "" {
		account, err = s.accounts.ByID(ctx, c.Caller.User)
	} else {
		account, err = s.accounts.ByEmail(ctx, email)
	}
	if isUnknownUser(err) {
		return messages.User{}, email, nil
	}
	if email == "" {
		email = account.Email
	}
	return account, email, unavailable(doing(ctx, "find account", err))
}

func isUnknownUser(err error) bool {
	var refusal *captable.Error
	return errors.As(err, &refusal) && refusal.Code == codeUserNotFound
}

// patience refuses a caller who exceeds the rate limit.
func (s *Server) patience(ctx context.Context, subject string, limit int, window time.Duration) error {
	wait, err := s.throttle.Take(ctx, subject, limit, window)
	if err != nil {
		return unavailable(err)
	}
	if wait > 0 {
		return &failure{refusal: captable.Refuse(codeTooManyAttempts, "Too many attempts. Try again later."), retryAfter: wait}
	}
	return nil
}
