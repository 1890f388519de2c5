package actors

import (
	"context"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

const (
	// followTime bounds a read lease, and with it the time for which a follower that does not answer delays the changes of an organization.
	followTime = 241 * time.Millisecond
	// avoidTime is the time without read leases for a server that did not answer a revocation.
	avoidTime = 5 * time.Second
	// mostGranted bounds the organizations with granted read leases. Beyond it, the ended ones are removed.
	mostGranted = 4096
)

// grants are the read leases that this server, as the owner, has granted to others. The holder of one answers reads from memory until it ends or
// is revoked. Before this server shows a change to anybody, it revokes the leases that do not contain the change, and waits for the answers of
// their holders or for the end of the leases.
type grants struct {
	mutex   sync.Mutex
	all     map[organization.ID]*granted
	avoided map[string]time.Time // the end of the time without read leases, by server
}

// granted are the read leases of an organization.
type granted struct {
	holders map[string]grant
	// showing is a sequence that is about to be shown; 0 without one. Leases that do not contain it are refused.
	showing uint64
}

// grant is the read lease of one server. It lasts at least as long as its holder assumes.
type grant struct {
	sequence uint64 // that the holder may show
	until    time.Time
}

func newGrants() *grants {
	return &grants{all: map[organization.ID]*granted{}, avoided: map[string]time.Time{}}
}

func (g *grants) of(id organization.ID) *granted {
	found := g.all[id]
	if found == nil {
		found = &granted{holders: map[string]grant{}}
		g.all[id] = found
	}
	return found
}

// add notes a read lease. It returns false if the lease must not be granted. An earlier lease of the holder counts too, because the holder may
// not receive the answer.
func (g *grants) add(id organization.ID, holder string, sequence uint64, now time.Time, length time.Duration) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if len(g.all) > mostGranted {
		g.sweep(now)
	}
	of := g.of(id)
	if of.showing > sequence || now.Before(g.avoided[holder]) {
		g.tidy(id)
		return false
	}
	added := grant{sequence, now.Add(length)}
	if earlier, ok := of.holders[holder]; ok && now.Before(earlier.until) {
		added.sequence = min(added.sequence, earlier.sequence)
		if earlier.until.After(added.until) {
			added.until = earlier.until
		}
	}
	of.holders[holder] = added
	return true
}

// show notes that the sequence is about to be shown, and returns the read leases to revoke before.
func (g *grants) show(id organization.ID, sequence uint64, now time.Time) map[string]grant {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	of := g.of(id)
	of.showing = max(of.showing, sequence)
	return of.below(sequence, now)
}

// shown notes that the sequence is shown.
func (g *grants) shown(id organization.ID, sequence uint64) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if of := g.all[id]; of != nil && of.showing <= sequence {
		of.showing = 0
		g.tidy(id)
	}
}

// below returns the read leases that do not contain the sequence. It forgets the ended ones.
func (g *granted) below(sequence uint64, now time.Time) map[string]grant {
	var found map[string]grant
	for holder, one := range g.holders {
		switch {
		case !now.Before(one.until):
			delete(g.holders, holder)
		case one.sequence < sequence:
			if found == nil {
				found = map[string]grant{}
			}
			found[holder] = one
		}
	}
	return found
}

// held returns the read leases of the organization that do not contain the sequence.
func (g *grants) held(id organization.ID, sequence uint64, now time.Time) map[string]grant {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	of := g.all[id]
	if of == nil {
		return nil
	}
	defer g.tidy(id)
	return of.below(sequence, now)
}

// organizations returns those with read leases.
func (g *grants) organizations() (ids []organization.ID) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for id := range g.all {
		ids = append(ids, id)
	}
	return ids
}

// end forgets a read lease that has ended or was revoked, unless it was extended. A holder that did not answer is avoided. A lease stays if its
// revocation was interrupted.
func (g *grants) end(id organization.ID, holder string, ended grant, now time.Time, answered bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !answered {
		if now.Before(ended.until) {
			return
		}
		g.avoided[holder] = now.Add(avoidTime)
	}
	if of := g.all[id]; of != nil && of.holders[holder] == ended {
		delete(of.holders, holder)
		g.tidy(id)
	}
}

// tidy forgets an organization without read leases.
func (g *grants) tidy(id organization.ID) {
	if of := g.all[id]; len(of.holders) == 0 && of.showing == 0 {
		delete(g.all, id)
	}
}

// sweep forgets ended leases.
func (g *grants) sweep(now time.Time) {
	for id, of := range g.all {
		of.below(0, now)
		g.tidy(id)
	}
	for holder, until := range g.avoided {
		if !now.Before(until) {
			delete(g.avoided, holder)
		}
	}
}

// whenUnfollowed calls done when no other server answers reads with less than the sequence, which is about to be shown. It does not wait.
func (s *shared) whenUnfollowed(id organization.ID, sequence uint64, done func()) {
	if s.settings.Placement == nil {
		done()
		return
	}
	held := s.grants.show(id, sequence, s.settings.Now())
	if len(held) == 0 {
		done()
		return
	}
	go func() { // ends with the leases
		_ = s.revoke(context.Background(), id, held) // has no other error than that of the context
		done()
	}()
}

// unfollowBefore is like whenUnfollowed, and waits.
func (s *shared) unfollowBefore(ctx context.Context, id organization.ID, sequence uint64) error {
	if s.settings.Placement == nil {
		return nil
	}
	return s.revoke(ctx, id, s.grants.show(id, sequence, s.settings.Now()))
}

// publish shows the view. The read leases that do not contain it have ended.
func (s *shared) publish(id organization.ID, view *messages.View) {
	s.views.publish(id, view)
	if s.settings.Placement != nil {
		s.grants.shown(id, view.Sequence)
	}
}

// unfollow returns when no other server answers reads of the organization with less than the sequence.
func (s *shared) unfollow(ctx context.Context, id organization.ID, sequence uint64) error {
	return s.revoke(ctx, id, s.grants.held(id, sequence, s.settings.Now()))
}

// unfollowAll revokes all read leases of the organizations that the condition selects, like unfollow.
func (s *shared) unfollowAll(ctx context.Context, selects func(organization.ID) bool) error {
	const all = ^uint64(0)
	for _, id := range s.grants.organizations() {
		if !selects(id) {
			continue
		}
		if err := s.unfollow(ctx, id, all); err != nil {
			return err
		}
	}
	return nil
}

// revoke revokes the read leases, and returns when their holders have answered or the leases have ended.
func (s *shared) revoke(ctx context.Context, id organization.ID, held map[string]grant) error {
	var work sync.WaitGroup
	for holder, one := range held {
		work.Go(func() {
			answered := true
			if remaining := one.until.Sub(s.settings.Now()); remaining > 0 {
				answered = s.revokeOne(ctx, id, holder, remaining)
			}
			s.grants.end(id, holder, one, s.settings.Now(), answered)
		})
	}
	work.Wait()
	return ctx.Err()
}

// revokeOne reports whether the holder has answered. Otherwise it returns after the end of the read lease or of the context.
func (s *shared) revokeOne(ctx context.Context, id organization.ID, holder string, remaining time.Duration) (answered bool) {
	ctx, cancel := context.WithTimeout(ctx, remaining)
	defer cancel()
	err := s.settings.Placement.Revoke(ctx, holder, id)
	if err != nil {
		s.log.Debug("a read lease was not revoked and ends by itself", "organization", id.String(), "holder", holder, "cause", err)
		<-ctx.Done()
	}
	return err == nil
}

// Grant grants a read lease of an organization of this server to another one. The holder may answer reads with the sequence for the length,
// counted from the begin of its request. It returns [messages.ErrUnavailable] if this server cannot answer from memory for now.
func (o *Organizations) Grant(ctx context.Context, id organization.ID, holder string) (sequence uint64, length time.Duration, err error) {
	if o.shared.standing(id) != Owner {
		return 0, 0, messages.ErrUnavailable
	}
	s, placement, begin := o.shared, o.shared.settings.Placement, o.shared.settings.Now()
	// Other servers may show rows that this one does not know after its lease has ended, or after its append has been in flight for the time of a
	// lease. The read lease ends before both. The remaining time is read before the view, because a renewal in between can inform this server of
	// rows that the view lacks.
	remaining := placement.Remaining()
	view, err := o.ownView(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	now := s.settings.Now()
	length = min(followTime, remaining-now.Sub(begin), s.views.untilHanging(id, now, placement.Lease()))
	if length <= 0 || !s.grants.add(id, holder, view.Sequence, now, length) {
		return 0, 0, messages.ErrUnavailable
	}
	// A change or a move that did not see the lease is seen here.
	if shown := s.views.peek(id); shown == nil || shown.Sequence != view.Sequence || s.standing(id) != Owner {
		return 0, 0, messages.ErrUnavailable
	}
	return view.Sequence, length, nil
}
