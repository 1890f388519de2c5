package http

import (
	"context"
	"net/http"

	"equity/captable"
)

func (s *Server) sessionHandlers() map[string]Handler {
	return map[string]Handler{
		"listSessions": s.listSessions,
		"endSession":   s.endSession,
		"endSessions":  s.endSessions,
	}
}

// ownSession is the JSON form of a session for its owner.
type ownSession struct {
	ID        string           `json:"id"`
	Current   bool             `json:"current"`
	Address   string           `json:"address,omitempty"`
	Agent     string           `json:"agent,omitempty"`
	CreatedAt captable.Instant `json:"createdAt"`
	SeenAt    captable.Instant `json:"seenAt"`
}

// listSessions lists the caller's sessions and marks the present one.
func (s *Server) listSessions(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.sessions.List(ctx, c.Caller.User)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list sessions", err))
	}
	list := make([]ownSession, len(found))
	for i, one := range found {
		list[i] = ownSession{
			one.Handle, one.Handle == c.Caller.Session, one.Address, one.Agent,
			captable.InstantOf(one.CreatedAt), captable.InstantOf(one.SeenAt),
		}
	}
	return Answer{Private: true, Record: struct {
		Data []ownSession `json:"data"`
	}{list}}, nil
}

// endSession ends one of the caller's sessions. Ending the present session signs out, which also
// removes its cookie.
func (s *Server) endSession(ctx context.Context, c *Call) (Answer, error) {
	named := c.Path("session")
	if named == c.Caller.Session {
		return s.logout(ctx, c)
	}
	ended, err := s.sessions.End(ctx, c.Caller.User, named)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "end session", err))
	}
	if !ended {
		return Answer{}, errNotFound()
	}
	return Answer{Status: http.StatusNoContent, Private: true}, nil
}

// endSessions ends all of the caller's sessions and replaces the present one.
func (s *Server) endSessions(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.ownAccount(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	answer, err := s.signedIn(ctx, c, account, true)
	return Answer{Status: http.StatusNoContent, Private: true, Session: answer.Session}, err
}
