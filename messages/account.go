package messages

import (
	"time"

	"equity/captable"
	"equity/organization"
)

// User is somebody with an account.
type User struct {
	ID organization.UserID
	// Entity is what the user holds equity as. Every user has one of their own.
	Entity captable.EntityID
	// Email is as it was given; it is compared in its canonical form.
	Email     string
	Username  string
	FirstName string
	LastName  string
	// PasswordHash is opaque here; empty means that no password opens the account.
	PasswordHash string
	// EmailVerifiedAt is the zero moment until the address is confirmed.
	EmailVerifiedAt time.Time
	// ProvenAt is when a reader of the account's mail was known to have chosen its credentials; the zero moment while
	// somebody else may have chosen them.
	ProvenAt time.Time
	// MustChangePassword is set by the use of a temporary password, until another is chosen.
	MustChangePassword bool
	// TwoFactorAt is when a second factor was asked for from then on; the zero moment while none is.
	TwoFactorAt time.Time
	// AcceptedTermsAt is the zero moment when the terms were not accepted.
	AcceptedTermsAt time.Time
	// DisabledAt is when a site administrator shut the account; the zero moment while it is open.
	DisabledAt   time.Time
	SiteAdmin    bool
	RegisteredIP string
	CreatedAt    time.Time
}

// Verification is a code sent to an address to confirm that its owner reads it. It works once.
type Verification struct {
	// Code is what the mail carries; the store keeps its SHA-256 only.
	Code      string
	SentAt    time.Time
	ExpiresAt time.Time
}

// Confirmation is an attempt to confirm an address by the code that was sent to it.
type Confirmation struct {
	// Email may be empty.
	Email, Code string
	// Browser is the cookie that the request has from a registration; empty for none.
	Browser string
	// TakeOver ends credentials that another browser chose.
	TakeOver bool
	At       time.Time
}

// TakeOver gives an account with unproven credentials to its address's owner.
type TakeOver struct {
	User     organization.UserID
	Identity Identity
	// The names replace those of an account whose address nobody verified.
	FirstName, LastName, Username string
	At                            time.Time
}

// TemporaryPassword is sent to who forgot theirs. It works once.
type TemporaryPassword struct {
	// Password is what the mail carries; the store keeps its SHA-256 only.
	Password  string
	SentAt    time.Time
	ExpiresAt time.Time
}

// TwoFactor is what stands behind an account's second factor.
type TwoFactor struct {
	// Seed is what the codes are made from; it is never shown again once it is in use.
	Seed []byte
	// Sealed is the seed as it is stored, by which it is told from one that was proposed later.
	Sealed []byte
	// Enabled is false while the seed is a proposal.
	Enabled bool
}

// Identity is who somebody is to an identity provider: the subject never changes and is never given to another.
type Identity struct {
	Issuer, Subject string
}

// Contact is somebody whom somebody else knows, as an identity provider tells it.
type Contact struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email"`
}

// Claims are what an identity provider says of somebody.
type Claims struct {
	Identity Identity
	// Email may be empty, and is worth nothing unless the provider verified it.
	Email         string
	EmailVerified bool
	// FirstName and LastName may be empty.
	FirstName, LastName string
	// Digest is the SHA-256 of what the provider signed, by which the token is known again; it is good until ExpiresAt.
	Digest    [32]byte
	ExpiresAt time.Time
}

// MagicLink is sent by mail and signs in who follows it, once.
type MagicLink struct {
	// Token is what the mail carries; the store keeps its SHA-256 only.
	Token     string
	ExpiresAt time.Time
}

// Registration is everything that happens when somebody registers: all of it, or nothing.
type Registration struct {
	User User
	// Verification is the code that confirms the address.
	Verification Verification
	// Mail carries the code.
	Mail Mail
	// Browser is the secret cookie of the browser that registers; the store keeps its SHA-256 only. Empty for none.
	Browser string
	// AddressLimit is how many accounts may come from one network address; 0 means any number.
	AddressLimit int
	// Referred is how somebody's code came with it; nil when none did.
	Referred *Referred
}

// Known is an entity that an organization knows.
type Known struct {
	Organization organization.ID
	Entity       captable.EntityID
}
