package messages

import (
	"time"

	"equity/captable"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

// Referred is what comes with a registration by somebody's code.
type Referred struct {
	Code referral.Code
	// ForNewcomer and ForReferrer are the cards that both get when the newcomer's address is confirmed. The store fills in whose the
	// latter is.
	ForNewcomer, ForReferrer credit.Card
}

// Referral is somebody who came by an entity's code.
type Referral struct {
	FirstName string
	At        time.Time
	// Joined says that they confirmed their e-mail address.
	Joined bool
}

// CompanyID names a company that somebody told about.
type CompanyID = captable.ID[Company]

// Company is a company that somebody told about, and the card that this earned.
type Company struct {
	ID           CompanyID
	Entity       captable.EntityID
	Name         string
	Website      string
	ContactEmail string
	Note         string
	// Site tells one company from another.
	Site string
	Card credit.Card
	At   time.Time
}

// InvitationID names an invitation.
type InvitationID = captable.ID[Invitation]

// Invitation is a mail by which a user invites somebody to register. Sending it again does not make another.
type Invitation struct {
	ID    InvitationID
	User  organization.UserID
	Email string
	// Message is the user's own, and may be empty.
	Message string
	SentAt  time.Time
	// Times is how often it was sent.
	Times int
	// Registered and Joined say that somebody with the address registered by the user's code, and confirmed it. Whoever
	// registered without it is not told of.
	Registered, Joined bool
}

// Waitlist is how many people wait for their turn.
type Waitlist struct {
	Total, LastWeek int
	// Position is a user's place, the first being 1; 0 without a user.
	Position int
}
