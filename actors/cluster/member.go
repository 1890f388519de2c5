package cluster

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"equity/actors"
	"equity/messages"
	"equity/organization"
)

// Directory stores the list of members. It is safe for concurrent use.
type Directory interface {
	// Join adds the member. Renew extends its lease, notes the epoch that it obeys, and returns the list; messages.ErrRemoved if the member
	// was removed.
	Join(ctx context.Context, node messages.Node) error
	Renew(ctx context.Context, id string, epoch uint64) (messages.Nodes, error)
	// Leave notes that the member hands over. Remove removes it.
	Leave(ctx context.Context, id string) error
	Remove(ctx context.Context, id string) error
	// Announce notes that the member appends to the organization of another one, until Withdraw removes the note.
	Announce(ctx context.Context, id string, organization organization.ID) (note uint64, err error)
	Withdraw(ctx context.Context, note uint64) error
	Close() error
}

// Links sends small questions to other members.
type Links interface {
	// Hurry asks a member to renew at once. It does not wait.
	Hurry(to messages.Node)
	// Wake wakes a consumer at a member. It does not wait.
	Wake(to messages.Node, id organization.ID, consumer string)
	// CatchUp returns when the member, as the owner, serves the organization as of the sequence.
	CatchUp(ctx context.Context, to messages.Node, id organization.ID, sequence uint64) error
	// Follow requests a read lease of the member, as the owner, for the holder.
	Follow(ctx context.Context, to messages.Node, holder string, id organization.ID) (sequence uint64, length time.Duration, err error)
	// Revoke returns when the member has ended its read lease.
	Revoke(ctx context.Context, to messages.Node, id organization.ID) error
}

// Settings describe a member.
type Settings struct {
	Self      messages.Node
	Times     messages.NodeTimes
	Directory Directory
	Links     Links
	// Release ends the organizations that the member does not own any more.
	Release func(ctx context.Context) error
	// Learn is called with the end of the journal of an own organization to which others append, before the lease is extended.
	Learn func(id organization.ID, sequence uint64)
	// Moved is called after each change of the placement; nil for no call.
	Moved func()
	// Lost is called once if the member was removed by the others.
	Lost func(error)
	// Now is the clock, with a monotonic reading.
	Now func() time.Time
	Log *slog.Logger
}

// Member is this server as a member of the cluster. It is safe for concurrent use.
type Member struct {
	settings Settings
	current  atomic.Pointer[placement]
	// renewed is the time before the last successful renewal.
	renewed atomic.Pointer[time.Time]
	obeyed  atomic.Uint64
	changed atomic.Pointer[chan struct{}]
	hurry   chan struct{}

	renewing  chan struct{} // has an element during a renewal, so that lists are adopted in their order
	releasing atomic.Bool
	lost      sync.Once
	work      sync.WaitGroup
	stop      context.CancelFunc
}

// New returns a member that has not joined yet, and owns no organization.
func New(settings Settings) *Member {
	m := &Member{settings: settings, hurry: make(chan struct{}, 1), renewing: make(chan struct{}, 1), stop: func() {}}
	changed := make(chan struct{})
	m.changed.Store(&changed)
	return m
}

// Join makes the server a member. It returns when the others know it and it serves its organizations.
func (m *Member) Join(ctx context.Context) error {
	if err := m.settings.Directory.Join(ctx, m.settings.Self); err != nil {
		return err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	m.stop = stop
	m.work.Go(func() { m.run(running) })
	return m.await(ctx, func(p *placement) bool { return p != nil && p.complete })
}

// Leave hands all organizations over to the other members, and returns when they serve them.
func (m *Member) Leave(ctx context.Context) error {
	if p := m.current.Load(); p == nil || len(p.others) == 0 {
		return nil
	}
	if err := m.settings.Directory.Leave(ctx, m.settings.Self.ID); err != nil {
		return err
	}
	m.Hurry()
	return m.await(ctx, func(p *placement) bool {
		for _, own := range p.eligible {
			if own.node.ID == m.settings.Self.ID {
				return len(p.others) == 0 || !leaves(p)
			}
		}
		return p.complete
	})
}

// leaves reports whether a member that stays exists.
func leaves(p *placement) bool {
	for _, other := range p.others {
		if !other.Leaving {
			return true
		}
	}
	return false
}

// Close ends the membership. The member must have left before, or its organizations move without a handover.
func (m *Member) Close(ctx context.Context) error {
	m.stop()
	m.work.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	err := m.settings.Directory.Remove(ctx, m.settings.Self.ID)
	for _, other := range m.others() {
		m.settings.Links.Hurry(other)
	}
	return errors.Join(err, m.settings.Directory.Close())
}

const closeWithin = 2 * time.Second

// await waits until the placement satisfies the condition.
func (m *Member) await(ctx context.Context, condition func(*placement) bool) error {
	for {
		changed := m.Changed()
		if condition(m.current.Load()) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Hurry makes the member renew at once.
func (m *Member) Hurry() {
	select {
	case m.hurry <- struct{}{}:
	default: // it is about to renew
	}
}

func (m *Member) run(ctx context.Context) {
	ticker := time.NewTicker(m.settings.Times.Heartbeat)
	defer ticker.Stop()
	for m.renew(ctx) {
		select {
		case <-ticker.C:
		case <-m.hurry:
		case <-ctx.Done():
			return
		}
		// The renewal answers all reasons so far.
		select {
		case <-m.hurry:
		default:
		}
		select {
		case <-ticker.C:
		default:
		}
	}
}

// renew renews the lease and adopts the list. It returns false if the member was removed.
func (m *Member) renew(ctx context.Context) bool {
	select {
	case m.renewing <- struct{}{}:
	case <-ctx.Done():
		return true
	}
	list, err := m.settings.Directory.Renew(ctx, m.settings.Self.ID, m.obeyed.Load())
	if err == nil {
		for _, one := range list.Announced {
			if _, _, self, _ := m.Owner(one.Organization); self { // a later owner loads the rows
				m.settings.Learn(one.Organization, one.Sequence)
			}
		}
		m.renewed.Store(&list.Renewed)
		m.adopt(ctx, list)
	}
	<-m.renewing
	switch {
	case errors.Is(err, messages.ErrRemoved):
		m.lost.Do(func() {
			m.settings.Log.Error("this server stops", "cause", err)
			m.settings.Lost(err)
		})
		return false
	case err != nil && ctx.Err() == nil:
		m.settings.Log.Warn("the lease of this server was not renewed", "cause", err)
	}
	return true
}

// adopt follows a changed list, and notes when all members obey it.
func (m *Member) adopt(ctx context.Context, list messages.Nodes) {
	before := m.current.Load()
	after := before.next(list, m.settings.Self.ID)
	same := before != nil && before.epoch == after.epoch
	if !same {
		m.settings.Log.Info("the members have changed", "epoch", after.epoch, "members", len(after.others)+1)
	}
	if !same || before.complete != after.complete {
		m.current.Store(after)
		changed := make(chan struct{})
		close(*m.changed.Swap(&changed))
		if m.settings.Moved != nil {
			m.settings.Moved()
		}
	}
	if m.obeyed.Load() != after.epoch && m.releasing.CompareAndSwap(false, true) {
		m.work.Go(func() { m.release(ctx, after.epoch) })
	}
}

// release ends the organizations that have moved by the epoch, notes that the member obeys it, and informs the others.
func (m *Member) release(ctx context.Context, epoch uint64) {
	err := m.settings.Release(ctx)
	if err == nil {
		m.obeyed.Store(epoch)
	} else if ctx.Err() == nil {
		m.settings.Log.Warn("organizations were not handed over", "epoch", epoch, "cause", err)
	}
	m.releasing.Store(false)
	m.renew(ctx) // starts the release of a later epoch
	for _, other := range m.others() {
		m.settings.Links.Hurry(other)
	}
}

func (m *Member) others() []messages.Node {
	if p := m.current.Load(); p != nil {
		return p.others
	}
	return nil
}

// leased reports whether the lease is valid.
func (m *Member) leased() bool { return m.Remaining() > 0 }

// Remaining returns the time until the end of the lease. The wall clock counts too, because the other one may stand still while a machine is
// suspended.
func (m *Member) Remaining() time.Duration {
	renewed := m.renewed.Load()
	if renewed == nil {
		return 0
	}
	now := m.settings.Now()
	return m.settings.Times.Lease - max(now.Sub(*renewed), now.Round(0).Sub(renewed.Round(0)))
}

// Standing returns the standing of this server towards the organization.
func (m *Member) Standing(id organization.ID) actors.Standing {
	p := m.current.Load()
	mine, owned := p.standing(id, m.settings.Self.ID)
	switch {
	case p == nil, mine && !owned:
		return actors.Waiting
	case !mine:
		return actors.Guest
	case !m.leased():
		return actors.Unleased
	default:
		return actors.Owner
	}
}

// Changed returns a channel that is closed at the next change of the placement.
func (m *Member) Changed() <-chan struct{} { return *m.changed.Load() }

// Owner returns the owner of the organization and the epoch; false if it is unknown. Self reports that it is this server.
func (m *Member) Owner(id organization.ID) (node messages.Node, epoch uint64, self, known bool) {
	p := m.current.Load()
	if p == nil {
		return node, 0, false, false
	}
	node, known = owner(p.eligible, id)
	return node, p.epoch, node.ID == m.settings.Self.ID, known
}

// Member reports whether the node is in the present list.
func (m *Member) Member(node string) bool {
	return slices.ContainsFunc(m.others(), func(other messages.Node) bool { return other.ID == node })
}

// Size returns the number of members; 0 before the join.
func (m *Member) Size() int {
	if p := m.current.Load(); p != nil {
		return len(p.others) + 1
	}
	return 0
}

// Epoch returns the present epoch.
func (m *Member) Epoch() uint64 {
	if p := m.current.Load(); p != nil {
		return p.epoch
	}
	return 0
}

// Ready returns an error while the lease has ended.
func (m *Member) Ready(context.Context) error {
	if !m.leased() {
		return errNoLease
	}
	return nil
}

var errNoLease = errors.New("the lease of this server in the cluster has ended")

// Lease returns the time for which an owner answers after its last renewal.
func (m *Member) Lease() time.Duration { return m.settings.Times.Lease }
