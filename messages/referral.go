package messages

import (
	"time"

	"equity/captable"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

// Referred is the referral part of a registration.
type Referred struct {
	Code referral.Code
	// ForNewcomer and ForReferrer are the reward cards for both sides, issued when the newcomer's address is confirmed. The store
	// sets the owner of the latter.
	ForNewcomer, ForReferrer credit.Card
}

// Referral is a user who registered with an entity's referral code.
type Referral struct {
	FirstName string
	At        time.Time
	// Joined reports that the user has confirmed the e-mail address.
	Joined bool
}

// CompanyID identifies a company.
type CompanyID = captable.ID[Company]

// Company is information about a company, submitted by a user, and the reward card for it.
type Company struct {
	ID           CompanyID
	Entity       captable.EntityID
	Name         string
	Website      string
	ContactEmail string
	Note         string
	// Site identifies the company.
	Site string
	Card credit.Card
	At   time.Time
}

// InvitationID identifies an invitation.
type InvitationID = captable.ID[Invitation]

// Invitation is a mailed invitation to register. Sending it again does not create another one.
type Invitation struct {
	ID    InvitationID
	User  organization.UserID
	Email string
	// Message is the user's own text. It may be empty.
	Message string
	SentAt  time.Time
	// Times counts how often the invitation was sent.
	Times int
	// Registered and Joined report that the address was registered with the inviting user's code, and was confirmed. A
	// registration without the code is not reported.
	Registered, Joined bool
}

// Waitlist is the size of the waiting list and one user's position.
type Waitlist struct {
	Total, LastWeek int
	// Position is the position of a user, starting at 1; 0 without a user.
	Position int
}
