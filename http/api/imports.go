package api

import (
	"context"
	"errors"
	"time"

	"equity/fault"
	"equity/http/admission"
)

// Bounds of imports that run at the same moment.
const (
	ImportsAtOnce    = 3 // by default
	importsPerCaller = 1
	importPause      = 5 * time.Second // advised by Retry-After
)

// importQueue bounds the imports that run at the same time.
type importQueue struct{ slots *admission.Queue }

// newImports returns the queue of imports. An import without a free slot does not wait; it is refused at once.
func newImports(parallel int) importQueue {
	return importQueue{admission.New(admission.Settings{Parallel: parallel, PerGroup: importsPerCaller, PerCaller: importsPerCaller})}
}

// enter takes a slot for an import of the caller before its body is read. The error is a refusal with 429.
func (q importQueue) enter(ctx context.Context, c *Call) (*admission.Ticket, error) {
	user := c.Caller.User.String()
	ticket, err := q.slots.Enter(ctx, admission.Flow{Group: user, Caller: user})
	if _, refused := errors.AsType[*admission.RefusalError](err); refused {
		return nil, &fault.FailureError{
			Refusal:    fault.Refuse(fault.TooManyAttempts, "Other imports are running. Try again in a few seconds."),
			RetryAfter: importPause,
		}
	}
	return ticket, err
}

// TakesFiles reports whether the operation reads uploaded files.
func (o *Operation) TakesFiles() bool { return o.body != nil && o.body.uploads }
