package account

import (
	"context"
	"time"

	"equity/fault"
	"equity/messages"
)

// limits refuses attempts beyond a rate limit.
type limits struct{ attempts Throttle }

// limit counts an attempt of the subject. It returns an error if the attempts exceed the rate limit.
func (l limits) limit(ctx context.Context, subject string, most int, window time.Duration) error {
	wait, err := l.attempts.Take(ctx, subject, most, window)
	if err != nil {
		return messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return &fault.FailureError{Refusal: fault.Refuse(fault.TooManyAttempts, "Too many attempts. Try again later."), RetryAfter: wait}
	}
	return nil
}

// forgive resets the attempts of the subjects.
func (l limits) forgive(ctx context.Context, subjects ...string) error {
	for _, subject := range subjects {
		if err := l.attempts.Forgive(ctx, subject); err != nil {
			return messages.Unreachable("The store", err)
		}
	}
	return nil
}
