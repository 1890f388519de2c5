package drive

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"equity/actors/consumer"
)

// The limits of the attempts of a call: truncated exponential back-off.
const (
	mostTries    = 6
	longestPause = 64 * time.Second
	// resumeAfter is the time after which an interrupted run continues.
	resumeAfter = 10 * time.Minute
	// reserve is the time of a round that is kept for its end.
	reserve = 10 * time.Second
)

// errAgain reports that the time of the round is over. The run continues in the next one.
var errAgain = errors.New("the run continues in the next round")

// errCancelled reports that the run was cancelled.
var errCancelled = errors.New("the run was cancelled")

// laterError reports that the run continues at the time.
type laterError struct{ at time.Time }

// Error describes the failure.
func (*laterError) Error() string { return "the run continues later" }

// interruptedError reports that a call was refused too often.
type interruptedError struct{ cause error }

// Error describes the failure.
func (e *interruptedError) Error() string { return e.cause.Error() }

// Unwrap returns the last refusal.
func (e *interruptedError) Unwrap() error { return e.cause }

// runError reports that the run cannot succeed, with the code for its user.
type runError struct{ code string }

// Error returns the code.
func (e *runError) Error() string { return e.code }

// isTemporary reports whether a repetition of the call can succeed.
func isTemporary(err error) bool {
	if refusal, is := errors.AsType[*StatusError](err); is {
		return refusal.Status >= http.StatusInternalServerError
	}
	for _, final := range []error{ErrReconnect, ErrNotFound, ErrPageToken, ErrExportTooLarge, ErrUnauthorized} {
		if errors.Is(err, final) {
			return false
		}
	}
	return true
}

// backOff returns the time until the next attempt after so many refusals: 1 s·2ⁿ and up to a second, at most 64 s.
func backOff(tries int) time.Duration {
	return min(time.Second<<(tries-1)+rand.N(time.Second), longestPause) //nolint:gosec // only spreads calls
}

// over reports whether the rest of the round is too short for the duration.
func over(ctx context.Context, d time.Duration) bool {
	deadline, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && time.Until(deadline) < d+reserve
}

// call makes a call with the token of the connection. Temporary failures are repeated with increasing pauses; the number of tries is a
// part of the progress, so that a restart does not begin anew.
func (r *runner) call(ctx context.Context, do func(Token) error) error {
	for {
		err := r.use(ctx, do)
		tries := &r.run.Progress.Tries
		switch {
		case err == nil:
			*tries = 0
			r.advanced = true
			return nil
		case ctx.Err() != nil:
			return r.expired()
		case !isTemporary(err):
			*tries = 0
			return err
		}
		if *tries++; *tries >= mostTries {
			*tries = 0
			return &interruptedError{err}
		}
		if err := r.pause(ctx, *tries, err); err != nil {
			return err
		}
	}
}

// expired returns the error of a call that the end of the round interrupted. If the round had no effect, a repetition cannot succeed
// either.
func (r *runner) expired() error {
	if r.advanced {
		return errAgain
	}
	return context.DeadlineExceeded
}

// pause waits until the next attempt, or ends the round if that is too far ahead.
func (r *runner) pause(ctx context.Context, tries int, cause error) error {
	wait := backOff(tries)
	if refusal, is := errors.AsType[*RateError](cause); is && !refusal.After.IsZero() {
		wait = max(wait, refusal.After.Sub(r.Now()))
	}
	if errors.Is(cause, consumer.ErrOpen) {
		wait = max(wait, longestPause/2) //nolint:mnd // the breaker of the host is open
	}
	if over(ctx, wait) {
		return &laterError{r.Now().Add(wait)}
	}
	if err := r.Pause(ctx, wait); err != nil {
		return errAgain
	}
	return nil
}
