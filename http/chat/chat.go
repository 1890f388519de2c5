// Package chat serves the operations of team chat: sessions at the chat server, and the mappings that its gateway reads.
package chat

import (
	"context"
	"net/http"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Provisioner creates the objects of organizations and users at the chat server. Its errors are refusals for the caller.
type Provisioner interface {
	// Open provisions the chat for a member of the organization.
	Open(ctx context.Context, view *messages.View, user organization.UserID) (messages.ChatSession, error)
	// Sync adds missing members to the team and removes others. It returns the number of members that should be in the team and are.
	Sync(ctx context.Context, view *messages.View) (int, error)
	// CheckToken reports whether the chat server accepts the stored token of the user.
	CheckToken(ctx context.Context, user organization.UserID) (messages.ChatTokenState, error)
}

// Users finds the users of accounts at the chat server.
type Users interface {
	// EndToken ends the present access token of the user, soon and durably.
	EndToken(ctx context.Context, user organization.UserID) error
	// UserOf returns the user with the account, or false.
	UserOf(ctx context.Context, chatUser string) (organization.UserID, bool, error)
}

// Teams finds the organizations of teams at the chat server.
type Teams interface {
	// OrganizationOf returns the organization with the team, or false.
	OrganizationOf(ctx context.Context, team string) (organization.ID, bool, error)
}

// Services are the dependencies of the package.
type Services struct {
	// Provisioner is nil if team chat is not configured.
	Provisioner Provisioner
	Users       Users
	Teams       Teams
	// BaseURL is the address of the chat server.
	BaseURL string
	// CookieDomain is the parent domain of this server and the chat server; empty for no cookies.
	CookieDomain string
	Now          func() time.Time
}

// chats has the operations of the package.
type chats struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := chats{kernel, services}
	return map[string]api.Handler{
		"openChatSession": s.open, "getChatConfig": s.config, "checkChatToken": s.check, "syncChat": s.sync,
		"getChatTeam": s.team, "getChatUser": s.user,
	}
}

// session is the JSON form of a session.
type session struct {
	Token    string `json:"token"`
	BaseURL  string `json:"baseUrl"`
	TeamName string `json:"teamName"`
	ChatUser string `json:"chatUserId"`
}

// open checks the membership before the configuration, as the interface requires.
func (s chats) open(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Organization organization.ID `json:"organizationId"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	view, err := s.View(ctx, given.Organization)
	switch {
	case fault.Is(err, fault.NotFound):
		return api.Answer{}, api.NotMember()
	case err != nil:
		return api.Answer{}, err
	}
	if _, ok := view.State.MemberBy(c.Caller.User); !ok {
		return api.Answer{}, api.NotMember()
	}
	if !view.State.MayChat(c.Caller.User) {
		return api.Answer{}, api.Forbidden()
	}
	if s.Provisioner == nil {
		return api.Answer{}, messages.ErrChatNotConfigured
	}
	opened, err := s.Provisioner.Open(ctx, view, c.Caller.User)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{
		Record: session{opened.Token, opened.BaseURL, opened.TeamName, opened.ChatUser}, Private: true,
		Cookies: SessionCookies(s.CookieDomain, opened, s.Now()),
	}, nil
}

func (s chats) config(context.Context, *api.Call) (api.Answer, error) {
	var shown struct {
		Enabled bool    `json:"enabled"`
		BaseURL *string `json:"baseUrl"`
	}
	if s.Provisioner != nil {
		shown.Enabled, shown.BaseURL = true, &s.BaseURL
	}
	return api.Answer{Record: shown, Private: true}, nil
}

func (s chats) check(ctx context.Context, c *api.Call) (api.Answer, error) {
	state := messages.ChatTokenNone
	if s.Provisioner != nil {
		var err error
		if state, err = s.Provisioner.CheckToken(ctx, c.Caller.User); err != nil {
			return api.Answer{}, api.Unavailable(api.Wrap(ctx, "check chat token", err))
		}
	}
	var shown struct {
		Valid  bool                    `json:"valid"`
		Reason messages.ChatTokenState `json:"reason,omitempty"`
	}
	shown.Valid = state == messages.ChatTokenValid
	if state == messages.ChatTokenNone || state == messages.ChatTokenUnchecked {
		shown.Reason = state
	}
	return api.Answer{Record: shown, Private: true}, nil
}

func (s chats) sync(ctx context.Context, c *api.Call) (api.Answer, error) {
	if s.Provisioner == nil {
		return api.Answer{}, messages.ErrChatNotConfigured
	}
	synced, err := s.Provisioner.Sync(ctx, c.View)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: struct {
		Synced int `json:"synced"`
	}{synced}}, nil
}

func (s chats) team(ctx context.Context, c *api.Call) (api.Answer, error) {
	id, found, err := s.Teams.OrganizationOf(ctx, c.Path("teamId"))
	switch {
	case err != nil:
		return api.Answer{}, lookupFailed(err)
	case !found:
		return api.Answer{}, api.NotFound()
	}
	return s.Digested(c, 0, struct {
		Organization organization.ID `json:"organizationId"`
	}{id})
}

func (s chats) user(ctx context.Context, c *api.Call) (api.Answer, error) {
	id, found, err := s.Users.UserOf(ctx, c.Path("chatUserId"))
	if err != nil {
		return api.Answer{}, lookupFailed(err)
	}
	var shown struct {
		User *captable.ID[organization.User] `json:"userId"`
	}
	if found {
		shown.User = &id
	}
	return s.Digested(c, 0, shown)
}

// lookupFailed returns the refusal with status 500 that the interface requires.
func lookupFailed(err error) error {
	return &fault.FailureError{Refusal: messages.ErrChatLookup, Cause: err}
}

// The cookies of the chat server. The server accepts an access token as the value of its session cookie. The cookie with its CSRF token is
// never set: the server checks such a token only if it is sent.
const (
	tokenCookie = "MMAUTHTOKEN"
	userCookie  = "MMUSERID"
)

// SessionCookies returns the cookies of a session for the frame of the chat, if a domain is set.
func SessionCookies(domain string, opened messages.ChatSession, now time.Time) []*http.Cookie {
	return cookies(domain, opened.Token, opened.ChatUser, max(int(opened.ExpiresAt.Sub(now).Seconds()), 1))
}

// ExpiredCookies returns the cookies that end the session of the frame, if a domain is set.
func ExpiredCookies(domain string) []*http.Cookie { return cookies(domain, "", "", -1) }

func cookies(domain, token, user string, maxAge int) []*http.Cookie {
	if domain == "" {
		return nil
	}
	cookie := func(name, value string, httpOnly bool) *http.Cookie {
		return &http.Cookie{ //nolint:gosec // scripts of the chat server read the id of the user
			Name: name, Value: value, Domain: domain, Path: "/", MaxAge: maxAge, HttpOnly: httpOnly, Secure: true,
			SameSite: http.SameSiteLaxMode,
		}
	}
	return []*http.Cookie{cookie(tokenCookie, token, true), cookie(userCookie, user, false)}
}
