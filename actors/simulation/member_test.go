package simulation_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"equity/actors/cluster"
	"equity/messages"
	"equity/organization"
)

// The times of members. No time is a multiple of another one, because two timers that end together have no order.
const (
	memberBeat  = 250*time.Millisecond + 7919
	memberCall  = 1900*time.Millisecond + 123_457
	memberAgain = 300*time.Millisecond + 54_321
	// forgottenAfter is the time without a heartbeat after which a node is removed from the list.
	forgottenAfter = 5 * time.Second
)

// memberRow is the stored row of a member.
type memberRow struct {
	messages.Node

	life *node
	seen time.Time
}

// beat records a heartbeat of a node, and returns the other nodes. It removes those without a heartbeat for too long.
func (s *store) beat(self messages.Node, life *node) (others []messages.Node) {
	now := time.Now()
	s.members = slices.DeleteFunc(s.members, func(row *memberRow) bool { return row.life == life || now.Sub(row.seen) > forgottenAfter })
	for _, row := range s.members {
		other := row.Node
		other.Silent = now.Sub(row.seen)
		others = append(others, other)
	}
	s.members = append(s.members, &memberRow{self, life, now})
	slices.SortFunc(s.members, func(a, b *memberRow) int { return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.ID, b.ID)) })
	return others
}

// leave removes a node from the list.
func (s *store) leave(id string) {
	s.members = slices.DeleteFunc(s.members, func(row *memberRow) bool { return row.ID == id })
}

// lists reports whether a node is in the list.
func (s *store) lists(id string) bool {
	return slices.ContainsFunc(s.members, func(row *memberRow) bool { return row.ID == id })
}

// first returns the node that is asked first for an organization by the whole list; nil if it is empty.
func (s *store) first(id organization.ID) *node {
	addresses := make([]string, len(s.members))
	for i, row := range s.members {
		addresses[i] = row.Address
	}
	first := cluster.First(addresses, id)
	for _, row := range s.members {
		if row.Address == first {
			return row.life
		}
	}
	return nil
}

// membership makes a node a member of the cluster. It serves all organizations at any time.
type membership struct {
	*cluster.Member

	node *node
}

func newMembership(n *node) *membership {
	m := &membership{node: n}
	m.Member = cluster.New(cluster.Settings{
		Self: n.identity(), Heartbeat: memberBeat, Directory: directory{n}, Lost: func(error) {}, Now: n.now, Log: slog.New(slog.DiscardHandler),
	})
	return m
}

// identity returns the node as others know it.
func (n *node) identity() messages.Node {
	return messages.Node{ID: fmt.Sprintf("%04d", n.number), Address: fmt.Sprintf("server %d", n.server)}
}

func (*membership) owns() bool { return true }

// run joins the cluster, and leaves it in order when the context ends.
func (m *membership) run(ctx context.Context) {
	m.node.open()
	for m.Join(ctx) != nil {
		again := time.NewTimer(memberAgain)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
	}
	m.node.tick(ctx)
	<-ctx.Done()
	m.step("stop") //nolint:contextcheck // the context has ended
	m.node.stopClock()
	m.step("leave")                         //nolint:contextcheck // the context has ended
	_ = m.Leave(context.WithoutCancel(ctx)) // others forget it otherwise
	m.step("end")                           //nolint:contextcheck // the context has ended
}

func (m *membership) end() { _ = m.Close(context.Background()) }

// step waits for a step of its own, because the member reacts to the last one at the same time.
func (m *membership) step(text string) {
	_ = m.node.wait(context.Background(), stepping, text, func() error { return nil })
}

// directory is the access of a node to the list of members.
type directory struct{ *node }

func (d directory) change(ctx context.Context, kind kind, text string, effect func(s *store)) error {
	ctx, cancel := context.WithTimeout(ctx, memberCall)
	defer cancel()
	return d.wait(ctx, kind, text, func() error {
		effect(d.world.store)
		return nil
	})
}

// Beat sends a heartbeat.
func (d directory) Beat(ctx context.Context, self messages.Node) ([]messages.Node, error) {
	var others []messages.Node
	if err := d.change(ctx, repeating, "beat", func(s *store) { others = s.beat(self, d.node) }); err != nil {
		return nil, err
	}
	return others, nil
}

// Leave removes the node from the list.
func (d directory) Leave(ctx context.Context, id string) error {
	return d.change(ctx, writing, "leave the list", func(s *store) { s.leave(id) })
}

// Close has no effect.
func (directory) Close() error { return nil }

// links are the connections of a node to others.
type links struct{ *node }

// find returns the life of a member, or nil if it does not receive messages from the node.
func (l links) find(to messages.Node) *node {
	for _, n := range l.world.lives {
		if n.identity().ID == to.ID && !n.dead.Load() && !n.apart && !l.apart {
			return n
		}
	}
	return nil
}

// errSilent reports that a node does not answer a health check.
var errSilent = errors.New("the node does not answer a health check")

// alive sends a health check to another node. A paused one does not answer.
func (l links) alive(ctx context.Context, to messages.Node) error {
	var found *node
	return l.ask(ctx, &access{kind: asking, text: "ask n" + to.ID + " for its health" + attemptIn(ctx), effect: func() error {
		if found = l.find(to); found == nil {
			return errSilent
		}
		return nil
	}, when: func() bool {
		found := l.find(to)
		return found == nil || !found.paused
	}})
}
