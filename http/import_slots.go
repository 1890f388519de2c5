package http

import (
	"sync"
	"time"

	"equity/captable"
	"equity/organization"
)

// Bounds of imports that run at the same moment. Each may hold a file of the largest size in memory.
const (
	importsAtOnce    = 3
	importsPerCaller = 1
	importPause      = 5 * time.Second // advised by Retry-After
)

// importSlots admits imports before their bodies are read.
type importSlots struct {
	mutex sync.Mutex // guards what follows
	taken map[organization.UserID]int
	total int
}

func newImportSlots() *importSlots { return &importSlots{taken: map[organization.UserID]int{}} }

// enter takes a slot for the caller; leave returns it. Without a free slot it refuses with a time to wait.
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

// takesFiles reports whether the operation reads uploaded files.
func (o *operation) takesFiles() bool { return o.body != nil && o.body.limit > jsonLimit }
