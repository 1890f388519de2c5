package session

import (
	"context"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// recent remembers the sessions that the store has verified, so that reads go on for a short time while the store does not
// answer. A session that ends on this server is forgotten at once, before the store is asked to end it. One that ends on
// another server is accepted here until the grace period since its last verification has passed, and only while the store
// does not answer.
type recent struct {
	grace time.Duration // 0 remembers nothing
	clock func() time.Time

	mu sync.Mutex
	// Two generations bound the memory: the sessions that were verified within the last two grace periods.
	young, old map[string]verified
	turned     time.Time
	ended      uint64 // counts endings, so that a check that began before one does not bring a session back
	away       bool   // the last check failed
	probing    bool
	probed     time.Time
}

// verified is a session and when the store last confirmed it.
type verified struct {
	session messages.Session // without Token
	at      time.Time
}

// probeEvery is the time between two questions to a store that does not answer.
const probeEvery = time.Second

func newRecent(grace time.Duration, clock func() time.Time) *recent {
	return &recent{grace: grace, clock: clock, young: map[string]verified{}, old: map[string]verified{}}
}

// endings returns the number of endings so far.
func (r *recent) endings() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// confirm remembers a session that the store confirmed, unless any session ended since the check began.
func (r *recent) confirm(id string, s messages.Session, endings uint64) {
	now := r.clock()
	s.Token = ""
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = false
	if r.grace == 0 || r.ended != endings {
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

// forget ends the sessions that match.
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

// failed notes that the store did not answer.
func (r *recent) failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = true
}

// isAway reports whether the store failed to answer the last check. It starts at most one new check at a time. The check
// runs in the background and outlives the request, so that a caller with a remembered session does not wait for it.
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
