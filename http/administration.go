package http

import (
	"context"
	"log/slog"
	"time"

	"equity/captable"
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
	// account does not exist, it returns a captable.Error with code userNotFound.
	Disable(ctx context.Context, id organization.UserID, at time.Time) error
}

func (s *Server) administrationHandlers() map[string]Handler {
	return map[string]Handler{
		"testAdmin":     s.testAdmin,
		"searchUsers":   s.searchUsers,
		"getStatistics": s.getStatistics,
		"disableUser":   s.disableUser,
		"enableUser":    s.enableUser,
	}
}

func (s *Server) testAdmin(_ context.Context, c *Call) (Answer, error) {
	return s.digested(c, 0, struct {
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
		u.ID, u.Email, u.FirstName, u.LastName, !u.EmailVerifiedAt.IsZero(), u.SiteAdmin, instant(u.DisabledAt), captable.InstantOf(u.CreatedAt),
	}
}

func (s *Server) searchUsers(ctx context.Context, c *Call) (Answer, error) {
	limit := c.Limit()
	found, err := s.beside.Administration.Search(ctx, messages.UserQuery{Text: c.Query("search"), After: c.After(), Limit: limit + 1})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "search users", err))
	}
	made := listed(found[:min(len(found), limit)], showFoundUser)
	if len(found) > limit {
		made.NextCursor = cursor{sequence: 1, after: found[limit-1].ID}.String()
	}
	return s.digested(c, 0, made)
}

// getStatistics counts accounts and organizations. It computes the figures for every request: requests
// are rare, and stored counts could become wrong.
func (s *Server) getStatistics(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.beside.Administration.Statistics(ctx, c.At)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "count accounts and organizations", err))
	}
	return s.digested(c, 0, struct {
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
func (s *Server) disableUser(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[organization.User](c, "user")
	if id == c.Caller.User {
		return Answer{}, captable.Refuse(captable.CodeConflict, "You cannot disable your own account.")
	}
	if err := s.disable(ctx, id, c.At); err != nil {
		return Answer{}, err
	}
	if err := s.sessions.RevokeUser(ctx, id); err != nil {
		return Answer{}, unavailable(doing(ctx, "end sessions", err))
	}
	return s.administeredUser(ctx, c, id)
}

func (s *Server) enableUser(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[organization.User](c, "user")
	if err := s.disable(ctx, id, time.Time{}); err != nil {
		return Answer{}, err
	}
	return s.administeredUser(ctx, c, id)
}

func (s *Server) disable(ctx context.Context, id organization.UserID, at time.Time) error {
	err := s.beside.Administration.Disable(ctx, id, at)
	if isUnknownUser(err) {
		return errNotFound()
	}
	return unavailable(doing(ctx, "disable user", err))
}

// administeredUser logs the change and returns the changed account.
func (s *Server) administeredUser(ctx context.Context, c *Call, id organization.UserID) (Answer, error) {
	s.administered(c, slog.String("user", id.String()))
	account, err := s.accounts.ByID(ctx, id)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	return Answer{Record: showFoundUser(account), Private: true}, nil
}

// errDisabled is returned only to callers who have proven that the account is theirs.
func errDisabled() error {
	return captable.Refuse(codeAuthentication, "A site administrator has disabled this account.")
}
