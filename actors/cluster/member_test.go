package cluster_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/cluster"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// group is a cluster in the process of the test, over one database.
type group struct {
	t  *testing.T
	db *persistence.Database

	mu      sync.Mutex
	members map[string]*cluster.Member // by address
	// learned counts the calls of Learn.
	learned map[organization.ID]int
}

func newGroup(t *testing.T) *group {
	t.Helper()
	return &group{t: t, db: storetest.Open(t, storetest.PostgreSQL(t)), members: map[string]*cluster.Member{}, learned: map[organization.ID]int{}}
}

func (g *group) learn(id organization.ID, _ uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.learned[id]++
}

// Hurry, Wake and CatchUp are the links between the members.
func (g *group) Hurry(to messages.Node) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m := g.members[to.Address]; m != nil {
		m.Hurry()
	}
}

func (*group) Wake(messages.Node, organization.ID, string) {}

func (*group) CatchUp(context.Context, messages.Node, organization.ID, uint64) error { return nil }

// Follow and Revoke fail, because members of this group hold no organizations.
func (*group) Follow(context.Context, messages.Node, string, organization.ID) (uint64, time.Duration, error) {
	return 0, 0, errors.ErrUnsupported
}

func (*group) Revoke(context.Context, messages.Node, organization.ID) error {
	return errors.ErrUnsupported
}

var testTimes = messages.NodeTimes{Heartbeat: 50 * time.Millisecond, Lease: 5 * time.Second, Expiry: 20 * time.Second}

// start starts a member. Release runs while it hands over, unless it is nil.
func (g *group) start(address string, times messages.NodeTimes, release func(context.Context) error, lost func(error)) *cluster.Member {
	g.t.Helper()
	if release == nil {
		release = func(context.Context) error { return nil }
	}
	nodes := persistence.NewNodes(g.db, times)
	id := rand.Text()
	m := cluster.New(cluster.Settings{
		Self: messages.Node{ID: id, Address: address}, Times: times, Directory: nodes, Links: g, Release: release, Learn: g.learn, Lost: lost, Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	g.mu.Lock()
	g.members[address] = m
	g.mu.Unlock()
	if err := m.Join(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
	return m
}

func (g *group) close(m *cluster.Member) {
	if err := m.Close(context.Background()); err != nil {
		g.t.Error(err)
	}
}

func organizations(number int) []organization.ID {
	ids := make([]organization.ID, number)
	for i := range ids {
		_, _ = rand.Read(ids[i][:]) // never fails
	}
	return ids
}

// owned returns the number of organizations of which each member is the owner.
func owned(ids []organization.ID, members ...*cluster.Member) []int {
	counts := make([]int, len(members))
	for _, id := range ids {
		for i, m := range members {
			if m.Standing(id) == actors.Owner {
				counts[i]++
			}
		}
	}
	return counts
}

func TestMembersShareTheOrganizations(t *testing.T) {
	t.Parallel()
	g, ids := newGroup(t), organizations(300)
	var members []*cluster.Member
	for i := range 3 {
		m := g.start(fmt.Sprintf("10.0.0.%d:7000", i+1), testTimes, nil, nil)
		defer g.close(m)
		members = append(members, m)
	}
	for _, m := range members { // the last join has completed at all of them
		for changed := m.Changed(); owned(ids, m)[0] > 200; changed = m.Changed() {
			<-changed
		}
	}
	counts := owned(ids, members...)
	if counts[0]+counts[1]+counts[2] != len(ids) {
		t.Errorf("%v of %d organizations are owned", counts, len(ids))
	}
	for _, n := range counts {
		if n < 50 {
			t.Errorf("the shares are uneven: %v", counts)
		}
	}
}

func TestAnOrganizationHasOneOwnerWhileMembersChange(t *testing.T) {
	t.Parallel()
	g, ids := newGroup(t), organizations(40)
	first := g.start("10.0.0.1:7000", testTimes, nil, nil)
	defer g.close(first)
	var second atomic.Pointer[cluster.Member]
	stop, checked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(checked)
		for {
			select {
			case <-stop:
				return
			default:
			}
			other := second.Load()
			if other == nil {
				runtime.Gosched()
				continue
			}
			for _, id := range ids {
				before := first.Standing(id) == actors.Owner
				between := other.Standing(id) == actors.Owner
				if before && between && first.Standing(id) == actors.Owner && other.Standing(id) == actors.Owner {
					t.Errorf("two owners of %s", id)
					return
				}
			}
		}
	}()
	for range 3 {
		m := g.start("10.0.0.2:7000", testTimes, nil, nil)
		second.Store(m)
		if owned(ids, m)[0] == 0 {
			t.Error("the new member owns nothing")
		}
		if err := m.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		second.Store(nil)
		if n := owned(ids, m)[0]; n != 0 {
			t.Errorf("a member that has left owns %d organizations", n)
		}
		g.close(m)
	}
	close(stop)
	<-checked
}

func TestNewOwnerWaitsForTheHandover(t *testing.T) {
	t.Parallel()
	g, ids := newGroup(t), organizations(40)
	handing, handed := make(chan struct{}), make(chan struct{})
	var releases atomic.Int64
	first := g.start("10.0.0.1:7000", testTimes, func(context.Context) error {
		if releases.Add(1) == 2 { // the first one is that of its own join
			close(handing)
			<-handed
		}
		return nil
	}, nil)
	defer g.close(first)
	joined := make(chan *cluster.Member)
	go func() {
		m := g.start("10.0.0.2:7000", testTimes, nil, nil)
		joined <- m
	}()
	<-handing
	g.mu.Lock()
	second := g.members["10.0.0.2:7000"]
	g.mu.Unlock()
	if n := owned(ids, second)[0]; n != 0 {
		t.Errorf("the new member owns %d organizations before the handover", n)
	}
	if n := owned(ids, first)[0]; n == 0 || n == len(ids) {
		t.Errorf("during the handover, the former owner serves %d organizations of %d", n, len(ids))
	}
	close(handed)
	m := <-joined
	defer g.close(m)
	if n := owned(ids, m)[0]; n == 0 {
		t.Error("the new member owns nothing after the handover")
	}
}

func TestRemovedMemberIsTold(t *testing.T) {
	t.Parallel()
	g, ids := newGroup(t), organizations(10)
	lost := make(chan error, 1)
	m := g.start("10.0.0.1:7000", messages.NodeTimes{Heartbeat: 50 * time.Millisecond, Lease: time.Nanosecond, Expiry: time.Minute}, nil, func(err error) { lost <- err })
	if n := owned(ids, m)[0]; n != 0 {
		t.Errorf("a member without a lease answers for %d organizations", n)
	}
	if m.Standing(ids[0]) != actors.Unleased {
		t.Errorf("standing %d", m.Standing(ids[0]))
	}
	if _, err := g.db.Writer().ExecContext(t.Context(), `DELETE FROM node`); err != nil {
		t.Fatal(err)
	}
	if err := <-lost; !errors.Is(err, messages.ErrRemoved) {
		t.Error(err)
	}
	g.close(m)
}

func TestAllMembersMayLeave(t *testing.T) {
	t.Parallel()
	g, ids := newGroup(t), organizations(10)
	one := g.start("10.0.0.1:7000", testTimes, nil, nil)
	two := g.start("10.0.0.2:7000", testTimes, nil, nil)
	for _, m := range []*cluster.Member{one, two} {
		if err := m.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	g.close(one)
	for changed := two.Changed(); owned(ids, two)[0] < len(ids); changed = two.Changed() {
		<-changed
	}
	g.close(two)
}

func TestMembersLearnOfAppendsOfGuests(t *testing.T) {
	t.Parallel()
	g, id := newGroup(t), organizations(1)[0]
	m := g.start("10.0.0.1:7000", testTimes, nil, nil)
	defer g.close(m)
	withdraw, err := m.Announce(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	learned := func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.learned[id]
	}
	for deadline := time.Now().Add(20 * time.Second); learned() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the member does not learn of an append")
		}
	}
	withdraw()
	before := learned()
	time.Sleep(5 * testTimes.Heartbeat)
	if after := learned(); after > before+1 { // one renewal may have begun before
		t.Errorf("the member learned of a withdrawn append %d times", after-before)
	}
}
