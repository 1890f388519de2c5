package http

import (
	"errors"
	"net/http"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// withOutcome runs an operation and makes its error state the outcome: `unavailable` only when nothing can have been
// stored, `outcomeUnknown` when something was stored, or may have been. The stores note their changes in the request's
// context, so the answer does not depend on which of several steps failed.
func (s *Server) withOutcome(x *exchange, op *api.Operation, run func() error) error {
	var changes *messages.Changes
	if !op.Reads() {
		ctx, noted := messages.WithChanges(x.r.Context())
		x.r, changes = x.r.WithContext(ctx), noted
	}
	err := run()
	refusal, refused := errors.AsType[*fault.Error](err)
	if !refused || refusal.Code != fault.Unavailable && refusal.Code != fault.OutcomeUnknown {
		return err
	}
	switch {
	case changes != nil && (changes.Any() || errors.Is(err, messages.ErrOutcomeUnknown)):
		return &fault.FailureError{Refusal: unknownOutcome(x, op), Cause: err, MayNotRepeat: !repeatable(x, op)}
	case refusal.Code == fault.OutcomeUnknown:
		return &fault.FailureError{Refusal: messages.RefuseUnavailable("The store"), Cause: err}
	}
	return err
}

// repeatable reports whether the same request may be sent again without a second effect: it carries a key, or its method
// is idempotent.
func repeatable(x *exchange, op *api.Operation) bool {
	return op.Method != http.MethodPost || op.Takes("Idempotency-Key") && x.r.Header.Get("Idempotency-Key") != ""
}

// unknownOutcome returns the error that explains how the caller can proceed.
func unknownOutcome(x *exchange, op *api.Operation) *fault.Error {
	switch {
	case op.Method != http.MethodPost:
		return fault.Refuse(fault.OutcomeUnknown, "It is not known whether the change was stored. The same request is safe.")
	case repeatable(x, op):
		return messages.ErrOutcomeUnknown
	default:
		return fault.Refuse(
			fault.OutcomeUnknown, "It is not known whether the change was stored. Read the record before you send the request again.",
		)
	}
}
