package consumertest

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Mode is the behavior of a service.
type Mode int

// The behaviors of a service.
const (
	// Accepting accepts each effect.
	Accepting Mode = iota
	// Dead refuses each effect.
	Dead
	// Hanging accepts an effect after the caller has given up.
	Hanging
	// Poisoned refuses the effect of one event for good, and accepts the others.
	Poisoned
)

// ErrDead is the failure of a dead service.
var ErrDead = errors.New("the service is dead")

// ErrPoison is the refusal of the poisoned event.
var ErrPoison = errors.New("the service refuses this event for good")

// Service is a scripted service that records the accepted effects. It is safe for concurrent use.
type Service struct {
	mu       sync.Mutex
	mode     Mode
	poison   string
	attempts int
	accepted []string
	after    func(key string)
}

// Set changes the behavior. Poison is the key of the event that a poisoned service refuses.
func (s *Service) Set(mode Mode, poison string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode, s.poison = mode, poison
}

// After sets a function that runs after each accepted effect, before its caller continues.
func (s *Service) After(after func(key string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after = after
}

// Call performs the effect with the key.
func (s *Service) Call(ctx context.Context, key string) error {
	s.mu.Lock()
	s.attempts++
	mode, poison := s.mode, s.poison
	s.mu.Unlock()
	switch {
	case mode == Dead:
		return ErrDead
	case mode == Hanging:
		<-ctx.Done()
		return ctx.Err()
	case mode == Poisoned && key == poison:
		return ErrPoison
	}
	s.mu.Lock()
	s.accepted = append(s.accepted, key)
	after := s.after
	s.mu.Unlock()
	if after != nil {
		after(key)
	}
	return nil
}

// Accepted returns the keys of the accepted effects in order.
func (s *Service) Accepted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.accepted)
}

// Attempts returns the number of calls.
func (s *Service) Attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts
}
