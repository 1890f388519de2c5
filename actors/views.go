package actors

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// touch records a read.
func (p *published) touch(now time.Time) {
	if moment := now.UnixMilli(); p.read.Load() != moment { // avoid redundant writes to a shared cache line
		p.read.Store(moment)
	}
}

// get returns the organization's view and records the read unless it is one of the background. It returns nil if the organization is not
// in memory. A stale view has its StaleSince set.
func (v *views) get(ctx context.Context, org organization.ID, now time.Time) *messages.View {
	p := v.find(org)
	if p == nil {
		return nil
	}
	if !messages.IsBackground(ctx) {
		p.touch(now)
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

// history returns organizations as of an earlier sequence, from the
// nearest snapshot and the journal. It caches the most recent views.
type history struct {
	shared *shared
	turns  chan struct{} // limits concurrent reads of journals
	mutex  sync.Mutex    // guards recent and bases, and copies of their states
	recent []pastView
	// bases are the views from which others are read. No request receives them, because copies of a state exclude each other.
	bases []pastView
}

type pastView struct {
	id   organization.ID
	view *messages.View
}

// The limits of past views: cached views, their events (an estimate of
// their size), and concurrent reads of journals.
const (
	mostPast       = 8
	mostPastEvents = 200_000
	mostReading    = 2
	mostBases      = 2
	// pastBlock is the number of sequences that share a base.
	pastBlock = 256
)

func newHistory(s *shared) *history {
	return &history{shared: s, turns: make(chan struct{}, mostReading)}
}

// view returns the organization as of a sequence that it has reached.
func (h *history) view(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	if known := h.known(id, sequence); known != nil {
		return known, nil
	}
	limit := time.NewTimer(cmp.Or(h.shared.settings.StoreTimeout, h.shared.settings.Patience))
	defer limit.Stop()
	select {
	case h.turns <- struct{}{}:
		defer func() { <-h.turns }()
	case <-limit.C:
		return nil, messages.ErrUnavailable
	case <-ctx.Done():
		return nil, messages.ErrUnavailable
	}
	if known := h.known(id, sequence); known != nil { // loaded by a concurrent request
		return known, nil
	}
	state, end, err := h.read(ctx, id, sequence)
	if isUnreadable(err) {
		return nil, h.shared.unreadable(id, err)
	}
	if err != nil {
		h.shared.log.Warn("history not read", "organization", id.String(), "sequence", sequence, "cause", err)
		return nil, messages.ErrUnavailable
	}
	view := &messages.View{State: state, Sequence: end.sequence, RecordedAt: end.at, Hash: end.hash}
	h.keep(pastView{id, view})
	return view, nil
}

// read reads the organization as of the sequence from the base of its block. The repetitions of the writes in flight when a server was killed
// request many neighboring sequences at once: each costs the rows of a part of a block, and not those since the snapshot.
func (h *history) read(ctx context.Context, id organization.ID, sequence uint64) (*organization.State, head, error) {
	first := sequence - sequence%pastBlock
	if first == 0 || first == sequence {
		state, end, _, err := h.shared.stateAt(ctx, id, sequence)
		return state, end, err
	}
	state, from := h.base(id, first)
	if state == nil {
		read, end, _, err := h.shared.stateAt(ctx, id, first)
		if err != nil {
			return nil, head{}, err
		}
		from = messages.Snapshot{Sequence: end.sequence, Hash: end.hash}
		state = read.Copy()
		h.keepBase(pastView{id, &messages.View{State: read, Sequence: end.sequence, RecordedAt: end.at, Hash: end.hash}})
	}
	end, err := h.shared.replay(ctx, id, state, rowChecks{after: from, upTo: sequence})
	if err != nil {
		return nil, head{}, fmt.Errorf("replay %s: %w", id, err)
	}
	return state, end, nil
}

// base returns a copy of the state of a base, and its position; nil if it is not cached.
func (h *history) base(id organization.ID, sequence uint64) (*organization.State, messages.Snapshot) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, base := range h.bases {
		if base.id == id && base.view.Sequence == sequence {
			return base.view.State.Copy(), messages.Snapshot{Sequence: sequence, Hash: base.view.Hash}
		}
	}
	return nil, messages.Snapshot{}
}

// keepBase caches the base in place of the oldest ones.
func (h *history) keepBase(base pastView) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.bases = append(h.bases, base)
	h.bases = evicted(h.bases, mostBases)
}

// known returns the view if it is cached, or nil.
func (h *history) known(id organization.ID, sequence uint64) *messages.View {
	if now := h.shared.views.peek(id); now != nil && now.Sequence == sequence {
		return now
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, past := range h.recent {
		if past.id == id && past.view.Sequence == sequence {
			return past.view
		}
	}
	return nil
}

// keep caches the view and evicts the oldest ones above the limits.
func (h *history) keep(past pastView) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.recent = append(h.recent, past)
	h.recent = evicted(h.recent, mostPast)
}

// evicted removes the oldest views above the limits.
func evicted(views []pastView, most int) []pastView {
	events := uint64(0)
	for _, p := range views {
		events += p.view.Sequence
	}
	for len(views) > most || events > mostPastEvents && len(views) > 1 {
		events -= views[0].view.Sequence
		views = slices.Delete(views, 0, 1)
	}
	return views
}

// forget removes the cached views of the organization.
func (h *history) forget(id organization.ID) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	gone := func(p pastView) bool { return p.id == id }
	h.recent, h.bases = slices.DeleteFunc(h.recent, gone), slices.DeleteFunc(h.bases, gone)
}
