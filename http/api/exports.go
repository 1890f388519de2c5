package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"equity/fault"
	"equity/http/admission"
)

// Bounds of exports. They count exports that wait, are made, or are being sent.
const (
	exportsOfCaller       = 4
	exportsOfOrganization = 8
	exportsAtOnce         = 64 // in total
	exportPatience        = 10 * time.Second
	exportBuffer          = 64 << 10
)

// newExports returns the queue of the files that are made: each takes a processor for up to seconds, and memory. An
// export that is being sent lends its slot, so that a slow reader does not delay other exports.
func newExports(parallel int) *admission.Queue {
	parallel = max(parallel, 1)
	return admission.New(admission.Settings{
		Parallel: parallel, PerGroup: parallel, PerCaller: parallel, Wait: exportPatience, Patient: true, Returning: true,
		Open: admission.Bounds{All: exportsAtOnce, Group: exportsOfOrganization, Caller: exportsOfCaller},
	})
}

// exportQueue bounds the files that are made at the same time.
type exportQueue struct{ slots *admission.Queue }

// isExport reports whether the call returns a file.
func (c *Call) isExport() bool {
	format := c.query["format"]
	return c.Operation.onlyFiles || format != "" && format != "json" && c.Operation.choosesFormat()
}

// exportFlow returns the share that an export counts for: the organization and the caller, or the caller alone.
func (c *Call) exportFlow() admission.Flow {
	user := c.Caller.User.String()
	if c.Organization.IsZero() {
		return admission.Flow{Group: user, Caller: user}
	}
	return admission.Flow{Group: c.Organization.String(), Caller: user}
}

// run carries out the handler of an export with a slot. The answer returns the ticket when it is released. The error
// is a refusal with 429 if the bounds do not allow another export, or if no slot was free in time.
func (q exportQueue) run(ctx context.Context, c *Call, handler Handler) (Answer, error) {
	ticket, err := q.enter(ctx, c)
	if err != nil {
		ticket.Leave()
		return Answer{}, err
	}
	kept := false
	defer func() {
		if ticket.Release(); !kept { // refused, failed or panicked
			ticket.Leave()
		}
	}()
	answer, err := handler(ctx, c)
	if err != nil {
		return answer, err
	}
	kept = true
	if stream := answer.Stream; stream != nil {
		answer.Stream = func(w io.Writer) error { return streamExport(ctx, ticket, w, stream) }
	}
	answer.release = ticket.Leave
	return answer, nil
}

// enter waits for a slot. The request holds no other slot meanwhile. The ticket may be set beside an error.
func (q exportQueue) enter(ctx context.Context, c *Call) (ticket *admission.Ticket, err error) {
	err = admission.WaitWithoutSlot(ctx, func() error {
		ticket, err = q.slots.Enter(ctx, c.exportFlow())
		if _, refused := errors.AsType[*admission.RefusalError](err); refused {
			return &fault.FailureError{
				Refusal:    fault.Refuse(fault.TooManyExports, "Too many files are being made at the moment. Try again later."),
				RetryAfter: exportPatience,
			}
		}
		return err
	})
	return ticket, err
}

// streamExport makes the file with a slot, and sends each full buffer without one.
func streamExport(ctx context.Context, ticket *admission.Ticket, w io.Writer, write func(io.Writer) error) error {
	if err := ticket.Resume(ctx); err != nil {
		return err
	}
	defer ticket.Release()
	out := bufio.NewWriterSize(lendingWriter{ctx, ticket, w}, exportBuffer)
	return errors.Join(write(out), out.Flush())
}

// lendingWriter lends the slot of an export during each write.
type lendingWriter struct {
	ctx    context.Context //nolint:containedctx // an io.Writer has no other way to it
	ticket *admission.Ticket
	w      io.Writer
}

// Write sends the bytes, and waits for a slot to go on.
func (l lendingWriter) Write(bytes []byte) (int, error) {
	l.ticket.Release()
	n, err := l.w.Write(bytes)
	return n, errors.Join(err, l.ticket.Resume(l.ctx))
}
