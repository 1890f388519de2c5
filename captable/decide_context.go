package captable

import (
	"time"

	"equity/captable/exact"
	"equity/fault"
)

// MemberKind and HolderRef reference a holder in a command by exactly one of its membership and
// its entity.
type (
	// MemberKind is the phantom type of member ids.
	MemberKind struct{}
	// MemberID identifies the membership of an entity in the organization.
	MemberID = ID[MemberKind]
	// HolderRef references a holder in a command.
	HolderRef struct {
		Member MemberID `json:"member,omitzero"`
		Entity EntityID `json:"entity,omitzero"`
	}
)

// Holder is an entity that may hold equity of the organization.
type Holder struct {
	Entity EntityID
	Member MemberID
	// Name is printed on certificates.
	Name string
}

// Register resolves references to holders of the organization.
type Register interface {
	// Holder returns the referenced holder.
	Holder(ref HolderRef) (Holder, bool)
}

// DecideContext holds the external inputs of a decision. The rules themselves use no clock and no
// randomness.
type DecideContext struct {
	// Now is the time at which the command was received.
	Now time.Time
	// NewID returns a new UUID on each call.
	NewID func() [16]byte
	// Register resolves the holders.
	Register Register
	// Currency is the organization's own currency as an ISO 4217 code.
	Currency string
}

// eastmost is the UTC offset of the time zone in which a day begins first.
const eastmost = 14 * time.Hour

// Latest returns the last valid date of a record: the current date in the easternmost time zone.
// Future dates are refused, so that the present cap table includes every recorded event. See ruling 7.
func (m DecideContext) Latest() Date { return exact.DateOf(m.Now.UTC().Add(eastmost)) }

// today returns the date of the command in UTC.
func (m DecideContext) today() Date { return exact.DateOf(m.Now.UTC()) }

// checkDate adds a fault for a date that is missing or in the future.
func (m DecideContext) checkDate(faults *fault.Fields, pointer string, date Date) {
	switch {
	case date.IsZero():
		faults.Add(pointer, "required", "A date is required.")
	case date > m.Latest():
		faults.Add(pointer, "dateInFuture", "The date must not be in the future.")
	}
}
