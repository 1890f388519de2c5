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
	// only read is not thought idle. Unix seconds.
	read atomic.Int64
}

func (v *views) get(org organization.ID, now time.Time) *messages.View {
	found, ok := v.live.Load(org)
	if !ok {
		return nil
	}
	p, _ := found.(*published)
	p.read.Store(now.Unix())
	return p.view.Load()
}

func (v *views) publish(org organization.ID, view *messages.View) {
	found, ok := v.live.Load(org)
	if !ok {
		found, _ = v.live.LoadOrStore(org, &published{})
	}
	p, _ := found.(*published)
	p.view.Store(view)
}

func (v *views) lastRead(org organization.ID) time.Time {
	if found, ok := v.live.Load(org); ok {
		p, _ := found.(*published)
		return time.Unix(p.read.Load(), 0)
	}
	return time.Time{}
}

func (v *views) remove(org organization.ID) { v.live.Delete(org) }

// Live counts the organizations in memory.
func (v *views) count() (n int) {
	v.live.Range(func(any, any) bool { n++; return true })
	return n
}
