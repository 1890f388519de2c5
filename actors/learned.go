package actors

import (
	"sync"
	"sync/atomic"

	"equity/organization"
)

// learned contains the last sequences of organizations of this server to which other servers append, until this one has read them. It is mostly
// empty.
type learned struct {
	count    atomic.Int64
	mutex    sync.Mutex
	sequence map[organization.ID]uint64
}

// least returns the sequence that a view must contain; 0 if any view is permitted.
func (l *learned) least(id organization.ID) uint64 {
	if l.count.Load() == 0 {
		return 0
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.sequence[id]
}

func (l *learned) add(id organization.ID, sequence uint64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.sequence == nil {
		l.sequence = map[organization.ID]uint64{}
	}
	l.sequence[id] = max(l.sequence[id], sequence)
	l.count.Store(int64(len(l.sequence)))
}

// remove notes that this server has read the sequence.
func (l *learned) remove(id organization.ID, read uint64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.sequence[id] <= read {
		delete(l.sequence, id)
		l.count.Store(int64(len(l.sequence)))
	}
}
