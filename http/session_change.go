package http

import (
	"context"
	"net/http"

	"equity/http/api"
	"equity/http/chat"
	"equity/messages"
	"equity/organization"
)

// sessionChanges begins and ends the sessions of callers, and with them their access to the chat server.
type sessionChanges struct {
	sessions   Sessions
	chatUsers  chat.Users // nil without accounts of team chat
	chatDomain string     // of the cookies of the chat server
}

// changeSession applies the answer's change of the session.
func (s sessionChanges) changeSession(x *exchange, user organization.UserID, change api.SessionChange) error {
	if change.SignOut || !change.SignIn.User.IsZero() { // the frame of the chat must not show the account of another user
		for _, cookie := range chat.ExpiredCookies(s.chatDomain) {
			http.SetCookie(x.w, cookie)
		}
	}
	if change.EndOthers {
		if err := s.sessions.RevokeUser(x.r.Context(), change.SignIn.User); err != nil {
			return err
		}
		if err := s.endChat(x.r.Context(), change.SignIn.User); err != nil {
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

// signOut ends the session of the request. With the last session of the user, the access token for the chat server ends.
func (s sessionChanges) signOut(x *exchange, user organization.UserID) error {
	if err := s.sessions.Destroy(x.w, x.r); err != nil || user.IsZero() {
		return err
	}
	if left, err := s.sessions.List(x.r.Context(), user); err != nil || len(left) > 0 {
		return err
	}
	return s.endChat(x.r.Context(), user)
}

// endChat ends the access token of the user for the chat server.
func (s sessionChanges) endChat(ctx context.Context, user organization.UserID) error {
	if s.chatUsers == nil {
		return nil
	}
	return s.chatUsers.EndToken(messages.WithoutChanges(ctx), user)
}
