package http

import (
	"context"
	"strings"

	"equity/captable"
	"equity/organization"
)

// FeatureDiagnostic enables the diagnostic operation, which is for development and tests.
const FeatureDiagnostic = "diagnostic"

// sessionCookie is the name of the session cookie. The public interface fixes it.
const sessionCookie = "connect.sid"

// shownHandle is the number of characters shown of a session's handle, enough to distinguish two
// sessions.
const shownHandle = 8

// diagnostic is the information for debugging a sign-in.
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

// diagnose returns data about the caller's session. The prefix comes from the public handle, which
// grants no access, not from the cookie.
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

// hasCookie reports whether the request has a cookie of this name, valid or not.
func hasCookie(header, name string) bool {
	for pair := range strings.SplitSeq(header, ";") {
		given, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if given == name {
			return true
		}
	}
	return false
}
