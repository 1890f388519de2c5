package http

import (
	"context"
	"net/http"
	"time"

	"equity/messages"
	"equity/organization"
)

// Sessions stores the sessions of signed-in users.
type Sessions interface {
	presentSessions
	// List returns the user's sessions, most recently used first.
	List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error)
	// End ends the user's session with the handle. It returns false if the session does not exist.
	End(ctx context.Context, user organization.UserID, handle string) (bool, error)
	// RevokeUser ends all sessions of the user.
	RevokeUser(ctx context.Context, user organization.UserID) error
}

// presentSessions are the operations with the session of a request.
type presentSessions interface {
	// Load returns the session of the request and extends it; false without a valid session. While the
	// store is unavailable, it returns a recently verified session with VerifiedAt set, or an error.
	Load(r *http.Request) (messages.Session, bool, error)
	// Refresh sets the session cookie again.
	Refresh(w http.ResponseWriter, session messages.Session)
	// Create ends the session of the request, if any, and returns a new one.
	Create(w http.ResponseWriter, r *http.Request, signIn messages.SignIn) (messages.Session, error)
	// Destroy ends the session of the request and removes the cookie.
	Destroy(w http.ResponseWriter, r *http.Request) error
	// NoteSecondFactor records the time of a second factor in the session of the request.
	NoteSecondFactor(w http.ResponseWriter, r *http.Request, at time.Time) error
}
