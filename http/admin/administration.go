package admin

import (
	"context"
	"log/slog"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Administration provides the operations of site administrators. It has no access to the data of
// organizations.
type Administration interface {
	// Search returns accounts, oldest first.
	Search(ctx context.Context, query messages.UserQuery) ([]messages.User, error)
	Statistics(ctx context.Context, now time.Time) (messages.Statistics, error)
	// Disable disables an account from the given time on. The zero time enables it again. If the
	// account does not exist, it returns a fault.Error with code userNotFound.
	Disable(ctx context.Context, id organization.UserID, at time.Time) error
}

func (s accounts) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"testAdmin":     s.testAdmin,
		"searchUsers":   s.searchUsers,
		"getStatistics": s.getStatistics,
		"disableUser":   s.disableUser,
		"enableUser":    s.enableUser,
	}
}

func (s accounts) testAdmin(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.Digested(c, 0, struct {
		IsAdmin bool `json:"isAdmin"`
	}{true})
}

// foundUser is the JSON form of an account for site administrators.
type foundUser struct {
	ID            organization.UserID `json:"id"`
	Email         string              `json:"email"`
	FirstName     string              `json:"firstName"`
	LastName      string              `json:"lastName"`
	EmailVerified bool                `json:"emailVerified"`
	SiteAdmin     bool                `json:"siteAdmin"`
	DisabledAt    *captable.Instant   `json:"disabledAt,omitempty"`
	CreatedAt     captable.Instant    `json:"createdAt"`
}

func showFoundUser(u messages.User) foundUser {
	return foundUser{
		u.ID, u.Email, u.FirstName, u.LastName, !u.EmailVerifiedAt.IsZero(), u.SiteAdmin, api.Instant(u.DisabledAt),
		captable.InstantOf(u.CreatedAt),
	}
}

func (s accounts) searchUsers(ctx context.Context, c *api.Call) (api.Answer, error) {
	limit := c.Limit()
	found, err := s.Administration.Search(ctx, messages.UserQuery{Text: c.Query("search"), After: c.After(), Limit: limit + 1})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "search users", err))
	}
	list := api.Listed(found[:min(len(found), limit)], showFoundUser)
	if len(found) > limit {
		list.NextCursor = api.Cursor{Sequence: 1, After: found[limit-1].ID}.String()
	}
	return s.Digested(c, 0, list)
}

// getStatistics counts accounts and organizations. It computes the figures for every request: requests
// are rare, and stored counts could become wrong.
func (s accounts) getStatistics(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Administration.Statistics(ctx, c.At)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "count accounts and organizations", err))
	}
	return s.Digested(c, 0, struct {
		Users              int `json:"users"`
		VerifiedUsers      int `json:"verifiedUsers"`
		UsersLast7Days     int `json:"usersLast7Days"`
		DisabledUsers      int `json:"disabledUsers"`
		SiteAdministrators int `json:"siteAdministrators"`
		Organizations      int `json:"organizations"`
		BlockedAddresses   int `json:"blockedAddresses"`
		BlockedDomains     int `json:"blockedDomains"`
	}{
		found.Users, found.Verified, found.LastWeek, found.Disabled, found.SiteAdmins, found.Organizations,
		found.BlockedAddresses, found.BlockedDomains,
	})
}

// disableUser disables an account and ends its sessions. Administrators cannot disable their own
// account, so that at least one remains.
func (s accounts) disableUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[organization.User](c, "user")
	if id == c.Caller.User {
		return api.Answer{}, fault.Refuse(fault.Conflict, "You cannot disable your own account.")
	}
	if err := s.disable(ctx, id, c.At); err != nil {
		return api.Answer{}, err
	}
	if err := s.Sessions.RevokeUser(ctx, id); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "end sessions", err))
	}
	return s.administeredUser(ctx, c, id)
}

func (s accounts) enableUser(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[organization.User](c, "user")
	if err := s.disable(ctx, id, time.Time{}); err != nil {
		return api.Answer{}, err
	}
	return s.administeredUser(ctx, c, id)
}

func (s accounts) disable(ctx context.Context, id organization.UserID, at time.Time) error {
	err := s.Administration.Disable(ctx, id, at)
	if api.IsUnknownUser(err) {
		return api.NotFound()
	}
	return api.Unavailable(api.Wrap(ctx, "disable user", err))
}

// administeredUser logs the change and returns the changed account.
func (s accounts) administeredUser(ctx context.Context, c *api.Call, id organization.UserID) (api.Answer, error) {
	s.administered(c, slog.String("user", id.String()))
	account, err := s.Accounts.ByID(ctx, id)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	return api.Answer{Record: showFoundUser(account), Private: true}, nil
}
