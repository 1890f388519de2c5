package cluster_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors/cluster"
	"equity/messages"
	"equity/organization"
)

// list is a list of servers in memory.
type list struct {
	mu      sync.Mutex
	seen    map[string]time.Time
	nodes   map[string]messages.Node
	removed bool
}

func newList() *list { return &list{seen: map[string]time.Time{}, nodes: map[string]messages.Node{}} }

func (l *list) Beat(_ context.Context, node messages.Node) (others []messages.Node, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.removed {
		return nil, messages.ErrRemoved
	}
	l.seen[node.ID], l.nodes[node.ID] = time.Now(), node
	for id, other := range l.nodes {
		if other.Silent = time.Since(l.seen[id]); id != node.ID {
			others = append(others, other)
		}
	}
	return others, nil
}

func (l *list) Leave(_ context.Context, id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.nodes, id)
	return nil
}

func (*list) Close() error { return nil }

const heartbeat = 250 * time.Millisecond

// join starts a member.
func (l *list) join(t *testing.T, id string) *cluster.Member {
	t.Helper()
	m := cluster.New(cluster.Settings{
		Self: messages.Node{ID: id, Address: "10.0.0." + id + ":7000"}, Heartbeat: heartbeat, Directory: l,
		Lost: func(err error) { t.Error(err) }, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err := m.Join(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

func newID() (id organization.ID) {
	_, _ = rand.Read(id[:])
	return id
}

// firsts returns the servers that are asked first for many organizations, with their numbers.
func firsts(m *cluster.Member, ids []organization.ID) map[string]int {
	found := map[string]int{}
	for _, id := range ids {
		node, _ := m.First(id)
		found[node.ID]++
	}
	return found
}

func someIDs() (ids []organization.ID) {
	for range 300 {
		ids = append(ids, newID())
	}
	return ids
}

func TestMembersAgreeOnTheFirstServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, ids := newList(), someIDs()
		members := []*cluster.Member{l.join(t, "1"), l.join(t, "2"), l.join(t, "3")}
		time.Sleep(2 * heartbeat)
		for _, id := range ids {
			first, _ := members[0].First(id)
			for i, m := range members {
				node, self := m.First(id)
				if node.ID != first.ID || self != (node.ID == []string{"1", "2", "3"}[i]) {
					t.Fatalf("member %d asks %s, another one %s", i+1, node.ID, first.ID)
				}
			}
		}
		for id, number := range firsts(members[0], ids) {
			if number < 60 {
				t.Errorf("server %s is first for %d of 300 organizations", id, number)
			}
		}
		for _, m := range members {
			if err := m.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestSilentServerIsNotAskedAndReturns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, ids := newList(), someIDs()
		one := l.join(t, "1")
		_, _ = l.Beat(t.Context(), messages.Node{ID: "2", Address: "10.0.0.2:7000"})
		time.Sleep(2 * heartbeat)
		if one.Size() != 2 || len(firsts(one, ids)) != 2 {
			t.Errorf("%d servers", one.Size())
		}
		time.Sleep(8 * heartbeat)
		if one.Size() != 1 || len(firsts(one, ids)) != 1 {
			t.Errorf("%d servers after the silence", one.Size())
		}
		two := l.join(t, "2")
		time.Sleep(2 * heartbeat)
		if one.Size() != 2 || two.Size() != 2 {
			t.Errorf("%d servers after the return", one.Size())
		}
		if err := errors.Join(one.Close(t.Context()), two.Close(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func TestAvoidedServerIsNotAskedForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, ids := newList(), someIDs()
		one, two := l.join(t, "1"), l.join(t, "2")
		time.Sleep(2 * heartbeat)
		one.Avoid(messages.Node{ID: "2"})
		if asked := firsts(one, ids); asked["2"] != 0 {
			t.Errorf("an avoided server is asked: %v", asked)
		}
		if asked := firsts(two, ids); asked["2"] == 0 {
			t.Error("a server avoids itself")
		}
		time.Sleep(1100 * time.Millisecond)
		if asked := firsts(one, ids); asked["2"] == 0 {
			t.Error("a server is avoided for ever")
		}
		if err := errors.Join(one.Close(t.Context()), two.Close(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func TestServerThatLeavesAsksTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, ids := newList(), someIDs()
		one, two := l.join(t, "1"), l.join(t, "2")
		time.Sleep(2 * heartbeat)
		if err := one.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * heartbeat)
		if asked := firsts(one, ids); len(asked) != 1 || asked["2"] == 0 {
			t.Errorf("a server that leaves asks %v", asked)
		}
		one.Avoid(messages.Node{ID: "2"})
		if asked := firsts(one, ids); len(asked) != 1 || asked["1"] == 0 {
			t.Errorf("a server that leaves asks %v while the other one is avoided", asked)
		}
		if asked := firsts(two, ids); len(asked) != 1 || two.Size() != 1 {
			t.Errorf("a server asks %v after the other one has left", asked)
		}
		if err := errors.Join(one.Close(t.Context()), two.Close(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func TestServerThatIsReplacedEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, lost := newList(), make(chan error, 1)
		m := cluster.New(cluster.Settings{
			Self: messages.Node{ID: "1", Address: "10.0.0.1:7000"}, Heartbeat: heartbeat, Directory: l,
			Lost: func(err error) { lost <- err }, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		if err := m.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.mu.Lock()
		l.removed = true
		l.mu.Unlock()
		if err := <-lost; !errors.Is(err, messages.ErrRemoved) {
			t.Error(err)
		}
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
