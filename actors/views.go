package actors

import (
	"sync"
	"sync/atomic"
	"time"

	"equity/messages"
	"equity/organization"
)

// views are the published views of the organizations in memory. Actors write
// them, anybody reads them without waiting.
type views struct {
	live sync.Map // organization.ID → *published
}

type published struct {
	view atomic.Pointer[messages.View]
	// read is when the view was last asked for, so that an organization that is
	// only read is not thought idle. Unix milliseconds.
	read atomic.Int64
	// stale is since when the view may be behind the journal; Unix microseconds, 0 for
	// a current view.
	stale atomic.Int64
	// revived is when a reader of a stale view last asked for the organization to be
	// loaded; Unix microseconds.
	revived atomic.Int64
}

// get gives the organization's view and notes that it was read; nil when it is not
// in memory. A stale view has its StaleSince set.
func (v *views) get(org organization.ID, now time.Time) *messages.View {
	p := v.find(org)
	if p == nil {
		return nil
	}
	if moment := now.UnixMilli(); p.read.Load() != moment { // readers share it: do not write what is there
		p.read.Store(moment)
	}
	view := p.view.Load()
	if since := p.stale.Load(); since != 0 {
		marked := *view
		marked.StaleSince = time.UnixMicro(since)
		return &marked
	}
	return view
}

// doubt marks the view as stale since the moment, unless it is stale already.
func (v *views) doubt(org organization.ID, since time.Time) {
	if p := v.find(org); p != nil {
		p.stale.CompareAndSwap(0, since.UnixMicro())
	}
}

// reviveEvery is the time between two attempts to load an organization for the readers
// of its stale view.
const reviveEvery = time.Second

// mayRevive reports whether the caller is the one to have the organization loaded.
func (v *views) mayRevive(org organization.ID, now time.Time) bool {
	p := v.find(org)
	if p == nil {
		return false
	}
	last := p.revived.Load()
	return now.Sub(time.UnixMicro(last)).Abs() >= reviveEvery && p.revived.CompareAndSwap(last, now.UnixMicro())
}

// removeStale removes a view that has been stale for longer than the limit.
func (v *views) removeStale(org organization.ID, now time.Time, limit time.Duration) bool {
	p := v.find(org)
	if p == nil {
		return false
	}
	since := p.stale.Load()
	expired := since != 0 && now.Sub(time.UnixMicro(since)) >= limit
	if expired {
		v.remove(org)
	}
	return expired
}

// peek gives the view without the note.
func (v *views) peek(org organization.ID) *messages.View {
	if p := v.find(org); p != nil {
		return p.view.Load()
	}
	return nil
}

func (v *views) find(org organization.ID) *published {
	found, ok := v.live.Load(org)
	if !ok {
		return nil
	}
	p, _ := found.(*published)
	return p
}

func (v *views) publish(org organization.ID, view *messages.View) {
	p := v.find(org)
	if p == nil {
		p = &published{}
		p.view.Store(view) // before anybody can find it
		v.live.Store(org, p)
		return
	}
	p.view.Store(view)
	p.stale.Store(0)
}

func (v *views) lastRead(org organization.ID) time.Time {
	if p := v.find(org); p != nil {
		return time.UnixMilli(p.read.Load())
	}
	return time.Time{}
}

func (v *views) remove(org organization.ID) { v.live.Delete(org) }

// count counts the organizations in memory.
func (v *views) count() (n int) {
	v.live.Range(func(any, any) bool { n++; return true })
	return n
}
