package captable

import (
	"time"

	"equity/captable/exact"
)

// MemberKind and HolderRef name a holder in a command: by its membership of the
// organization or by its entity; exactly one of the two.
type (
	// MemberKind is the phantom type of member ids.
	MemberKind struct{}
	// MemberID names an entity's membership of the organization.
	MemberID = ID[MemberKind]
	// HolderRef is how a command names a holder.
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

// Register knows the holders of the organization.
type Register interface {
	// Holder finds the holder that the reference names.
	Holder(ref HolderRef) (Holder, bool)
}

// Moment is everything a decision needs from outside: the rules themselves have
// no clock and no randomness.
type Moment struct {
	// Now is when the command was received.
	Now time.Time
	// NewID gives a fresh UUID each time it is called.
	NewID func() [16]byte
	// Register knows the holders.
	Register Register
	// Currency is the organization's own, ISO 4217.
	Currency string
}

// eastmost is the time zone where a day begins first.
const eastmost = 14 * time.Hour

// Latest is the last date that a record may have: today, somewhere on Earth. What
// lies in the future has not happened and is refused, so that the table of now is
// the table of everything recorded.
func (m Moment) Latest() Date { return exact.DateOf(m.Now.UTC().Add(eastmost)) }

// today is the day of the command.
func (m Moment) today() Date { return exact.DateOf(m.Now.UTC()) }

// checkDate notes a date that is missing or lies in the future.
func (m Moment) checkDate(faults *Faults, pointer string, date Date) {
	switch {
	case date.IsZero():
		faults.Add(pointer, "required", "A date is required.")
	case date > m.Latest():
		faults.Add(pointer, "dateInFuture", "The date lies in the future.")
	}
}
