package consumer

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// The limits of slots.
const (
	// mostSlots is the number of slots of a server without requests.
	mostSlots = 64
	// busyRequests is the number of requests for each processor from which on effects have one slot.
	busyRequests = 4
	// WorkTime bounds the time for which work of the processor holds a slot. A database that does not answer thus holds none for longer.
	WorkTime = time.Second
	// AnswerTime bounds the time for which a call of a service holds a slot. A service that does not answer thus delays no other effect.
	AnswerTime = 10 * time.Millisecond
)

// Slots bound the effects that use the processors of a server at the same time. Requests come first: their number reduces the slots,
// down to one. They are safe for concurrent use.
//
// Ordering: first in, first out, so that each effect has its turn under any load. Only processor work needs a slot: it is returned
// during a longer wait for a service.
type Slots struct {
	now func() time.Time

	mu      sync.Mutex
	loads   []func() int
	running int
	waiting []chan struct{} // closed when they have a slot
}

// NewSlots returns slots that are free.
func NewSlots(now func() time.Time) *Slots { return &Slots{now: now} }

// Follow adds a source of the number of present requests. It must be fast.
func (s *Slots) Follow(load func() int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads = append(s.loads, load)
}

// Enter waits for a slot. Leave returns it; further calls have no effect. The slot is returned at the latest after the given time. Nil
// slots are unlimited.
func (s *Slots) Enter(ctx context.Context, most time.Duration) (leave func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	s.mu.Lock()
	if len(s.waiting) == 0 && s.running < s.limit() {
		s.running++
		s.mu.Unlock()
		return s.hold(most), nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return s.hold(most), nil
	case <-ctx.Done():
		s.abandon(turn)
		return nil, ctx.Err()
	}
}

// hold returns the function that returns the slot. The only slot rests as long as it was held, so that requests have the processors meanwhile.
func (s *Slots) hold(most time.Duration) (leave func()) {
	begun := s.now()
	once := sync.OnceFunc(func() {
		if s.isOnly() {
			time.AfterFunc(min(s.now().Sub(begun), most), s.leave)
			return
		}
		s.leave()
	})
	timer := time.AfterFunc(most, once)
	return func() {
		timer.Stop()
		once()
	}
}

func (s *Slots) isOnly() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit() == 1
}

func (s *Slots) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.admit()
}

// admit gives free slots to those that wait.
func (s *Slots) admit() {
	for limit := s.limit(); len(s.waiting) > 0 && s.running < limit; s.running++ {
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
	}
}

// abandon ends a wait. If it has a slot already, the next one gets it.
func (s *Slots) abandon(turn chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, one := range s.waiting {
		if one == turn {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			return
		}
	}
	s.running--
	s.admit()
}

// limit returns the present number of slots.
func (s *Slots) limit() int {
	requests := 0
	for _, load := range s.loads {
		requests += load()
	}
	return max(mostSlots-mostSlots*requests/(busyRequests*runtime.GOMAXPROCS(0)), 1)
}
