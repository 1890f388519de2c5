package http

import (
	"context"
	"errors"
	"io"
	"time"

	"equity/captable"
	"equity/http/admission"
)

// Bounds of imports that run at the same moment. Each may hold a file of the largest size in memory.
const (
	importsAtOnce    = 3
	importsPerCaller = 1
	importPause      = 5 * time.Second // advised by Retry-After
)

// newImports returns the queue of imports. An import without a free slot does not wait; it is refused at once.
func newImports() *admission.Queue {
	return admission.New(admission.Settings{Parallel: importsAtOnce, PerGroup: importsPerCaller, PerCaller: importsPerCaller})
}

// enterImport takes a slot for an import of the caller before its body is read. The error is a refusal with 429.
func (s *Server) enterImport(ctx context.Context, c *Call) (*admission.Ticket, error) {
	user := c.Caller.User.String()
	ticket, err := s.imports.Enter(ctx, admission.Flow{Group: user, Caller: user})
	if _, refused := errors.AsType[*admission.RefusalError](err); refused {
		return nil, &failure{
			refusal:    captable.Refuse(codeTooManyAttempts, "Other imports are running. Try again in a few seconds."),
			retryAfter: importPause,
		}
	}
	return ticket, err
}

// discard reads the body without keeping it. Otherwise a caller that is still sending sees a broken connection and no
// answer.
func (r *Request) discard() {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, fileLimit)) // a connection that fails here fails for the answer too
	}
}

// takesFiles reports whether the operation reads uploaded files.
func (o *operation) takesFiles() bool { return o.body != nil && o.body.limit > jsonLimit }
