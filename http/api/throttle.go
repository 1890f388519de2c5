package api

import (
	"context"
	"time"

	"equity/fault"
)

// Throttle returns an error if the caller exceeds the rate limit.
func (s *Kernel) Throttle(ctx context.Context, subject string, limit int, window time.Duration) error {
	wait, err := s.throttle.Take(ctx, subject, limit, window)
	if err != nil {
		return Unavailable(err)
	}
	if wait > 0 {
		return &fault.FailureError{Refusal: fault.Refuse(fault.TooManyAttempts, "Too many attempts. Try again later."), RetryAfter: wait}
	}
	return nil
}
