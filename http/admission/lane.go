package admission

import "container/list"

// group holds the lanes of one organization.
type group struct {
	name    string
	lanes   map[string]*lane
	turns   turns[*lane] // lanes that may be served
	inTurn  bool
	running int
	waiting load
	crowded int // lanes with waiting requests
}

// lane holds the requests of one caller in a group.
type lane struct {
	queue   *Queue
	group   *group
	name    string
	waiting *list.List // of *waiter
	load    load       // of the waiting requests
	inTurn  bool
	running int
}

// load is a number of waiting requests, and the bytes of their bodies.
type load struct{ requests, bytes int }

func (l *load) add(requests, bytes int) { l.requests, l.bytes = l.requests+requests, l.bytes+bytes }

// exceeds reports whether the load with another request would exceed the limits. A limit of 0 means no limit.
func (l *load) exceeds(most load, body int) bool {
	return most.requests > 0 && l.requests >= most.requests || most.bytes > 0 && body > 0 && l.bytes+body > most.bytes
}

// part returns so many parts of the limits, at least 1 of a limit.
func (l *load) part(parts, of int) load {
	return load{min(l.requests, max(l.requests*parts/of, 1)), min(l.bytes, max(l.bytes*parts/of, 1))}
}

// waiter is a request in the queue.
type waiter struct {
	element  *list.Element // nil after the request has left the queue
	admitted chan struct{} // closed when it has a slot
	body     int           // bytes in memory
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
