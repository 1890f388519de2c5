package http

import (
	"io"
	"sync"
	"time"

	"equity/captable"
	"equity/organization"
)

// Bounds of concurrent imports. Each may hold a file of the largest size in memory.
const (
	importsAtOnce    = 3
	importsPerCaller = 1
	importPause      = 5 * time.Second // sent in Retry-After
)

// importSlots admits imports before their bodies are read.
type importSlots struct {
	mutex sync.Mutex // guards the fields below
	taken map[organization.UserID]int
	total int
}

func newImportSlots() *importSlots { return &importSlots{taken: map[organization.UserID]int{}} }

// enter takes a slot for the caller; leave returns it. Without a free slot it returns an error with
// Retry-After.
func (i *importSlots) enter(caller organization.UserID) (leave func(), err error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.total >= importsAtOnce || i.taken[caller] >= importsPerCaller {
		return nil, &failure{
			refusal:    captable.Refuse(codeTooManyAttempts, "Other imports are running. Try again in a few seconds."),
			retryAfter: importPause,
		}
	}
	i.total++
	i.taken[caller]++
	return func() { i.leave(caller) }, nil
}

func (i *importSlots) leave(caller organization.UserID) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.total--
	if i.taken[caller]--; i.taken[caller] == 0 {
		delete(i.taken, caller)
	}
}

// discard reads the body without storing it. Otherwise a client that is still sending would see a
// broken connection instead of the answer.
func (r *Request) discard() {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, fileLimit)) // errors also affect the answer
	}
}

// takesFiles reports whether the operation reads uploaded files.
func (o *operation) takesFiles() bool { return o.body != nil && o.body.limit > jsonLimit }
