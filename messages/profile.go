package messages

import (
	"time"

	"equity/captable"
	"equity/people/profile"
)

// Profile is what an entity says of itself. An entity that never said anything has the zero Version.
type Profile struct {
	Entity      captable.EntityID
	Particulars profile.Particulars
	// Version counts the changes.
	Version   uint64
	UpdatedAt time.Time
}

// UserQuery is what a site administrator looks for among the accounts.
type UserQuery struct {
	// Text is part of the address or of a name, in any case; empty for everybody.
	Text string
	// After is the id behind which the page begins, in order of age.
	After [16]byte
	Limit int
}

// Statistics are figures about the whole server.
type Statistics struct {
	Users, Verified, LastWeek, SiteAdmins, Organizations int
}
