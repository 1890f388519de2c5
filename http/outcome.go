package http

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"equity/captable"
	"equity/messages"
)

// withOutcome runs an operation and makes its error state the outcome: `unavailable` only when nothing can have been
// stored, `outcomeUnknown` when something was stored, or may have been. The stores note their changes in the request's
// context, so the answer does not depend on which of several steps failed.
func (s *Server) withOutcome(x *exchange, op *operation, run func() error) error {
	var changes *messages.Changes
	if !op.reads() {
		ctx, noted := messages.WithChanges(x.r.Context())
		x.r, changes = x.r.WithContext(ctx), noted
	}
	err := run()
	refusal, refused := errors.AsType[*captable.Error](err)
	if !refused || refusal.Code != codeUnavailable && refusal.Code != codeOutcomeUnknown {
		return err
	}
	switch {
	case changes != nil && (changes.Any() || errors.Is(err, messages.ErrOutcomeUnknown)):
		return &failure{refusal: unknownOutcome(x, op), cause: err, mayNotRepeat: !repeatable(x, op)}
	case refusal.Code == codeOutcomeUnknown:
		return &failure{refusal: refuseUnavailable("The store"), cause: err}
	}
	return err
}

// repeatable reports whether the same request may be sent again without a second effect: it carries a key, or its method
// is idempotent.
func repeatable(x *exchange, op *operation) bool {
	return op.method != http.MethodPost || op.takes("Idempotency-Key") && x.r.Header.Get("Idempotency-Key") != ""
}

// unknownOutcome returns the error that explains how the caller can proceed.
func unknownOutcome(x *exchange, op *operation) *captable.Error {
	switch {
	case op.method != http.MethodPost:
		return captable.Refuse(codeOutcomeUnknown, "It is not known whether the change was stored. The same request is safe.")
	case repeatable(x, op):
		return messages.ErrOutcomeUnknown
	default:
		return captable.Refuse(codeOutcomeUnknown, "It is not known whether the change was stored. Read the record before you send the request again.")
	}
}

// staleness collects the time since which the views of a request may be outdated.
type staleness struct{ oldest atomic.Int64 } // Unix microseconds; 0 if all views are current

type stalenessKey struct{}

// withStaleness returns a context in which reads of views are noted.
func withStaleness(ctx context.Context) (context.Context, *staleness) {
	if found, ok := ctx.Value(stalenessKey{}).(*staleness); ok { // a nested operation
		return ctx, found
	}
	made := &staleness{}
	return context.WithValue(ctx, stalenessKey{}, made), made
}

// noteStaleness notes a view that a request reads.
func noteStaleness(ctx context.Context, view *messages.View) {
	noted, ok := ctx.Value(stalenessKey{}).(*staleness)
	if view == nil || view.StaleSince.IsZero() || !ok {
		return
	}
	since := view.StaleSince.UnixMicro()
	for {
		oldest := noted.oldest.Load()
		if oldest != 0 && oldest <= since || noted.oldest.CompareAndSwap(oldest, since) {
			return
		}
	}
}

// header sets Age: the seconds since the answer was last known to be current (RFC 9111). A current answer has no Age header.
func (n *staleness) header(w http.ResponseWriter, now time.Time) {
	if since := n.oldest.Load(); since != 0 {
		age := max(now.Sub(time.UnixMicro(since)), 0)
		w.Header().Set("Age", strconv.FormatInt(int64(age/time.Second), 10))
	}
}
