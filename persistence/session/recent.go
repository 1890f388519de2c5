package session

import (
	"context"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// recent caches verified sessions, so that reads continue for a short time while the store is unavailable.
// A session that ends on this server is removed from the cache before the store is asked to end it. A session that ends on
// another server is accepted here until the grace period since its last verification has passed, and only while the store
// is unavailable.
type recent struct {
	grace time.Duration // 0 disables the cache
	clock func() time.Time

	mu sync.Mutex
	// Two generations bound the memory: sessions verified within the last two grace periods.
	young, old map[string]verified
	turned     time.Time
	ended      uint64 // number of endings; a check that started before an ending must not restore the session
	away       bool   // the last check failed
	probing    bool
	probed     time.Time
}

// verified is a session and the time of its last confirmation by the store.
type verified struct {
	session messages.Session // without Token
	at      time.Time
}

// probeEvery is the minimum time between queries to an unavailable store.
const probeEvery = time.Second

func newRecent(grace time.Duration, clock func() time.Time) *recent {
	return &recent{grace: grace, clock: clock, young: map[string]verified{}, old: map[string]verified{}}
}

// endings returns the number of ended sessions.
func (r *recent) shareholdingEnds() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// confirm caches a session confirmed by the store, unless any session ended since the check started.
func (r *recent) confirm(id string, s messages.Session, shareholdingEnds uint64) {
	now := r.clock()
	s.Token = ""
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = false
	if r.grace == 0 || r.ended != shareholdingEnds {
		return
	}
	if now.Sub(r.turned).Abs() >= r.grace {
		r.old, r.young, r.turned = r.young, make(map[string]verified, len(r.young)), now
	}
	r.young[id] = verified{s, now}
}

// find returns a session that the store confirmed within the grace period.
func (r *recent) find(id string) (verified, bool) {
	if r.grace == 0 {
		return verified{}, false
	}
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.young[id]
	if !ok {
		v, ok = r.old[id]
	}
	return v, ok && now.Sub(v.at).Abs() < r.grace
}

// forget removes the matching sessions.
func (r *recent) forget(match func(id string, v verified) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	for _, generation := range []map[string]verified{r.young, r.old} {
		for id, v := range generation {
			if match(id, v) {
				delete(generation, id)
			}
		}
	}
}

func (r *recent) forgetID(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	delete(r.young, id)
	delete(r.old, id)
}

func (r *recent) forgetUser(user organization.UserID) {
	r.forget(func(_ string, v verified) bool { return v.session.User == user })
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
