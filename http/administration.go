package http

import (
	"context"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Administration is what a site administrator looks at. No organization's affairs are among it.
type Administration interface {
	// Search gives accounts, oldest first.
	Search(ctx context.Context, query messages.UserQuery) ([]messages.User, error)
	Statistics(ctx context.Context, now time.Time) (messages.Statistics, error)
}

func (s *Server) administrationHandlers() map[string]Handler {
	return map[string]Handler{
		"testAdmin":     s.testAdmin,
		"searchUsers":   s.searchUsers,
		"getStatistics": s.getStatistics,
	}
}

func (s *Server) testAdmin(_ context.Context, c *Call) (Answer, error) {
	return s.digested(c, 0, struct {
		IsAdmin bool `json:"isAdmin"`
	}{true})
}

// foundUser is an account as a site administrator sees it.
type foundUser struct {
	ID            organization.UserID `json:"id"`
	Email         string              `json:"email"`
	FirstName     string              `json:"firstName"`
	LastName      string              `json:"lastName"`
	EmailVerified bool                `json:"emailVerified"`
	SiteAdmin     bool                `json:"siteAdmin"`
	CreatedAt     captable.Instant    `json:"createdAt"`
}

func showFoundUser(u messages.User) foundUser {
	return foundUser{u.ID, u.Email, u.FirstName, u.LastName, !u.EmailVerifiedAt.IsZero(), u.SiteAdmin, captable.InstantOf(u.CreatedAt)}
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

func (s *Server) getStatistics(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.beside.Administration.Statistics(ctx, c.At)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "count", err))
	}
	return s.digested(c, 0, struct {
		Users              int `json:"users"`
		VerifiedUsers      int `json:"verifiedUsers"`
		UsersLast7Days     int `json:"usersLast7Days"`
		SiteAdministrators int `json:"siteAdministrators"`
		Organizations      int `json:"organizations"`
	}{found.Users, found.Verified, found.LastWeek, found.SiteAdmins, found.Organizations})
}
