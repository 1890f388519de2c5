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
}

// get gives the organization's view and notes that it was read; nil when it is not
// in memory.
func (v *views) get(org organization.ID, now time.Time) *messages.View {
	p := v.find(org)
	if p == nil {
		return nil
	}
	if moment := now.UnixMilli(); p.read.Load() != moment { // readers share it: do not write what is there
		p.read.Store(moment)
	}
	return p.view.Load()
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
