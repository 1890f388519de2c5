package messages

import (
	"time"

	"equity/organization"
)

// SignIn is what a session is started for.
type SignIn struct {
	// User is who signed in, and SiteAdmin whether they administered the site when they did.
	User      organization.UserID
	SiteAdmin bool
	// MustChangePassword says that a temporary password was used, and that the session is good for changing it only.
	MustChangePassword bool
	// Address and Agent tell the owner later which session it is: where from, and by which program. At most 45 and 300
	// bytes are kept.
	Address, Agent string
}

// Session is somebody signed in.
type Session struct {
	SignIn
	// Handle names the session to its owner: 32 hex digits that lead neither to the store's identifier nor to the cookie.
	Handle string
	// CreatedAt is when they signed in; the absolute age counts from it.
	CreatedAt time.Time
	// Token is the cookie's value. It is as good as a password: it is never logged.
	Token string
	// VerifiedAt is set when the store of the sessions did not answer: the moment of its last confirmation. Such a session
	// is good for reading only. It is zero for a session that the store has just confirmed.
	VerifiedAt time.Time
}

// ListedSession is a session as its owner sees it among others. It has no token.
type ListedSession struct {
	SignIn
	Handle    string
	CreatedAt time.Time
	// SeenAt is when the session was last used, to the minute or so.
	SeenAt time.Time
}
