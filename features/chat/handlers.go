package chat

import (
	"context"
	"net/http"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/features/chat/team"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Opener opens the chat at the chat server. Its errors are refusals for the caller. The [Provisioner] is one.
type Opener interface {
	// Open provisions the chat for a member of the organization.
	Open(ctx context.Context, view *messages.View, user organization.UserID) (Session, error)
	// Sync adds missing members to the team and removes others. It returns the number of members that should be in the team and are.
	Sync(ctx context.Context, view *messages.View) (int, error)
	// CheckToken reports whether the chat server accepts the stored token of the user.
	CheckToken(ctx context.Context, user organization.UserID) (TokenState, error)
}

// handlers has the operations of the room.
type handlers struct {
	*api.Kernel
	// opener is nil if team chat is not configured.
	opener   Opener
	settings settings
	accounts *Accounts
	teams    *Teams
	now      func() time.Time
}

// operations returns the handlers by operation id.
func (s handlers) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"openChatSession": s.open, "getChatConfig": s.config, "checkChatToken": s.check, "syncChat": s.sync,
		"getChatTeam": s.team, "getChatUser": s.user,
	}
}

// statuses maps the codes of the refusals of the room.
func statuses() map[fault.Code]int {
	return map[fault.Code]int{
		ErrNotConfigured.Code:  http.StatusInternalServerError,
		ErrUnavailable.Code:    http.StatusInternalServerError,
		ErrAccountRefused.Code: http.StatusInternalServerError,
		ErrTeamFull.Code:       http.StatusInternalServerError,
		ErrLookup.Code:         http.StatusInternalServerError,
	}
}

// shownSession is the JSON form of a session.
type shownSession struct {
	Token    string `json:"token"`
	BaseURL  string `json:"baseUrl"`
	TeamName string `json:"teamName"`
	ChatUser string `json:"chatUserId"`
}

// open checks the membership before the configuration, as the interface requires.
func (s handlers) open(ctx context.Context, c *api.Call) (api.Answer, error) {
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
	if !team.MayChat(view.State, c.Caller.User) {
		return api.Answer{}, api.Forbidden()
	}
	if s.opener == nil {
		return api.Answer{}, ErrNotConfigured
	}
	opened, err := s.opener.Open(ctx, view, c.Caller.User)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{
		Record: shownSession{opened.Token, opened.BaseURL, opened.TeamName, opened.ChatUser}, Private: true,
		Cookies: sessionCookies(s.settings.cookieDomain, opened, s.now()),
	}, nil
}

func (s handlers) config(context.Context, *api.Call) (api.Answer, error) {
	var shown struct {
		Enabled bool    `json:"enabled"`
		BaseURL *string `json:"baseUrl"`
	}
	if s.opener != nil {
		shown.Enabled, shown.BaseURL = true, &s.settings.url
	}
	return api.Answer{Record: shown, Private: true}, nil
}

func (s handlers) check(ctx context.Context, c *api.Call) (api.Answer, error) {
	state := TokenNone
	if s.opener != nil {
		var err error
		if state, err = s.opener.CheckToken(ctx, c.Caller.User); err != nil {
			return api.Answer{}, api.Unavailable(api.Wrap(ctx, "check chat token", err))
		}
	}
	var shown struct {
		Valid  bool       `json:"valid"`
		Reason TokenState `json:"reason,omitempty"`
	}
	shown.Valid = state == TokenValid
	if state == TokenNone || state == TokenUnchecked {
		shown.Reason = state
	}
	return api.Answer{Record: shown, Private: true}, nil
}

func (s handlers) sync(ctx context.Context, c *api.Call) (api.Answer, error) {
	if s.opener == nil {
		return api.Answer{}, ErrNotConfigured
	}
	synced, err := s.opener.Sync(ctx, c.View)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: struct {
		Synced int `json:"synced"`
	}{synced}}, nil
}

func (s handlers) team(ctx context.Context, c *api.Call) (api.Answer, error) {
	id, found, err := s.teams.OrganizationOf(ctx, c.Path("teamId"))
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

func (s handlers) user(ctx context.Context, c *api.Call) (api.Answer, error) {
	id, found, err := s.accounts.UserOf(ctx, c.Path("chatUserId"))
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
	return &fault.FailureError{Refusal: ErrLookup, Cause: err}
}
