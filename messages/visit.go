package messages

import (
	"log/slog"
	"reflect"
	"time"
)

// Visit is a request to the actor of an organization that records no event: a hook, a call of a tool, or a message to the assistant. The
// actor does not know its type, so that a feature brings its own visits.
type Visit interface {
	// Enter is called in the actor, in order with the commands of the organization. It must not block, and answers at once or later.
	Enter(v Visited)
}

// Visited is an organization for one visit.
type Visited struct {
	// View is that of the last durable event.
	View   *View
	Now    time.Time
	Memory Memory
	// Answer answers the caller. It is called exactly once, in the actor or later from another goroutine.
	Answer func(answer any, err error)
	// Later executes the function in the actor, unless the actor has ended. It can be called from any goroutine, and does not wait.
	Later func(func(Memory))
	Log   *slog.Logger
}

// Memory contains what the visits of an organization remember: one value for each type. It ends with the actor, which alone uses it.
type Memory struct{ values map[reflect.Type]any }

// NewMemory returns an empty memory.
func NewMemory() Memory { return Memory{map[reflect.Type]any{}} }

// Remembered returns the value of the type in the memory, for reading and change. Its first value is zero.
func Remembered[T any](m Memory) *T {
	kind := reflect.TypeFor[T]()
	if value, ok := m.values[kind].(*T); ok {
		return value
	}
	value := new(T)
	m.values[kind] = value
	return value
}
