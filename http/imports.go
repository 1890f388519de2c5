package http

import (
	"context"
	"errors"
	"io"
	"time"

	"equity/captable"
	"equity/http/admission"
)

// Bounds of imports that run at the same moment.
const (
	importsAtOnce    = 3 // by default
	importsPerCaller = 1
	importPause      = 5 * time.Second // advised by Retry-After
)

// newImports returns the queue of imports. An import without a free slot does not wait; it is refused at once.
func newImports(parallel int) *admission.Queue {
	return admission.New(admission.Settings{Parallel: parallel, PerGroup: importsPerCaller, PerCaller: importsPerCaller})
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

// discardUpload reads the rest of a refused upload, up to twice the largest one. A client that is still sending when the
// connection closes sees a broken connection and no answer. The request holds no slot meanwhile. A client that waits for
// the permission to send has sent nothing.
func (x *exchange) discardUpload(op *operation) {
	if !op.takesFiles() || x.r.ContentLength >= 0 && x.r.Header.Get("Expect") != "" {
		return
	}
	x.ticket.Leave()
	_, _ = io.Copy(io.Discard, io.LimitReader(x.r.Body, 2*op.body.limit)) // a connection that fails here fails for the answer too
}

// takesFiles reports whether the operation reads uploaded files.
func (o *operation) takesFiles() bool { return o.body != nil && o.body.uploads }
