package http

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"equity/captable"
)

// Bounds of exports. Those per caller and per organization include waiting exports and exports that
// are being sent.
const (
	exportsOfCaller       = 4
	exportsOfOrganization = 8
	exportsAtOnce         = 64 // in total, including those that are being sent
	exportPatience        = 10 * time.Second
	exportBuffer          = 64 << 10
)

// exports bounds concurrent file generation, because each file uses a processor for up to seconds, and
// memory. A file that is being sent to a slow reader holds no place.
type exports struct {
	places   chan struct{}
	patience time.Duration
	bounds   struct{ ofCaller, ofOrganization, all int }

	mutex   sync.Mutex
	all     int
	present map[[16]byte]int // by user and by organization
}

func newExports(parallel int) *exports {
	e := &exports{places: make(chan struct{}, max(parallel, 1)), patience: exportPatience, present: map[[16]byte]int{}}
	e.bounds.ofCaller, e.bounds.ofOrganization, e.bounds.all = exportsOfCaller, exportsOfOrganization, exportsAtOnce
	return e
}

// export is one file during generation and sending.
type export struct {
	all    *exports
	owners [2][16]byte
	placed bool // holds a place
	once   sync.Once
}

// isExport reports whether the call returns a file.
func (c *Call) isExport() bool {
	format := c.query["format"]
	return c.operation.onlyFiles || format != "" && format != "json" && c.operation.choosesFormat()
}

// enter admits an export and waits for a place. It refuses with 429 at once if the caller or the
// organization has too many exports, or if there are too many in total.
func (e *exports) enter(ctx context.Context, c *Call) (*export, error) {
	made := &export{all: e, owners: [2][16]byte{c.Caller.User, c.Organization}}
	if !e.register(made) {
		return nil, e.refuse(nil)
	}
	waiting, cancel := context.WithTimeout(ctx, e.patience)
	defer cancel()
	err := made.resume(waiting)
	if err == nil {
		return made, nil
	}
	made.leave()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, e.refuse(err)
}

// register counts the export, and reports whether the bounds allow it.
func (e *exports) register(made *export) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.present[made.owners[0]] >= e.bounds.ofCaller || e.present[made.owners[1]] >= e.bounds.ofOrganization || e.all >= e.bounds.all {
		return false
	}
	for _, owner := range made.owners {
		e.present[owner]++
	}
	e.all++
	return true
}

func (e *exports) refuse(cause error) error {
	return &failure{
		refusal: captable.Refuse(codeTooManyExports, "Too many files are being made at the moment. Try again later."),
		cause:   cause, retryAfter: e.patience,
	}
}

// resume waits for a place.
func (x *export) resume(ctx context.Context) error {
	select {
	case x.all.places <- struct{}{}:
		x.placed = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause releases the place while the export waits for its reader.
func (x *export) pause() {
	if x.placed {
		x.placed = false
		<-x.all.places
	}
}

// leave ends the export. Only the first call has an effect.
func (x *export) leave() {
	x.once.Do(func() {
		x.pause()
		x.all.mutex.Lock()
		defer x.all.mutex.Unlock()
		x.all.all--
		for _, owner := range x.owners {
			if x.all.present[owner]--; x.all.present[owner] <= 0 {
				delete(x.all.present, owner)
			}
		}
	})
}

// run executes the handler of an export within the bounds. The export ends when the answer is
// released.
func (e *exports) run(ctx context.Context, c *Call, handler Handler) (Answer, error) {
	made, err := e.enter(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	kept := false
	defer func() {
		if made.pause(); !kept { // refused, failed or panicked
			made.leave()
		}
	}()
	answer, err := handler(ctx, c)
	if err != nil {
		return answer, err
	}
	kept = true
	if stream := answer.Stream; stream != nil {
		answer.Stream = func(w io.Writer) error { return made.stream(ctx, w, stream) }
	}
	answer.release = made.leave
	return answer, nil
}

// stream holds a place while it generates the file, and releases it while it sends a full buffer.
func (x *export) stream(ctx context.Context, w io.Writer, write func(io.Writer) error) error {
	if err := x.resume(ctx); err != nil {
		return err
	}
	defer x.pause()
	out := bufio.NewWriterSize(unplaced{x, ctx, w}, exportBuffer)
	return errors.Join(write(out), out.Flush())
}

// unplaced writes without the export's place.
type unplaced struct {
	*export
	ctx context.Context //nolint:containedctx // an io.Writer has no other access to it
	w   io.Writer
}

// Write sends the bytes without a place, and then waits for a place.
func (u unplaced) Write(bytes []byte) (int, error) {
	u.pause()
	n, err := u.w.Write(bytes)
	return n, errors.Join(err, u.resume(u.ctx))
}
