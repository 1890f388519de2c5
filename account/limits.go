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
	return refuseAttempt(wait)
}

// limitMail counts a mail to a chosen address. It returns an error if the mail exceeds a limit.
func (l limits) limitMail(ctx context.Context, mail messages.ChosenMail) error {
	wait, err := mail.Take(ctx, l.attempts)
	if err != nil {
		return messages.Unreachable("The store", err)
	}
	return refuseAttempt(wait)
}

// refuseAttempt returns the error of an attempt that must wait.
func refuseAttempt(wait time.Duration) error {
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
