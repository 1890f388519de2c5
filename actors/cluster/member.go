package cluster

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"equity/messages"
	"equity/organization"
)

// Directory stores the list of servers. It is safe for concurrent use.
type Directory interface {
	// Beat sends a heartbeat, and returns the other servers with the times since theirs. A server without an address is not asked. It returns messages.ErrRemoved if this server must end.
	Beat(ctx context.Context, node messages.Node) ([]messages.Node, error)
	// Leave removes the server from the list.
	Leave(ctx context.Context, id string) error
	Close() error
}

// Settings describe a member.
type Settings struct {
	Self messages.Node
	// Heartbeat is the time between two heartbeats.
	Heartbeat time.Duration
	Directory Directory
	// Lost is called once if this server must end.
	Lost func(error)
	Now  func() time.Time
	Log  *slog.Logger
}

const (
	// missedBeats is the number of heartbeats without which another server is not asked any more.
	missedBeats = 4
	// avoidTime is the time for which a server that did not answer is not asked.
	avoidTime = time.Second
)

// Member is this server as a member of the cluster. It is safe for concurrent use.
type Member struct {
	settings Settings
	order    atomic.Pointer[order]
	leaving  atomic.Bool
	beaten   atomic.Int64 // the time of the last heartbeat, in Unix microseconds
	stop     context.CancelFunc
	work     sync.WaitGroup

	mutex   sync.Mutex
	avoided map[string]time.Time // the end of the time, by id
}

// New returns a member that has not joined yet, and serves all organizations itself.
func New(settings Settings) *Member {
	m := &Member{settings: settings, stop: func() {}, avoided: map[string]time.Time{}}
	m.order.Store(newOrder(settings.Self, nil))
	return m
}

// Join makes the server a member, and sends heartbeats until Close.
func (m *Member) Join(ctx context.Context) error {
	if err := m.beat(ctx); err != nil {
		return err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	m.stop = stop
	m.work.Go(func() { m.run(running) })
	return nil
}

func (m *Member) run(ctx context.Context) {
	ticker := time.NewTicker(m.settings.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		err := m.beat(ctx)
		switch {
		case errors.Is(err, messages.ErrRemoved):
			m.settings.Log.Error("this server stops", "cause", err)
			m.settings.Lost(err)
			return
		case err != nil && ctx.Err() == nil:
			m.settings.Log.Warn("the heartbeat failed", "cause", err)
		}
	}
}

// beat sends a heartbeat and takes over the list.
func (m *Member) beat(ctx context.Context) error {
	self := m.settings.Self
	if m.leaving.Load() {
		self.Address = "" // the others ask no server without an address
	}
	others, err := m.settings.Directory.Beat(ctx, self)
	if err != nil {
		return err
	}
	m.beaten.Store(m.settings.Now().UnixMicro())
	limit := m.heartbeatTimeout()
	living := others[:0]
	for _, other := range others {
		if other.Silent < limit && other.Address != "" {
			living = append(living, other)
		}
	}
	next := newOrder(m.settings.Self, living)
	if before := m.order.Swap(next); !before.equals(next) {
		m.settings.Log.Info("the servers of the cluster have changed", "servers", len(living)+1)
	}
	return nil
}

// heartbeatTimeout is the time without a heartbeat after which a server is not asked.
func (m *Member) heartbeatTimeout() time.Duration {
	return max(missedBeats*m.settings.Heartbeat, avoidTime)
}

// Beating reports whether this server sends heartbeats. Without them it has probably no connection to the database.
func (m *Member) Beating() bool {
	return m.settings.Now().Sub(time.UnixMicro(m.beaten.Load())).Abs() < m.heartbeatTimeout()
}

// Leave makes the servers, this one too, ask another one. It still serves what is sent to it, and keeps its alarms until Close.
func (m *Member) Leave(ctx context.Context) error {
	m.leaving.Store(true)
	return m.beat(ctx)
}

// Close removes this server from the list.
func (m *Member) Close(ctx context.Context) error {
	m.stop()
	m.work.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	err := m.settings.Directory.Leave(ctx, m.settings.Self.ID)
	return errors.Join(err, m.settings.Directory.Close())
}

const closeWithin = 2 * time.Second

// First returns the server that is asked first to serve the writes of the organization. Self reports that it is this one.
func (m *Member) First(id organization.ID) (node messages.Node, self bool) {
	node = m.order.Load().first(id, m.avoids(), m.leaving.Load())
	return node, node.ID == m.settings.Self.ID
}

// Avoid does not ask the server for a moment, because it did not answer.
func (m *Member) Avoid(node messages.Node) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.avoided[node.ID] = m.settings.Now().Add(avoidTime)
}

// avoids returns the function that reports whether a server is avoided at present; nil if none is.
func (m *Member) avoids() func(id string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.avoided) == 0 {
		return nil
	}
	now, current := m.settings.Now(), map[string]bool{}
	for id, until := range m.avoided {
		if remaining := until.Sub(now); remaining <= 0 || remaining > avoidTime {
			delete(m.avoided, id)
			continue
		}
		current[id] = true
	}
	return func(id string) bool { return current[id] }
}

// Size returns the number of living servers.
func (m *Member) Size() int { return len(m.order.Load().servers) }
