package api

import (
	"context"
	"time"

	"equity/fault"
	"equity/messages"
)

// attempts limits the attempts of callers across all servers.
type attempts struct{ throttle Throttle }

// Throttle returns an error if the caller exceeds the rate limit.
func (a attempts) Throttle(ctx context.Context, subject string, limit int, window time.Duration) error {
	wait, err := a.throttle.Take(ctx, subject, limit, window)
	return refuseAttempt(wait, err)
}

// ThrottleMail returns an error if a mail to a chosen address exceeds one of its limits.
func (a attempts) ThrottleMail(ctx context.Context, mail messages.ChosenMail) error {
	wait, err := mail.Take(ctx, a.throttle)
	return refuseAttempt(wait, err)
}

// refuseAttempt returns the error of an attempt that must wait.
func refuseAttempt(wait time.Duration, err error) error {
	if err != nil {
		return Unavailable(err)
	}
	if wait > 0 {
		return &fault.FailureError{Refusal: fault.Refuse(fault.TooManyAttempts, "Too many attempts. Try again later."), RetryAfter: wait}
	}
	return nil
}
