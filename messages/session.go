package messages

import (
	"time"

	"equity/organization"
)

// SignIn contains the properties of a new session.
type SignIn struct {
	// User is the signed-in user. SiteAdmin reports whether the user was a site administrator at that time.
	User      organization.UserID
	SiteAdmin bool
	// MustChangePassword reports that a temporary password was used. The session is then valid only for changing it.
	MustChangePassword bool
	// Address and Agent are the network address and the user agent, by which the owner recognizes the session. At most 45 and
	// 300 bytes are stored.
	Address, Agent string
	// SecondFactorAt is the time at which the session received its last second factor; zero without one.
	SecondFactorAt time.Time
}

// Session is an active session.
type Session struct {
	SignIn
	// Handle identifies the session to its owner: 32 hex digits from which neither the stored identifier nor the cookie can be derived.
	Handle string
	// CreatedAt is the time of the sign-in. The absolute age is counted from it.
	CreatedAt time.Time
	// Token is the value of the cookie. It grants access like a password and must not be logged.
	Token string
	// VerifiedAt is the time of the last successful verification if the session store did not answer. Such a session is valid
	// for reads only. It is zero for a session that the store has just verified.
	VerifiedAt time.Time
}

// ListedSession is a session in the list of its owner. It has no token.
type ListedSession struct {
	SignIn
	Handle    string
	CreatedAt time.Time
	// SeenAt is the time of the last use, accurate to about a minute.
	SeenAt time.Time
}
