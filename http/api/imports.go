package api

import (
	"cmp"
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

// newImports returns the queue of imports. An import that finds no free slot on arrival is refused. It lends its slot while its body arrives,
// and waits for another one afterwards. An organization leaves a slot to others, and a caller has one import in all organizations.
func newImports(parallel int) importQueue {
	return importQueue{admission.New(admission.Settings{
		Parallel: parallel, PerGroup: max(parallel-1, 1), PerCaller: importsPerCaller, Patient: true, Returning: true,
		Open: admission.Bounds{Caller: importsPerCaller},
	})}
}

// lend returns the request with a body that is received without the slot, so that a slow sender holds none.
func lend(ctx context.Context, ticket *admission.Ticket, r *Request) *Request {
	lent := *r
	lent.Receive = func(read func() error) error {
		return r.receive(func() error {
			return admission.WaitWithoutSlot(admission.NewContext(ctx, ticket), read)
		})
	}
	return &lent
}

// enter takes a slot for an import of the caller. The error is a refusal with 429.
func (q importQueue) enter(ctx context.Context, c *Call) (*admission.Ticket, error) {
	user := c.Caller.User.String()
	ticket, err := q.slots.Enter(ctx, admission.Flow{Group: cmp.Or(c.Path("organization"), user), Caller: user})
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
