package messages

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"equity/captable"
	"equity/organization"
)

// User is a person with an account.
type User struct {
	ID organization.UserID
	// Entity is the holder of the user's equity. Each user has one.
	Entity captable.EntityID
	// Email has its original spelling. Compare addresses by their canonical form.
	Email     string
	Username  string
	FirstName string
	LastName  string
	// PasswordHash is opaque here. Empty means that the account has no password.
	PasswordHash string
	// EmailVerifiedAt is zero until the address is confirmed.
	EmailVerifiedAt time.Time
	// ProvenAt is the time at which a reader of the account's mail was known to have chosen its credentials. It is zero
	// while another person may have chosen them.
	ProvenAt time.Time
	// MustChangePassword is set by the use of a temporary password until a new password is chosen.
	MustChangePassword bool
	// TwoFactorAt is the time at which two-factor authentication was enabled. It is zero while it is disabled.
	TwoFactorAt time.Time
	// AcceptedTermsAt is zero if the terms were not accepted.
	AcceptedTermsAt time.Time
	// DisabledAt is the time at which a site administrator disabled the account. It is zero while the account is enabled.
	DisabledAt   time.Time
	SiteAdmin    bool
	RegisteredIP string
	CreatedAt    time.Time
}

// Verification is a code mailed to an address to confirm that its owner reads it. It works once.
type Verification struct {
	// Code is sent in the mail. The store keeps only its SHA-256.
	Code      string
	SentAt    time.Time
	ExpiresAt time.Time
}

// Confirmation is an attempt to confirm an address with the mailed code.
type Confirmation struct {
	// Email may be empty.
	Email, Code string
	// Browser is the cookie that a registration set in the browser, or empty.
	Browser string
	// TakeOver invalidates credentials that were chosen in another browser.
	TakeOver bool
	At       time.Time
}

// Proof is what a confirmation proves about the credentials of an account.
type Proof int

const (
	// Unproven means that nothing is known about them, or that they were proven before.
	Unproven Proof = iota
	// ProvenByBrowser means that the confirming browser chose them at the registration.
	ProvenByBrowser
	// TakenOver means that they were revoked, because another person may have chosen them.
	TakenOver
)

// TakeOver assigns an account with unproven credentials to the owner of its address.
type TakeOver struct {
	User     organization.UserID
	Identity Identity
	// The names replace those of an account with an unverified address.
	FirstName, LastName, Username string
	At                            time.Time
}

// TemporaryPassword is mailed to a user with a forgotten password. It works once.
type TemporaryPassword struct {
	// Password is sent in the mail. The store keeps only its SHA-256.
	Password  string
	SentAt    time.Time
	ExpiresAt time.Time
}

// TwoFactor is the stored second factor of an account.
type TwoFactor struct {
	// Seed generates the codes. It is not shown again once it is enabled.
	Seed []byte
	// Sealed is the encrypted seed as stored. It distinguishes the seed from later proposals.
	Sealed []byte
	// Enabled is false while the seed is only proposed.
	Enabled bool
}

// Identity identifies a user at an identity provider. A subject never changes and is never reassigned.
type Identity struct {
	Issuer, Subject string
}

// Contact is a contact of a user, as reported by an identity provider.
type Contact struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email"`
}

// Claims are the verified claims of an ID token.
type Claims struct {
	Identity Identity
	// Email may be empty. It must be ignored unless EmailVerified is true.
	Email         string
	EmailVerified bool
	// FirstName and LastName may be empty.
	FirstName, LastName string
	// Digest is the SHA-256 of the signed token. It detects repeated use of the token until ExpiresAt.
	Digest    [32]byte
	ExpiresAt time.Time
}

// MagicLink is a mailed link that signs its recipient in, once.
type MagicLink struct {
	// Token is sent in the mail. The store keeps only its SHA-256.
	Token     string
	ExpiresAt time.Time
}

// Registration contains all changes of a registration. They are stored in one transaction.
type Registration struct {
	User User
	// Verification contains the code that confirms the address.
	Verification Verification
	// Mail contains the code.
	Mail Mail
	// Browser is the secret cookie of the registering browser, or empty. The store keeps only its SHA-256.
	Browser string
	// AddressLimit is the maximum number of accounts from one network address; 0 means unlimited.
	AddressLimit int
	// Referred describes the referral code of the registration, or is nil.
	Referred *Referred
}

// KnownEntity pairs an organization with an entity that it has a record of.
type KnownEntity struct {
	Organization organization.ID
	Entity       captable.EntityID
}

// FullName returns the first and the last name.
func (u User) FullName() string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }

// CanonicalEmail returns the form in which addresses are compared: trimmed, composed (NFC) and lower-cased. Addresses
// with the same canonical form belong to the same account.
func CanonicalEmail(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}
