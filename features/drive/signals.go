package drive

import (
	"sync"

	"equity/organization"
)

// signals report ends of runs in this process to waiting callers.
type signals struct {
	mu      sync.Mutex
	waiting map[organization.ID]chan struct{}
}

// next returns a channel that is closed at the next end of a run of the organization.
func (s *signals) next(id organization.ID) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[organization.ID]chan struct{}{}
	}
	if s.waiting[id] == nil {
		s.waiting[id] = make(chan struct{})
	}
	return s.waiting[id]
}

// report wakes the waiting callers of the organization.
func (s *signals) report(id organization.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.waiting[id]; waiting != nil {
		close(waiting)
		delete(s.waiting, id)
	}
}
