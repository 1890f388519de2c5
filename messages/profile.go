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
	Users, Verified, LastWeek, Disabled, SiteAdmins, Organizations int
	// BlockedAddresses and BlockedDomains may not register.
	BlockedAddresses, BlockedDomains int
}

// Blocked is an address or a domain with which nobody registers.
type Blocked struct {
	// Entry is in its canonical form. It is an address where it has an @, else a domain, which stands for all below it.
	Entry string
	Since time.Time
}

// BlockedQuery asks for a page of the blocklist, in the order of the entries.
type BlockedQuery struct {
	// Text is part of the entry, in any case; empty for all.
	Text string
	// After is the entry behind which the page begins; empty for the first.
	After string
	Limit int
}
