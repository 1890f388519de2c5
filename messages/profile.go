package messages

import (
	"time"

	"equity/captable"
	"equity/people/profile"
)

// Profile is the profile of an entity. Its Version is zero until it is first edited.
type Profile struct {
	Entity      captable.EntityID
	Particulars profile.Particulars
	// Version counts the changes.
	Version   uint64
	UpdatedAt time.Time
}

// UserQuery selects accounts for a site administrator.
type UserQuery struct {
	// Text is a part of the address or of a name, in any case. Empty matches all accounts.
	Text string
	// After is the id of the last account of the previous page. Pages are in order of creation.
	After [16]byte
	Limit int
}

// Statistics are counts for the whole server.
type Statistics struct {
	Users, Verified, LastWeek, Disabled, SiteAdmins, Organizations int
	// BlockedAddresses and BlockedDomains are refused at registration.
	BlockedAddresses, BlockedDomains int
}

// Blocked is an address or a domain that is refused at registration.
type Blocked struct {
	// Entry is in canonical form: an address if it contains an @, otherwise a domain that includes its subdomains.
	Entry string
	Since time.Time
}

// BlockedQuery selects a page of the blocklist in the order of the entries.
type BlockedQuery struct {
	// Text is a part of the entry, in any case. Empty matches all entries.
	Text string
	// After is the last entry of the previous page; empty for the first page.
	After string
	Limit int
}

// WithAccount completes the profile with the name and the address of the account, which may be zero.
func (p Profile) WithAccount(account User) Profile {
	if account.ID.IsZero() {
		return p
	}
	if p.Particulars.FullName == "" {
		p.Particulars.FullName = account.FullName()
	}
	if p.Particulars.Email == "" {
		p.Particulars.Email = account.Email
	}
	return p
}
