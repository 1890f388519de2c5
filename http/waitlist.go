package http

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

// Waitlist counts registrations.
type Waitlist interface {
	// Waitlist returns the total and the user's position; no position for the zero user.
	Waitlist(ctx context.Context, user organization.UserID, now time.Time) (messages.Waitlist, error)
}

func (s *Server) getWaitlistStats(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.beside.Waitlist.Waitlist(ctx, c.Caller.User, c.At)
	return Answer{Private: true, Record: struct {
		Total           int `json:"total"`
		JoinedLast7Days int `json:"joinedLast7Days"`
		Position        int `json:"position,omitempty"`
	}{found.Total, found.LastWeek, found.Position}}, unavailable(doing(ctx, "count waitlist", err))
}
