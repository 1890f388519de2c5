package account

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

func (s sessions) operations() map[string]api.Handler {
	return map[string]api.Handler{
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
func (s sessions) listSessions(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Sessions.List(ctx, c.Caller.User)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list sessions", err))
	}
	page, err := api.ListedByKey(c, found, latestSession, func(one messages.ListedSession) ownSession {
		return ownSession{
			one.Handle, one.Handle == c.Caller.Session, one.Address, one.Agent,
			captable.InstantOf(one.CreatedAt), captable.InstantOf(one.SeenAt),
		}
	})
	return api.Answer{Private: true, Record: page}, err
}

// latestSession is the key of a session in the list, the most recently used first.
func latestSession(_ int, one messages.ListedSession) string {
	return api.ReverseKey(api.TimeKey(one.SeenAt)+api.TimeKey(one.CreatedAt)) + one.Handle
}

// endSession ends one of the caller's sessions. Ending the present session signs out, which also
// removes its cookie.
func (s sessions) endSession(ctx context.Context, c *api.Call) (api.Answer, error) {
	named := c.Path("session")
	if named == c.Caller.Session {
		return signIn(s).logout(ctx, c)
	}
	ended, err := s.Sessions.End(ctx, c.Caller.User, named)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "end session", err))
	}
	if !ended {
		return api.Answer{}, api.NotFound()
	}
	return api.Answer{Status: http.StatusNoContent, Private: true}, nil
}

// endSessions ends all of the caller's sessions and replaces the present one.
func (s sessions) endSessions(ctx context.Context, c *api.Call) (api.Answer, error) {
	entry, err := s.Accounts.RenewSession(ctx, api.AccountCaller(c))
	answer, err := s.signedIn(ctx, c, entry, err)
	return api.Answer{Status: http.StatusNoContent, Private: true, Session: answer.Session}, err
}
