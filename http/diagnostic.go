package http

import (
	"context"
	"strings"

	"equity/captable"
	"equity/organization"
)

// FeatureDiagnostic switches the diagnostic operation on. It is for development and tests.
const FeatureDiagnostic = "diagnostic"

// sessionCookie is the name of the session's cookie, which the interface fixes.
const sessionCookie = "connect.sid"

// shownHandle is how much of a session's handle is shown: enough to tell two sessions apart.
const shownHandle = 8

// diagnostic is what a developer wants to know when signing in does not work.
type diagnostic struct {
	HasSession      bool                 `json:"hasSession"`
	HasUser         bool                 `json:"hasUser"`
	UserID          *organization.UserID `json:"userId"`
	SessionIDPrefix string               `json:"sessionIdPrefix"`
	HasCookie       bool                 `json:"hasConnectSidCookie"`
	CookieSecure    bool                 `json:"cookieSecure"`
	CookieMaxAge    int64                `json:"cookieMaxAge"`
	Timestamp       captable.Instant     `json:"timestamp"`
}

// diagnose tells about the caller's session. The prefix is of the handle by which its owner knows the session, which
// opens nothing, rather than of what is in the cookie.
func (s *Server) diagnose(ctx context.Context, c *Call) (Answer, error) {
	found := diagnostic{
		HasSession: !c.Caller.User.IsZero(), CookieSecure: s.settings.Secure,
		CookieMaxAge: s.settings.SessionMaxAge.Milliseconds(), Timestamp: captable.InstantOf(c.At),
		SessionIDPrefix: c.Caller.Session[:min(len(c.Caller.Session), shownHandle)],
		HasCookie:       hasCookie(c.Header("Cookie"), sessionCookie),
	}
	if found.HasSession {
		account, err := s.accounts.ByID(ctx, c.Caller.User)
		if err != nil && !isUnknownUser(err) {
			return Answer{}, unavailable(doing(ctx, "find account", err))
		}
		if err == nil {
			found.HasUser, found.UserID = true, &account.ID
		}
	}
	return Answer{Record: found, Private: true}, nil
}

// hasCookie reports whether the browser sent a cookie, whatever it is worth.
func hasCookie(header, name string) bool {
	for pair := range strings.SplitSeq(header, ";") {
		given, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if given == name {
			return true
		}
	}
	return false
}
