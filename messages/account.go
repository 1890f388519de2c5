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
	// AcceptedTermsAt is the zero moment when the terms were not accepted.
	AcceptedTermsAt time.Time
	SiteAdmin       bool
	RegisteredIP    string
	CreatedAt       time.Time
}

// Verification is a code sent to an address to confirm that its owner reads it. It works once.
type Verification struct {
	// Code is what the mail carries; the store keeps its SHA-256 only.
	Code      string
	SentAt    time.Time
	ExpiresAt time.Time
}

// Registration is everything that happens when somebody registers: all of it, or nothing.
type Registration struct {
	User User
	// Verification is the code that confirms the address.
	Verification Verification
	// Mail carries the code.
	Mail Mail
	// AddressLimit is how many accounts may come from one network address; 0 means any number.
	AddressLimit int
}
