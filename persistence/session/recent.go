package session

import (
	"context"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// recent caches verified sessions, for two purposes.
//
// While a watch reports changes of the store, a cached session is accepted without a query until its expiry must be extended
// (fresh). A reported change removes the session. When the watch is lost, no session is accepted until the store has
// confirmed it again after the watch is back.
//
// While the store is unavailable, a session is accepted for the grace period since its last confirmation (find). A session that
// ends on this server is removed before and after the store is asked to end it.
type recent struct {
	grace  time.Duration // 0 disables find
	period time.Duration // the longest time for which an entry is needed
	clock  func() time.Time

	mu sync.Mutex
	// Two generations bound the memory: sessions verified within the last two periods, at most 2 × maxGeneration.
	young, old map[string]verified
	turned     time.Time
	flights    map[string]*flight
	epoch      uint64    // number of watches; entries of earlier ones are not fresh
	lease      time.Time // end of the watch's validity, on the real clock: the watch is read in real time
	away       bool      // the last check failed
	probing    bool
	probed     time.Time
}

// verified is a session and the time of its last confirmation by the store.
type verified struct {
	session messages.Session // without Token
	at      time.Time
	until   time.Time // the time at which the expiry must be extended
	epoch   uint64
}

// flight is a query to the store for one session. A change of the session during the query makes its answer stale.
type flight struct {
	callers int
	stale   bool
	epoch   uint64
}

const (
	probeEvery    = time.Second // the minimum time between queries to an unavailable store
	maxGeneration = 100_000     // sessions
)

func newRecent(grace, touch time.Duration, clock func() time.Time) *recent {
	return &recent{
		grace: grace, period: max(grace, touch), clock: clock,
		young: map[string]verified{}, old: map[string]verified{}, flights: map[string]*flight{},
	}
}

// fresh returns a session that is current according to the watch.
func (r *recent) fresh(key string) (messages.Session, bool) {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !time.Now().Before(r.lease) {
		return messages.Session{}, false
	}
	v, isYoung := r.young[key]
	if !isYoung {
		v = r.old[key]
	}
	if v.epoch != r.epoch || !now.Before(v.until) || now.Before(v.at) {
		return messages.Session{}, false
	}
	if !isYoung || now.Sub(v.at) > r.grace/8 { // the watch confirms it
		v.at = now
		r.keep(key, v, now)
	}
	return v.session, true
}

// begin registers a query for the session. Each begin is followed by one finish.
func (r *recent) begin(key string) *flight {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.flights[key]
	if f == nil || f.epoch != r.epoch {
		f = &flight{epoch: r.epoch}
		r.flights[key] = f
	}
	f.callers++
	return f
}

// finish ends a query. The store has confirmed the session if it is not nil, and its expiry need not be extended for the given time.
func (r *recent) finish(key string, f *flight, s *messages.Session, fresh time.Duration) {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.callers--; f.callers == 0 && r.flights[key] == f {
		delete(r.flights, key)
	}
	if s == nil {
		return
	}
	r.away = false
	if f.stale || r.grace == 0 && fresh == 0 {
		return
	}
	v := verified{session: *s, at: now, until: now.Add(fresh), epoch: f.epoch}
	v.session.Token = ""
	r.keep(key, v, now)
}

// keep stores an entry in the young generation.
func (r *recent) keep(key string, v verified, now time.Time) {
	if now.Sub(r.turned).Abs() >= r.period || len(r.young) >= maxGeneration {
		r.old, r.young, r.turned = r.young, make(map[string]verified, len(r.young)), now
	}
	r.young[key] = v
}

// find returns a session that the store confirmed within the grace period.
func (r *recent) find(key string) (verified, bool) {
	if r.grace == 0 {
		return verified{}, false
	}
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.young[key]
	if !ok {
		v, ok = r.old[key]
	}
	return v, ok && now.Sub(v.at).Abs() < r.grace
}

// forget removes the matching sessions. The queries in flight may be about any of them.
func (r *recent) forget(match func(key string, v verified) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.flights {
		f.stale = true
	}
	clear(r.flights)
	for _, generation := range []map[string]verified{r.young, r.old} {
		for key, v := range generation {
			if match(key, v) {
				delete(generation, key)
			}
		}
	}
}

func (r *recent) forgetKey(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.flights[key]; f != nil {
		f.stale = true
		delete(r.flights, key)
	}
	delete(r.young, key)
	delete(r.old, key)
}

func (r *recent) forgetUser(user organization.UserID) {
	r.forget(func(_ string, v verified) bool { return v.session.User == user })
}

func (r *recent) forgetAll() { r.forget(func(string, verified) bool { return true }) }

// watched begins a new watch, which reports all changes from now on. It is not valid before extend.
func (r *recent) watched() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.epoch++
}

// extend sets the time until which the watch is valid.
func (r *recent) extend(until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lease = until
}

// unwatched ends the watch.
func (r *recent) unwatched() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.epoch++
	r.lease = time.Time{}
}

// failed records that the store did not answer.
func (r *recent) failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = true
}

// isAway reports whether the last query to the store failed. It starts at most one background query at a time, which
// outlives the request, so that a caller with a cached session does not wait for it.
func (r *recent) isAway(ctx context.Context, ask func(ctx context.Context) error) bool {
	now, ctx := r.clock(), context.WithoutCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away && !r.probing && now.Sub(r.probed).Abs() >= probeEvery {
		r.probing, r.probed = true, now
		go func() {
			err := ask(ctx)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.probing, r.away = false, err != nil
		}()
	}
	return r.away
}
