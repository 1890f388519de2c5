package account

import (
	"context"
	"io"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

// Limits of registrations. Attempts are counted in the store, for all servers together.
const (
	registerWindow   = time.Hour
	registersPerHour = 60 // attempts, because each costs a hash
	verifyWindow     = time.Hour
	verifiesPerHour  = 100
	codeBytes        = 24
)

// VerificationValid is the time for which the code of a verification mail is valid.
const VerificationValid = 24 * time.Hour

// Registration is the input of a registration.
type Registration struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	Username  string `json:"username"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	// ReferralCode is empty without a referral.
	ReferralCode string `json:"referralCode"`
}

// CheckRegistration returns the invalid fields of a registration as an error.
func (s *Service) CheckRegistration(r Registration) error {
	return s.hasher.faults(r.Password, r.Email).Err()
}

// Register stores a new account and mails the code that confirms its address. Secret identifies the registering browser
// when it confirms the address.
func (s *Service) Register(ctx context.Context, by Caller, r Registration) (user messages.User, secret string, err error) {
	if err := s.CheckRegistration(r); err != nil {
		return user, "", err
	}
	wait, err := s.Throttle.Take(ctx, "register address "+by.Network, max(registersPerHour, s.settings.RegistrationIPLimit), registerWindow)
	if err != nil {
		return user, "", messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return user, "", fault.Refuse(fault.AddressLimit, "Too many accounts were registered from this network address. Try again later.")
	}
	if err := s.limitMail(ctx, by.mail(messages.MailRegistration, r.Email)); err != nil {
		return user, "", err
	}
	hash, err := s.hasher.hash(ctx, r.Password)
	if err != nil {
		return user, "", err
	}
	stored := messages.Registration{User: s.newUser(by, r, hash), AddressLimit: s.settings.RegistrationIPLimit}
	if stored.Verification, stored.Mail, err = s.verificationMail(by, stored.User); err != nil {
		return user, "", err
	}
	if stored.Referred, err = referredBy(s.Random, s.NewID, r.ReferralCode); err != nil {
		return user, "", err
	}
	if stored.Browser, err = drawSecret(s.Random, codeBytes); err != nil {
		return user, "", err
	}
	if err := s.Accounts.Register(ctx, stored); err != nil {
		return user, "", messages.Unavailable(ctx, "register", err)
	}
	if _, err := s.verificationTo(stored.User.Email).Take(ctx, s.Throttle); err != nil { // this mail starts the cooldown
		return user, "", messages.Unreachable("The store", err)
	}
	return stored.User, stored.Browser, nil
}

// verificationTo returns the verification mail to an address, to be counted for the address only.
func (s *Service) verificationTo(email string) messages.ChosenMail {
	return messages.ChosenMail{Kind: messages.MailVerification, Recipient: email, Cooldown: s.settings.EmailVerificationLimit}
}

func (s *Service) newUser(by Caller, r Registration, hash string) messages.User {
	email := strings.TrimSpace(r.Email)
	username := strings.TrimSpace(r.Username)
	if username == "" {
		username, _, _ = strings.Cut(email, "@")
	}
	return messages.User{
		ID: captable.ID[organization.User](s.NewID()), Entity: captable.ID[captable.Entity](s.NewID()), Email: email, Username: username,
		FirstName: strings.TrimSpace(r.FirstName), LastName: strings.TrimSpace(r.LastName),
		PasswordHash: hash, AcceptedTermsAt: by.At, CreatedAt: by.At, RegisteredIP: by.Network,
	}
}

// verificationMail returns a new code and the mail that carries it. The mail does not contain the
// chosen name: the address may belong to another person, and the name could carry a message to them.
func (s *Service) verificationMail(by Caller, user messages.User) (messages.Verification, messages.Mail, error) {
	code, err := drawSecret(s.Random, codeBytes)
	if err != nil {
		return messages.Verification{}, messages.Mail{}, err
	}
	mail, err := s.Letters.Verification(by.At, user.Email, code)
	return messages.Verification{Code: code, SentAt: by.At, ExpiresAt: by.At.Add(VerificationValid)}, mail, err
}

// referredBy returns the referral of a registration; nil without a code. It draws the cards here; they
// are credited after the newcomer confirms their address.
func referredBy(random io.Reader, newID func() [16]byte, text string) (*messages.Referred, error) {
	code, ok := referral.ParseCode(text)
	if !ok { // by the contract, the code is empty
		return nil, nil //nolint:nilnil // nil means no referral
	}
	newcomer, err := credit.DrawCard(random, newID(), credit.CardSignup)
	if err != nil {
		return nil, err
	}
	referrer, err := credit.DrawCard(random, newID(), credit.CardReferral)
	return &messages.Referred{Code: code, ForNewcomer: newcomer, ForReferrer: referrer}, err
}

// Confirmed is the result of [Service.Confirm].
type Confirmed struct {
	User messages.User
	// TakenOver reports that credentials that another person had chosen were revoked. Entry then permits a session in which
	// to choose a password, and is nil if the account is disabled.
	TakenOver bool
	Entry     *Entry
}

// Confirm confirms an address by the code that was mailed to it. Attempts are counted by network. Memberships that
// wait for the address are claimed. Browser is the secret of the registering browser, or empty. With takeOver, another
// browser revokes the earlier credentials.
func (s *Service) Confirm(ctx context.Context, by Caller, code, browser string, takeOver bool) (Confirmed, error) {
	if err := s.limit(ctx, "verify address "+by.Network, verifiesPerHour, verifyWindow); err != nil {
		return Confirmed{}, err
	}
	user, taken, err := s.Accounts.ConfirmRegistration(ctx, messages.Confirmation{
		Code: strings.TrimSpace(code), Browser: browser, TakeOver: takeOver, At: by.At,
	})
	if err != nil {
		return Confirmed{}, messages.Unavailable(ctx, "verify email", err)
	}
	if taken && user.DisabledAt.IsZero() {
		entry, err := s.enter(ctx, by, user, true)
		return Confirmed{user, true, &entry}, err
	}
	s.claim(ctx, by, user)
	return Confirmed{user, taken, nil}, nil
}

// SendVerification mails another code to the address, or to the caller's address if it is empty. The result is the same
// for known and unknown addresses. The cooldown is counted by address before the account is looked up.
func (s *Service) SendVerification(ctx context.Context, by Caller, email string) error {
	user, email, err := s.findUnverified(ctx, by, strings.TrimSpace(email))
	if err != nil {
		return err
	}
	if err := s.limitMail(ctx, by.mail(messages.MailVerification, "")); err != nil {
		return err
	}
	wait, err := s.verificationTo(email).Take(ctx, s.Throttle)
	if err != nil {
		return messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return fault.Refuse(fault.RecentVerification, "A verification mail was sent recently. Wait before you request another one.")
	}
	if user.ID.IsZero() || !user.EmailVerifiedAt.IsZero() {
		return nil
	}
	verification, mail, err := s.verificationMail(by, user)
	if err != nil {
		return err
	}
	err = s.Accounts.RenewVerification(ctx, user.ID, verification, mail)
	return messages.Unavailable(ctx, "send verification", err)
}

// findUnverified returns the account of the address, or the caller's if the address is empty. The account is
// zero if it does not exist.
func (s *Service) findUnverified(ctx context.Context, by Caller, email string) (user messages.User, address string, err error) {
	if email == "" && by.User.IsZero() {
		return user, "", fault.InvalidField("/email", "required", "Enter an e-mail address, or sign in first.")
	}
	if email == "" {
		user, err = s.Accounts.ByID(ctx, by.User)
	} else {
		user, err = s.Accounts.ByEmail(ctx, email)
	}
	if fault.Is(err, fault.UserNotFound) {
		return messages.User{}, email, nil
	}
	if email == "" {
		email = user.Email
	}
	return user, email, messages.Unavailable(ctx, "find account", err)
}
