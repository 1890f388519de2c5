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
	// Invitation is the token of a mail that invites the address to an organization; empty without one.
	Invitation string `json:"invitation"`
}

// CheckRegistration returns the invalid fields of a registration as an error.
func (s *Service) CheckRegistration(r Registration) error {
	return s.hasher.faults(r.Password, r.Email).Err()
}

// Registered is the result of [Service.Register].
type Registered struct {
	User messages.User
	// Browser is the secret of the registering browser when it confirms the address; empty if the address is verified.
	Browser string
	// Entry permits a session if the address is verified; nil otherwise.
	Entry *Entry
}

// Register stores a new account and mails the code that confirms its address. The token of an invitation proves that the caller
// reads the mails to the invited address, so such an account needs no code and begins a session.
func (s *Service) Register(ctx context.Context, by Caller, r Registration) (Registered, error) {
	if err := s.CheckRegistration(r); err != nil {
		return Registered{}, err
	}
	wait, err := s.Throttle.Take(ctx, "register address "+by.Network, max(registersPerHour, s.settings.RegistrationIPLimit), registerWindow)
	if err != nil {
		return Registered{}, messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return Registered{}, fault.Refuse(
			fault.AddressLimit, "Too many accounts were registered from this network address. Try again later.",
		)
	}
	if r.Invitation != "" {
		return s.registerInvited(ctx, by, r)
	}
	if err := s.limitMail(ctx, by.mail(messages.MailRegistration, r.Email)); err != nil {
		return Registered{}, err
	}
	stored, err := s.registration(ctx, by, r)
	if err != nil {
		return Registered{}, err
	}
	if stored.Verification, stored.Mail, err = s.verificationMail(by, stored.User); err != nil {
		return Registered{}, err
	}
	if stored.Browser, err = drawSecret(s.Random, codeBytes); err != nil {
		return Registered{}, err
	}
	if err := s.Accounts.Register(ctx, stored); err != nil {
		return Registered{}, messages.Unavailable(ctx, "register", err)
	}
	if _, err := s.settings.verificationTo(stored.User.Email).Take(ctx, s.Throttle); err != nil { // this mail starts the cooldown
		return Registered{}, messages.Unreachable("The store", err)
	}
	return Registered{User: stored.User, Browser: stored.Browser}, nil
}

// registerInvited stores an account of the invited address, which is verified by the token.
func (s *Service) registerInvited(ctx context.Context, by Caller, r Registration) (Registered, error) {
	invited, err := s.Memberships.Invites(ctx, r.Invitation, r.Email, by.Network, by.At)
	if err != nil {
		return Registered{}, err
	}
	if !invited {
		return Registered{}, fault.InvalidField("/email", "notInvited", "Enter the address to which the invitation was sent.")
	}
	stored, err := s.registration(ctx, by, r)
	if err != nil {
		return Registered{}, err
	}
	stored.User.EmailVerifiedAt, stored.User.ProvenAt = by.At, by.At
	if err := s.Accounts.Register(ctx, stored); err != nil {
		return Registered{}, messages.Unavailable(ctx, "register", err)
	}
	entry, err := s.enter(ctx, by, stored.User, false)
	return Registered{User: stored.User, Entry: &entry}, err
}

// registration returns the new account without a verification of its address.
func (s *Service) registration(ctx context.Context, by Caller, r Registration) (messages.Registration, error) {
	hash, err := s.hasher.hash(ctx, r.Password)
	if err != nil {
		return messages.Registration{}, err
	}
	referred, err := referredBy(s.Random, s.NewID, r.ReferralCode)
	return messages.Registration{User: by.newUser(s.NewID, r, hash), AddressLimit: s.settings.RegistrationIPLimit, Referred: referred}, err
}

// verificationTo returns the verification mail to an address, to be counted for the address only.
func (s Settings) verificationTo(email string) messages.ChosenMail {
	return messages.ChosenMail{Kind: messages.MailVerification, Recipient: email, Cooldown: s.EmailVerificationLimit}
}

// newUser returns a new account of the registration by the caller.
func (by Caller) newUser(newID func() [16]byte, r Registration, hash string) messages.User {
	email := strings.TrimSpace(r.Email)
	username := strings.TrimSpace(r.Username)
	if username == "" {
		username, _, _ = strings.Cut(email, "@")
	}
	return messages.User{
		ID: captable.ID[organization.User](newID()), Entity: captable.ID[captable.Entity](newID()), Email: email, Username: username,
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
	// TakenOver reports that credentials that another person had chosen were revoked.
	TakenOver bool
	// Entry permits a session of the registering browser, or one in which to choose a password. It is nil in another browser, and if
	// the account is disabled.
	Entry *Entry
}

// Confirm confirms an address by the code that was mailed to it. Attempts are counted by network. Memberships that
// wait for the address are claimed. Browser is the secret of the registering browser, or empty. With takeOver, another
// browser revokes the earlier credentials.
func (s *Service) Confirm(ctx context.Context, by Caller, code, browser string, takeOver bool) (Confirmed, error) {
	if err := s.limit(ctx, "verify address "+by.Network, verifiesPerHour, verifyWindow); err != nil {
		return Confirmed{}, err
	}
	user, proof, err := s.Accounts.ConfirmRegistration(ctx, messages.Confirmation{
		Code: strings.TrimSpace(code), Browser: browser, TakeOver: takeOver, At: by.At,
	})
	if err != nil {
		return Confirmed{}, messages.Unavailable(ctx, "verify email", err)
	}
	taken := proof == messages.TakenOver
	if proof != messages.Unproven && user.DisabledAt.IsZero() {
		entry, err := s.enter(ctx, by, user, taken)
		return Confirmed{user, taken, &entry}, err
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
	wait, err := s.settings.verificationTo(email).Take(ctx, s.Throttle)
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
