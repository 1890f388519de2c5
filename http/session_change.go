package http

import (
	"context"
	"net/http"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// sessionChanges begins and ends the sessions of callers, and with them their access to the services of the rooms.
type sessionChanges struct {
	sessions Sessions
	rooms    []api.Room
}

// changeSession applies the answer's change of the session.
func (s sessionChanges) changeSession(x *exchange, user organization.UserID, change api.SessionChange) error {
	if change.SignOut || !change.SignIn.User.IsZero() { // a frame of another server must not show the account of another user
		for _, room := range s.rooms {
			for _, cookie := range room.EndedCookies {
				http.SetCookie(x.w, cookie)
			}
		}
	}
	if change.EndOthers {
		if err := s.sessions.RevokeUser(x.r.Context(), change.SignIn.User); err != nil {
			return err
		}
		if err := s.ended(x.r.Context(), change.SignIn.User); err != nil {
			return err
		}
	}
	switch {
	case !change.SignIn.User.IsZero():
		session, err := s.sessions.Create(x.w, x.r, change.SignIn)
		if err == nil && change.StillValid != nil {
			err = change.StillValid(x.r.Context(), session.Handle)
		}
		return err
	case change.SignOut:
		return s.signOut(x, user)
	case !change.SecondFactorAt.IsZero():
		return s.sessions.NoteSecondFactor(x.w, x.r, change.SecondFactorAt)
	}
	return nil
}

// signOut ends the session of the request. With the last session of the user, their access to the services of the rooms ends.
func (s sessionChanges) signOut(x *exchange, user organization.UserID) error {
	if err := s.sessions.Destroy(x.w, x.r); err != nil || user.IsZero() {
		return err
	}
	if left, err := s.sessions.List(x.r.Context(), user); err != nil || len(left) > 0 {
		return err
	}
	return s.ended(x.r.Context(), user)
}

// ended informs the rooms that all sessions of the user have ended.
func (s sessionChanges) ended(ctx context.Context, user organization.UserID) error {
	for _, room := range s.rooms {
		if room.SessionsEnded == nil {
			continue
		}
		if err := room.SessionsEnded(messages.WithoutChanges(ctx), user); err != nil {
			return err
		}
	}
	return nil
}
