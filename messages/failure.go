package messages

import (
	"context"
	"errors"
	"fmt"

	"equity/fault"
)

// Unavailable converts the failure of a store during the operation into a temporary error. It returns
// nil and a [fault.Error] without a conversion, and the error of an ended request without a prefix.
func Unavailable(ctx context.Context, operation string, err error) error {
	return Unreachable("The store", Wrap(ctx, operation, err))
}

// Unreachable converts the failure of the named service into a temporary error. It returns a
// [fault.Error] without a conversion.
func Unreachable(service string, err error) error {
	var refusal *fault.Error
	if err == nil || errors.As(err, &refusal) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, ErrUnknownOutcome) {
		return &fault.FailureError{Refusal: ErrOutcomeUnknown, Cause: err}
	}
	return &fault.FailureError{Refusal: RefuseUnavailable(service), Cause: err}
}

// RefuseUnavailable returns the refusal while a service cannot be reached.
func RefuseUnavailable(service string) *fault.Error {
	return fault.Refuse(fault.Unavailable, service+" cannot be reached at the moment. Try again.")
}

// Wrap adds the operation to an error, unless the request has ended.
func Wrap(ctx context.Context, operation string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s: %w", operation, err)
}
