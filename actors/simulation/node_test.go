package simulation_test

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/mail"
	"equity/messages"
	"equity/organization"
)

// node is one life of a server: from its start to its end or crash. The next life of the same server is another node.
type node struct {
	world  *world
	number int // of the life; the lives of all servers are numbered together
	server int
	skew   time.Duration // of the clock
	// dead nodes reach neither the store nor the service nor their callers.
	dead   atomic.Bool
	paused bool // its accesses and messages wait
	cut    bool // the store does not answer
	apart  bool // the other nodes do not answer
	// seen are the sequences that the node has read or written, by organization.
	seen map[organization.ID]uint64
	// claiming counts the running claims of alarms.
	claiming atomic.Int32
	// continuing is the request that may continue within the node; see [node.pause].
	continuing atomic.Pointer[delivery]
	// alone counts the requests in progress that may have to wait within the node.
	alone int
	// floors are the sequences that callers of this node have seen, by organization. They begin with the heads at its start.
	floors map[organization.ID]uint64
	ids    atomic.Uint64
	member ownership
	port   port
	stop   func()
	ended  chan struct{}
	// life ends with the service of a member.
	life    context.Context //nolint:containedctx // it ends the requests
	endLife func()

	mu            sync.Mutex
	organizations *actors.Organizations // nil before the node may serve, and after its end
	clock         *consumer.Clock
}

// start begins a life of a server.
func (w *world) start(server int) {
	n := &node{
		world: w, number: len(w.lives), server: server, floors: map[organization.ID]uint64{}, ended: make(chan struct{}),
		seen: map[organization.ID]uint64{},
	}
	if w.plan.Skew > 0 {
		n.skew = time.Duration(w.random.Int64N(int64(2*w.plan.Skew))) - w.plan.Skew
	}
	for _, id := range w.organizations {
		n.floors[id] = w.store.head(id)
	}
	n.port = port{n, w.store}
	w.lives = append(w.lives, n)
	w.servers[server] = n
	ctx, cancel := context.WithCancel(context.Background())
	n.stop = sync.OnceFunc(cancel)
	n.life, n.endLife = context.WithCancel(context.Background())
	n.member = w.plan.ownership(n)
	go func() {
		defer close(n.ended)
		n.member.run(ctx)
		if w.plan.Cluster {
			n.endLife()
		}
		n.close() //nolint:contextcheck // the context has ended
		n.member.end()
	}()
}

func (n *node) now() time.Time { return time.Now().Add(n.skew) }

func (n *node) newID() (id [16]byte) {
	binary.BigEndian.PutUint32(id[:], uint32(n.number+1))
	binary.BigEndian.PutUint64(id[4:], n.ids.Add(1))
	id[15] = 0x55
	return id
}

// jitter returns a delay that depends on the seed and the time only.
func (n *node) jitter(below time.Duration) time.Duration {
	x := n.world.plan.Seed*0x9e3779b97f4a7c15 + uint64(time.Now().UnixNano()) + uint64(n.number)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return time.Duration((x ^ x>>31) % uint64(below))
}

// open starts the actors.
func (n *node) open() {
	w, log := n.world, slog.New(slog.DiscardHandler)
	settings := actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: w.plan.Passivate, SnapshotEvery: w.plan.SnapshotEvery, RememberKeys: 24 * time.Hour, Patience: w.plan.Patience,
		StaleReads: w.plan.StaleReads, Jitter: n.jitter, Now: n.now, NewID: n.newID,
	}
	if w.plan.Consumers {
		breakers := consumer.NewBreakers(n.now)
		settings.Consumers = consumer.NewSet(organization.NewSchema(), n.port, n.now, log,
			mail.NewConsumer(n.port, n.port, transport{n}, transport{n}, breakers, "mail.example", n.now), &ledger{n})
		settings.Consumers.Spread(n.jitter)
	}
	if w.plan.Cluster {
		settings.Shared, settings.Claim = true, n.requestAlarm
		settings.Traced = func(ctx context.Context, _ *messages.Command, _ time.Time) { n.pause(ctx) }
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.organizations = actors.NewOrganizations(w.system, n.port, settings, log)
}

// tick starts the clock of the consumers. It outlives the context.
func (n *node) tick(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.world.plan.Consumers {
		return
	}
	wake := n.organizations.Wake
	if n.world.plan.Cluster {
		wake = n.organizations.WakeClaimed
	}
	n.clock = consumer.NewClock(context.WithoutCancel(ctx), n.port, wake, n.now, slog.New(slog.DiscardHandler))
}

// stopClock stops the clock of the consumers.
func (n *node) stopClock() {
	n.mu.Lock()
	clock := n.clock
	n.clock = nil
	n.mu.Unlock()
	if clock != nil {
		clock.Stop()
	}
}

// close stops the actors.
func (n *node) close() {
	n.stopClock()
	n.mu.Lock()
	organizations := n.organizations
	n.organizations = nil
	n.mu.Unlock()
	if organizations != nil {
		_ = organizations.Stop(context.Background())
	}
}

func (n *node) serving() *actors.Organizations {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.organizations
}

// answer is the response to a request.
type answer struct {
	*delivery
	from  *node
	reply messages.Reply
	view  *messages.View
	err   error
	// late reports that the caller waited until the end of its patience without a fault.
	late bool
	// doubtful reports that an attempt of a forwarded request may be carried out later.
	doubtful bool
}

// serve carries out a request, in a goroutine of its own. A node that may not answer any more does not acknowledge a write either:
// the journal may accept it, but the next owner may have loaded the organization before.
func (n *node) serve(ctx context.Context, a *delivery) answer {
	organizations := n.serving()
	if organizations == nil || !n.member.owns() {
		return answer{delivery: a, from: n, err: messages.ErrUnavailable}
	}
	ctx = context.WithValue(ctx, attemptKey{}, a)
	given := answer{delivery: a, from: n}
	op := a.operation
	switch op.kind {
	case opRead:
		given.view, given.err = organizations.View(ctx, op.organization)
	case opPast:
		given.view, given.err = organizations.ViewAt(ctx, op.organization, op.past)
	default:
		given.reply, given.err = n.change(ctx, organizations, a)
	}
	recorded := given.err == nil && !op.reads() && op.kind != opTrial
	switch {
	case n.member.owns(), errors.Is(given.err, messages.ErrOutcomeUnknown), recorded && n.world.store.planted == acknowledgesWithoutLease:
		return given
	case recorded:
		return answer{delivery: a, from: n, err: messages.ErrOutcomeUnknown}
	default:
		return answer{delivery: a, from: n, err: messages.ErrUnavailable}
	}
}

// pause lets the world decide when a request of a cluster continues. At most one request of a node continues at a time: it is the only one that may
// send the next message to the actor of its organization.
func (n *node) pause(ctx context.Context) {
	d, is := ctx.Value(attemptKey{}).(*delivery)
	if !is {
		return
	}
	n.resumed(d)
	_ = n.ask(n.life, &access{ //nolint:contextcheck // the node may end before the request
		kind: stepping, text: "continue " + d.label(), when: func() bool { return n.continuing.Load() == nil },
		effect: func() error {
			n.continuing.Store(d)
			return nil
		},
	})
}

// resumed lets the next request continue after the given one.
func (n *node) resumed(d *delivery) { n.continuing.CompareAndSwap(d, nil) }

type attemptKey struct{}

// attemptIn returns the label of the attempt that the context belongs to.
func attemptIn(ctx context.Context) string {
	if a, ok := ctx.Value(attemptKey{}).(*delivery); ok {
		return " for " + a.label()
	}
	return ""
}
