package admission

import "container/list"

// group holds the lanes of one organization.
type group struct {
	name    string
	lanes   map[string]*lane
	turns   turns[*lane] // lanes that may be served
	inTurn  bool
	running int
	waiting int
	crowded int // lanes with waiting requests
}

// lane holds the requests of one caller in a group.
type lane struct {
	queue   *Queue
	group   *group
	name    string
	waiting *list.List // of *waiter
	inTurn  bool
	running int
}

// waiter is a request in the queue.
type waiter struct {
	element  *list.Element // nil after the request has left the queue
	admitted chan struct{} // closed when it has a slot
}

// free reports whether a request of the lane may take a free slot at once.
func (l *lane) free() bool {
	return l.waiting.Len() == 0 && l.running < l.queue.callerLimit && l.group.running < l.queue.groupLimit
}

// turns is a first-in, first-out queue.
type turns[T any] struct {
	items []T
	first int
}

func (t *turns[T]) len() int { return len(t.items) - t.first }

func (t *turns[T]) add(item T) {
	if t.first > len(t.items)/2 { // reuse the space of removed items
		n := copy(t.items, t.items[t.first:])
		clear(t.items[n:])
		t.items, t.first = t.items[:n], 0
	}
	t.items = append(t.items, item)
}

func (t *turns[T]) next() (item T, found bool) {
	if t.len() == 0 {
		return item, false
	}
	item, t.items[t.first] = t.items[t.first], item
	t.first++
	return item, true
}
