package people

import (
	"context"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Waitlist counts registrations.
type Waitlist interface {
	// Waitlist returns the total and the user's position; no position for the zero user.
	Waitlist(ctx context.Context, user organization.UserID, now time.Time) (messages.Waitlist, error)
}

func (s referrals) getWaitlistStats(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Waitlist.Waitlist(ctx, c.Caller.User, c.At)
	return api.Answer{Private: true, Record: struct {
		Total           int `json:"total"`
		JoinedLast7Days int `json:"joinedLast7Days"`
		Position        int `json:"position,omitempty"`
	}{found.Total, found.LastWeek, found.Position}}, api.Unavailable(api.Wrap(ctx, "count waitlist", err))
}
