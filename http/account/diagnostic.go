package account

import (
	"context"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/organization"
)

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
func (s diagnostics) diagnose(ctx context.Context, c *api.Call) (api.Answer, error) {
	found := diagnostic{
		HasSession: !c.Caller.User.IsZero(), CookieSecure: s.Settings.Secure,
		CookieMaxAge: s.Settings.SessionMaxAge.Milliseconds(), Timestamp: captable.InstantOf(c.At),
		SessionIDPrefix: c.Caller.Session[:min(len(c.Caller.Session), shownHandle)],
		HasCookie:       hasCookie(c.Header("Cookie"), sessionCookie),
	}
	if found.HasSession {
		account, err := s.Account(ctx, c)
		if err != nil && !fault.Is(err, fault.Unauthorized) {
			return api.Answer{}, err
		}
		if err == nil {
			found.HasUser, found.UserID = true, &account.ID
		}
	}
	return api.Answer{Record: found, Private: true}, nil
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

func (s diagnostics) operations() map[string]api.Handler {
	return map[string]api.Handler{"diagnose": s.diagnose}
}
