package actors

import (
	"sync"
	"sync/atomic"
	"time"

	"equity/messages"
	"equity/organization"
)

// views are the published views of the organizations in memory. Actors write
// them; readers never wait.
type views struct {
	live sync.Map // organization.ID → *published
}

type published struct {
	view atomic.Pointer[messages.View]
	// read is the time of the last read, so that an organization that is
	// only read does not count as idle. Unix milliseconds.
	read atomic.Int64
	// stale is the time since which the view may be behind the journal, in Unix microseconds; 0 for
	// a current view.
	stale atomic.Int64
	// revived is the time at which a reader of a stale view last requested a load of the
	// organization, in Unix microseconds.
	revived atomic.Int64
}

// get returns the organization's view and records the read. It returns nil if the organization is not
// in memory. A stale view has its StaleSince set.
func (v *views) get(org organization.ID, now time.Time) *messages.View {
	p := v.find(org)
	if p == nil {
		return nil
	}
	if moment := now.UnixMilli(); p.read.Load() != moment { // avoid redundant writes to a shared cache line
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

// doubt marks the view as stale since the given time, unless it is already stale.
func (v *views) doubt(org organization.ID, since time.Time) {
	if p := v.find(org); p != nil {
		p.stale.CompareAndSwap(0, since.UnixMicro())
	}
}

// reviveEvery is the interval between two attempts to load an organization for the readers
// of its stale view.
const reviveEvery = time.Second

// mayRevive reports whether the caller should trigger the load.
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

// peek returns the view without recording a read.
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
		p.view.Store(view) // before readers can find it
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

// count returns the number of organizations in memory.
func (v *views) count() (n int) {
	v.live.Range(func(any, any) bool { n++; return true })
	return n
}
