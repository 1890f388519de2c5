package simulation_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"equity/actors"
	"equity/actors/cluster"
	"equity/messages"
	"equity/organization"
)

// The times of members. No time is a multiple of another one, because two timers that end together have no order.
const (
	memberLease  = 3*time.Second + 7*time.Millisecond
	memberExpiry = 8 * time.Second
	memberCall   = 1900*time.Millisecond + 123_457
	memberJoin   = time.Minute + 123_457
	memberLeave  = 20*time.Second + 123_457
)

// memberRow is the stored row of a member.
type memberRow struct {
	messages.Node

	life    *node
	leased  time.Time
	expires time.Time
}

// changed advances the epoch of the list. All alarms may be claimed again.
func (s *store) changed(gone bool) {
	s.epoch++
	for key, alarm := range s.alarms {
		if gone && alarm.LeasedUntil.After(time.Time{}) {
			alarm.LeasedUntil = time.Time{}
			s.alarms[key] = alarm
		}
	}
}

// member returns the row of a node; nil if it is not in the list.
func (s *store) member(n *node) *memberRow {
	for _, row := range s.members {
		if row.life == n {
			return row
		}
	}
	return nil
}

// removeEnded removes ended members: those with an ended lease and without a connection of their process, and, with expire, those without a
// renewal for too long.
func (s *store) removeEnded(expire bool) {
	now, before := time.Now(), len(s.members)
	s.members = slices.DeleteFunc(s.members, func(row *memberRow) bool {
		connected := !row.life.dead.Load() && !row.life.world.lapsed(row.life)
		leased := now.Before(row.leased) && s.planted != removesLeased
		return !connected && !leased || expire && now.After(row.expires) || s.planted == removesLeased && (row.life.paused || row.life.cut)
	})
	if len(s.members) < before {
		s.changed(true)
	}
}

// list returns the list of members.
func (s *store) list() messages.Nodes {
	list := messages.Nodes{Epoch: s.epoch}
	for _, row := range s.members {
		node := row.Node
		if s.planted == ignoresEpochs {
			node.Epoch = s.epoch
		}
		list.List = append(list.List, node)
	}
	return list
}

// owner returns the owner of an organization by the list; nil if it is empty.
func (s *store) owner(id organization.ID) *node {
	addresses := make([]string, len(s.members))
	for i, row := range s.members {
		addresses[i] = row.Address
	}
	owner := cluster.Owner(addresses, id)
	for _, row := range s.members {
		if row.Address == owner {
			return row.life
		}
	}
	return nil
}

// membership makes a node a member of the cluster.
type membership struct {
	*cluster.Member

	node *node
	// opened are the organizations, also after their end.
	opened *actors.Organizations
	over   chan struct{}
}

func newMembership(n *node) *membership {
	m := &membership{node: n, over: make(chan struct{})}
	m.Member = cluster.New(cluster.Settings{
		Self:  messages.Node{ID: fmt.Sprintf("%04d", n.number), Address: fmt.Sprintf("server %d", n.server)},
		Times: messages.NodeTimes{Heartbeat: renewEvery, Lease: memberLease, Expiry: memberExpiry}, Directory: &directory{node: n}, Links: links{n},
		Release: m.release, Learn: m.learn,
		Lost: func(error) { close(m.over) }, Now: n.now, Log: slog.New(slog.DiscardHandler),
	})
	return m
}

// learn informs the organizations of rows that others have appended.
func (m *membership) learn(id organization.ID, sequence uint64) {
	if m.node.world.store.planted != ignoresAnnouncements {
		m.opened.Learn(id, sequence)
	}
}

// release ends organizations in a step of its own, because the member renews at the same time.
func (m *membership) release(ctx context.Context) error {
	if err := m.node.wait(ctx, repeating, "release", func() error { return nil }); err != nil {
		return err
	}
	return m.opened.Release(ctx)
}

// owns is true, because the organizations of a member know their owner.
func (*membership) owns() bool { return true }

func (m *membership) run(ctx context.Context) {
	m.node.open()
	m.opened = m.node.serving()
	joining, cancel := context.WithTimeout(ctx, memberJoin)
	defer cancel()
	if err := m.Join(joining); err != nil {
		return
	}
	m.node.tick(ctx)
	select {
	case <-m.over:
		return
	case <-ctx.Done():
	}
	leaving, cancelLeave := context.WithTimeout(context.WithoutCancel(ctx), memberLeave)
	defer cancelLeave()
	_ = m.Leave(leaving) // others take over when the process has ended
	m.step(leaving, "stop")
}

func (m *membership) end() {
	m.step(context.Background(), "end")
	_ = m.Close(context.Background())
}

// step waits for a step of its own, because the member reacts to the last one at the same time.
func (m *membership) step(ctx context.Context, text string) {
	_ = m.node.wait(ctx, repeating, text, func() error { return nil })
}

// directory is the access of a node to the list of members.
type directory struct {
	*node

	// since is the begin of an uninterrupted series of renewals, and renewed the last of them.
	since, renewed time.Time
}

func (d *directory) change(ctx context.Context, text string, effect func(s *store)) error {
	ctx, cancel := context.WithTimeout(ctx, memberCall)
	defer cancel()
	return d.wait(ctx, writing, text, func() error {
		effect(d.world.store)
		return nil
	})
}

// Join adds the node.
func (d *directory) Join(ctx context.Context, self messages.Node) error {
	return d.change(ctx, "join", func(s *store) {
		now := time.Now()
		s.removeEnded(false)
		s.members = append(s.members, &memberRow{Node: self, life: d.node, leased: now.Add(memberLease), expires: now.Add(memberExpiry)})
		slices.SortFunc(s.members, func(a, b *memberRow) int { return cmp.Compare(a.ID, b.ID) })
		s.changed(false)
	})
}

// Renew extends the lease, removes ended members and returns the list.
func (d *directory) Renew(ctx context.Context, _ string, epoch uint64) (messages.Nodes, error) {
	begin := time.Now()
	if begin.Sub(d.renewed) > memberLease {
		d.since = begin
	}
	expire := begin.Sub(d.since) >= memberExpiry
	ctx, cancel := context.WithTimeout(ctx, memberCall)
	defer cancel()
	var list messages.Nodes
	err := d.wait(ctx, repeating, fmt.Sprintf("renew with epoch %d", epoch), func() error {
		s, now := d.world.store, time.Now()
		row := s.member(d.node)
		if row == nil {
			return messages.ErrRemoved
		}
		row.leased, row.expires, row.Epoch = now.Add(memberLease), now.Add(memberExpiry), epoch
		s.removeEnded(expire)
		list = s.list()
		for _, note := range slices.Sorted(maps.Keys(s.announced)) {
			id := s.announced[note]
			list.Announced = append(list.Announced, messages.Announced{Organization: id, Sequence: s.head(id)})
		}
		return nil
	})
	if err != nil {
		return messages.Nodes{}, err
	}
	d.renewed, list.Renewed = begin, begin.Add(d.skew)
	return list, nil
}

// Leave notes that the node hands over.
func (d *directory) Leave(ctx context.Context, _ string) error {
	return d.change(ctx, "leave", func(s *store) {
		if row := s.member(d.node); row != nil && !row.Leaving {
			row.Leaving = true
			s.changed(false)
		}
	})
}

// Remove removes the node.
func (d *directory) Remove(ctx context.Context, _ string) error {
	return d.change(ctx, "remove", func(s *store) {
		before := len(s.members)
		s.members = slices.DeleteFunc(s.members, func(row *memberRow) bool { return row.life == d.node })
		if len(s.members) < before {
			s.changed(true)
		}
	})
}

// Announce notes that the node appends to an organization.
func (d *directory) Announce(ctx context.Context, _ string, id organization.ID) (note uint64, err error) {
	note = d.ids.Add(1) | uint64(d.number)<<32
	return note, d.change(ctx, "announce "+d.world.label(id)+attemptIn(ctx), func(s *store) { s.announced[note] = id })
}

// Withdraw removes a note.
func (d *directory) Withdraw(ctx context.Context, note uint64) error {
	return d.change(ctx, fmt.Sprintf("withdraw %d", note), func(s *store) { delete(s.announced, note) })
}

// Close has no effect.
func (*directory) Close() error { return nil }

// links are the connections of a node to others.
type links struct{ *node }

// find returns the life of a member, or nil if it does not receive messages from the node.
func (l links) find(to messages.Node) *node {
	for _, n := range l.world.lives {
		if fmt.Sprintf("%04d", n.number) == to.ID && !n.dead.Load() && !n.apart && !l.apart {
			return n
		}
	}
	return nil
}

// send carries out an effect at another node. It does not wait.
func (l links) send(to messages.Node, text string, effect func(*node)) {
	l.world.gate.add(&access{from: l.node, kind: serving, text: text + " n" + to.ID, effect: func() error {
		if n := l.find(to); n != nil {
			effect(n)
		}
		return nil
	}, answer: func(error) {}})
}

// Hurry asks a member to renew.
func (l links) Hurry(to messages.Node) {
	l.send(to, "hurry", func(n *node) {
		if m, is := n.member.(*membership); is {
			m.Hurry()
		}
	})
}

// Wake wakes a consumer at a member.
func (l links) Wake(to messages.Node, id organization.ID, consumer string) {
	l.send(to, "wake "+l.world.label(id)+" "+consumer+" at", func(n *node) {
		if organizations := n.serving(); organizations != nil {
			organizations.WakeOwned(id, consumer)
		}
	})
}

// CatchUp waits for the confirmation of a member. Both its question and the answer take time.
func (l links) CatchUp(ctx context.Context, to messages.Node, id organization.ID, sequence uint64) error {
	if l.world.store.planted == confirmsUnasked {
		return nil
	}
	return l.ask(ctx, to, fmt.Sprintf("catch-up %s %d%s", l.world.label(id), sequence, attemptIn(ctx)), func(ctx context.Context, at *actors.Organizations) error {
		return at.CatchUp(ctx, id, sequence)
	})
}

// Follow requests a read lease.
func (l links) Follow(ctx context.Context, to messages.Node, holder string, id organization.ID) (uint64, time.Duration, error) {
	var granted struct {
		sequence uint64
		length   time.Duration
	}
	err := l.ask(ctx, to, "follow "+l.world.label(id), func(ctx context.Context, at *actors.Organizations) (err error) {
		granted.sequence, granted.length, err = at.Grant(ctx, id, holder)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return granted.sequence, granted.length, nil
}

// Revoke waits for the end of a read lease.
func (l links) Revoke(ctx context.Context, to messages.Node, id organization.ID) error {
	if l.world.store.planted == revokesUnasked {
		return nil
	}
	return l.ask(ctx, to, "revoke "+l.world.label(id), func(_ context.Context, at *actors.Organizations) error {
		at.Revoke(id)
		return nil
	})
}

// ask asks a question of another member. Its work does not end with the context.
func (l links) ask(ctx context.Context, to messages.Node, question string, work func(context.Context, *actors.Organizations) error) error {
	var asked *node
	err := l.wait(ctx, serving, "ask n"+to.ID+" to "+question, func() error {
		if asked = l.find(to); asked == nil {
			return errCrashed
		}
		return nil
	})
	if err != nil {
		return err
	}
	organizations := asked.serving()
	if organizations == nil {
		return messages.ErrUnavailable
	}
	done := make(chan error, 1)
	go func() { done <- work(asked.life, organizations) }() // the member does not know the limit of the question
	select {
	case err := <-done:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	return asked.wait(ctx, serving, "answer n"+fmt.Sprintf("%04d", l.number)+" to "+question, func() error { return nil })
}
