package actors_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"equity/actors"
	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence/storetest"
)

// memory is a journal in memory. Like the real one it commits groups,
// each after a latency, refuses a used sequence, and can inject faults.
type memory struct {
	tb      testing.TB
	latency func() time.Duration
	queue   chan pending
	ended   chan struct{}

	mu        sync.Mutex
	rows      map[organization.ID][]messages.Row
	stakes    map[organization.ID]map[captable.EntityID]bool
	members   map[organization.ID]map[organization.UserID]bool
	resources map[[16]byte]string
	snapshots map[organization.ID][]snapshot
	heads     map[organization.ID]messages.Row
	flying    map[organization.ID]int
	faults    []failure
	down      error // error of every call; nil while the store is available
	batches   []int // events in each append that was stored
	scans     int
	beforeRow func(messages.Row) error
	// beforeKeys is called once, before the next read of the keys.
	confirmed  int // calls of Confirm
	beforeKeys func()
	saving     func(context.Context) error
}

var _ actors.Journal = (*memory)(nil)

type pending struct {
	batch messages.Append
	done  func(error)
}

type snapshot = messages.Snapshot

// fault replaces the storing and answering of an append.
type failure func(m *memory, p pending)

var errDisk = errors.New("the disk is on fire")

// refuse reports the append as not stored.
func refuse(_ *memory, p pending) { p.done(fmt.Errorf("%w: %w", messages.ErrNotStored, errDisk)) }

// lose discards the append and reports an unknown outcome.
func lose(_ *memory, p pending) { p.done(fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, errDisk)) }

// land stores the append and reports an unknown outcome.
func land(m *memory, p pending) {
	_ = m.keep(p.batch)
	p.done(fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, errDisk))
}

// hang blocks the append until it is released.
func hang(release <-chan struct{}) failure {
	return func(m *memory, p pending) {
		go func() {
			<-release
			p.done(m.keep(p.batch))
		}()
	}
}

// reportLate stores the append at once, and reports it when it is released.
func reportLate(release <-chan struct{}) failure {
	return func(m *memory, p pending) {
		err := m.keep(p.batch)
		go func() {
			<-release
			p.done(err)
		}()
	}
}

// pass stores the append normally.
func pass(m *memory, p pending) { p.done(m.keep(p.batch)) }

func newMemory(tb testing.TB, latency func() time.Duration) *memory {
	tb.Helper()
	m := &memory{
		tb: tb, latency: latency, queue: make(chan pending, 8192), ended: make(chan struct{}),
		rows:   map[organization.ID][]messages.Row{},
		stakes: map[organization.ID]map[captable.EntityID]bool{}, members: map[organization.ID]map[organization.UserID]bool{},
		heads: map[organization.ID]messages.Row{}, resources: map[[16]byte]string{}, snapshots: map[organization.ID][]snapshot{},
		flying: map[organization.ID]int{},
	}
	go m.run()
	storetest.Cleanup(tb, func() {
		close(m.queue)
		<-m.ended
		m.verify()
	})
	return m
}

// after returns a constant latency.
func after(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

func (m *memory) run() {
	defer close(m.ended)
	for first := range m.queue {
		group := []pending{first}
		for more := true; more; {
			select {
			case next, open := <-m.queue:
				if more = open; open {
					group = append(group, next)
				}
			default:
				more = false
			}
		}
		time.Sleep(m.latency())
		for _, p := range group {
			m.next()(m, p)
		}
	}
}

// next returns the fault of the next append.
func (m *memory) next() failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.down != nil:
		return refuse
	case len(m.faults) == 0:
		return pass
	}
	met := m.faults[0]
	m.faults = m.faults[1:]
	return met
}

// meet injects these faults into the next appends, in order.
func (m *memory) meet(faults ...failure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = append(m.faults, faults...)
}

// fail makes every call fail with err, until it is called with nil.
func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = err
}

func (m *memory) Append(batch messages.Append, done func(error)) {
	m.mu.Lock()
	m.flying[batch.Organization]++
	m.mu.Unlock()
	m.queue <- pending{batch, func(err error) {
		m.mu.Lock()
		m.flying[batch.Organization]--
		m.mu.Unlock()
		done(err)
	}}
}

// keep stores the append atomically.
func (m *memory) keep(batch messages.Append) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := batch.Organization
	if len(batch.Rows) == 0 {
		m.tb.Errorf("an append of %s holds no rows", id)
	}
	for i, row := range batch.Rows {
		if row.Sequence != uint64(len(m.rows[id])+i+1) {
			return fmt.Errorf("%w: sequence %d", messages.ErrFenced, row.Sequence)
		}
	}
	m.rows[id] = append(m.rows[id], batch.Rows...)
	m.heads[id] = batch.Rows[len(batch.Rows)-1]
	m.batches = append(m.batches, len(batch.Rows))
	for _, r := range batch.Resources {
		m.resources[r.ID] = r.Kind
	}
	for _, s := range batch.Stakes {
		set(m.stakes, id, s.Entity, s.Holds)
	}
	for _, s := range batch.Memberships {
		set(m.members, id, s.User, s.Member)
	}
	return nil
}

func set[K comparable](index map[organization.ID]map[K]bool, id organization.ID, key K, there bool) {
	if index[id] == nil {
		index[id] = map[K]bool{}
	}
	if index[id][key] = there; !there {
		delete(index[id], key)
	}
}

func (m *memory) Scan(ctx context.Context, id organization.ID, behind, upTo uint64, each func(messages.Row) error) error {
	m.mu.Lock()
	m.scans++
	rows, down, before := m.rows[id], m.down, m.beforeRow
	m.mu.Unlock()
	if down != nil {
		return down
	}
	for _, row := range rows {
		if row.Sequence <= behind || upTo > 0 && row.Sequence > upTo {
			continue
		}
		if before != nil {
			if err := before(row); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Head(_ context.Context, id organization.ID) (uint64, messages.Hash, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.rows[id]); n > 0 && m.down == nil {
		return uint64(n), m.rows[id][n-1].Hash, nil
	}
	return 0, messages.Hash{}, m.down
}

func (m *memory) Keys(
	_ context.Context, id organization.ID, since time.Time, each func(key, fingerprint string, sequence uint64) error,
) error {
	m.mu.Lock()
	before := m.beforeKeys
	m.beforeKeys = nil
	m.mu.Unlock()
	if before != nil {
		before()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, row := range m.rows[id] {
		if row.IdempotencyKey != "" && !row.RecordedAt.Before(since) {
			if err := each(row.IdempotencyKey, row.Fingerprint, row.Sequence); err != nil {
				return err
			}
		}
	}
	return m.down
}

func (m *memory) StoredHead(_ context.Context, id organization.ID) (uint64, messages.Hash, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heads[id].Sequence, m.heads[id].Hash, m.down
}

func (m *memory) Heads(_ context.Context, ids []organization.ID) (map[organization.ID]uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[organization.ID]uint64{}
	for _, id := range ids {
		if last := m.heads[id].Sequence; last > 0 {
			found[id] = last
		}
	}
	return found, m.down
}

func (m *memory) Confirm(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.confirmed++
	return m.down
}

// whileSaving sets a function that is called for each snapshot before it is stored.
func (m *memory) whileSaving(call func(context.Context) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.saving = call
}

func (m *memory) SaveSnapshot(ctx context.Context, id organization.ID, taken messages.Snapshot) error {
	m.mu.Lock()
	saving, down := m.saving, m.down
	m.mu.Unlock()
	if saving != nil {
		if err := saving(ctx); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if down == nil {
		m.snapshots[id] = append(m.snapshots[id], taken)
	}
	return down
}

func (m *memory) LoadSnapshot(_ context.Context, id organization.ID, atMost uint64) (messages.Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	best := snapshot{}
	for _, s := range m.snapshots[id] {
		if s.Sequence >= best.Sequence && (atMost == 0 || s.Sequence <= atMost) {
			best = s
		}
	}
	return best, m.down
}
