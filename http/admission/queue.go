package admission

import (
	"cmp"
	"container/list"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Settings configures a queue.
type Settings struct {
	// Parallel is the number of requests that hold a slot at a time; at least 1.
	Parallel int
	// Wait is the maximum time of a request in the queue. If it is 0, a request without a free slot is refused.
	Wait time.Duration
	// Standing is the maximum expected wait on arrival while the queue is standing. A queue is standing after it has been
	// non-empty for longer than Wait, apart from moments. Requests of a burst may thus wait longer than requests of a lasting
	// overload. 0 means Wait.
	Standing time.Duration
	// Waiting and Bytes limit the requests in the queue and the memory of their bodies. A group may have three quarters of
	// each, and a caller half. 0 means no limit.
	Waiting, Bytes int
	// Patient lets every request wait. Otherwise, a request is refused on arrival if its expected wait is too long.
	Patient bool
	// PerGroup and PerCaller limit the slots of a group and of a caller. 0 means three quarters and half of Parallel.
	PerGroup, PerCaller int
	// Open bounds the number of open tickets.
	Open Bounds
	// Returning exempts a request that lent its slot from Wait. It waits for another slot until its caller leaves.
	Returning bool
}

// Flow identifies the source of a request. Slots are shared evenly between groups, and within a group between callers.
type Flow struct {
	Group, Caller string
}

// RefusalError reports that a request was refused because the server is overloaded. The request had no effect.
type RefusalError struct {
	// RetryAfter is the time after which a new attempt is likely to succeed.
	RetryAfter time.Duration
}

// Error describes the refusal.
func (r *RefusalError) Error() string {
	return fmt.Sprintf("overloaded, retry after %s", r.RetryAfter)
}

// Stats holds figures of a queue.
type Stats struct {
	// Running is the number of requests with a slot, and Waiting the number of requests in the queue.
	Running, Waiting int
	// Refused counts the refused requests since the start.
	Refused uint64
}

// Queue admits requests. It is safe for concurrent use.
//
// Ordering: groups take turns, the callers of a group take turns, and the requests of a caller are served first in,
// first out. By default, a group holds at most three quarters of the slots and a caller at most half, so that blocked
// requests leave slots for others.
type Queue struct {
	settings    Settings
	groupLimit  int
	callerLimit int
	refused     atomic.Uint64
	open        *open

	mutex   sync.Mutex
	running int
	waiting load
	crowded int       // groups with waiting requests
	since   time.Time // when the queue became non-empty, apart from moments
	emptied time.Time // when the queue last became empty
	groups  map[string]*group
	turns   turns[*group]
	pace    pace
	none    list.List // always empty
}

// New returns an empty queue.
func New(settings Settings) *Queue {
	settings.Parallel = max(settings.Parallel, 1)
	if settings.Standing == 0 {
		settings.Standing = settings.Wait
	}
	return &Queue{
		settings:    settings,
		groupLimit:  cmp.Or(settings.PerGroup, settings.Parallel*3/4, 1),
		callerLimit: cmp.Or(settings.PerCaller, settings.Parallel/2, 1),
		open:        newOpen(settings.Open),
		groups:      map[string]*group{},
	}
}

// Stats returns the current figures.
func (q *Queue) Stats() Stats {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return Stats{Running: q.running, Waiting: q.waiting.requests, Refused: q.refused.Load()}
}

// Enter waits for a slot. It returns a *[RefusalError] if the request is refused or waits too long, and the context's
// error if the caller leaves. The caller of Enter must call [Ticket.Leave].
func (q *Queue) Enter(ctx context.Context, flow Flow) (*Ticket, error) {
	return q.EnterWith(ctx, flow, 0)
}

// EnterWith is [Queue.Enter] of a request with a body of so many bytes in memory.
func (q *Queue) EnterWith(ctx context.Context, flow Flow, body int) (*Ticket, error) {
	if !q.open.add(flow) {
		return nil, q.refuse(q.settings.Wait)
	}
	if err := q.enter(ctx, flow, body, q.settings.Wait); err != nil {
		q.open.remove(flow)
		return nil, err
	}
	return &Ticket{queue: q, flow: flow, holders: 1}, nil
}

// forever is the wait of a request that stays until its caller leaves.
const forever = time.Duration(math.MaxInt64)

// enter takes a slot. It waits for the slot for at most the given time.
func (q *Queue) enter(ctx context.Context, flow Flow, body int, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mutex.Lock()
	l := q.lane(flow)
	if q.running < q.settings.Parallel && l.free() {
		q.start(l)
		q.mutex.Unlock()
		return nil
	}
	if expected, refused := q.refuses(l, body); wait == 0 || refused {
		q.forget(l)
		q.mutex.Unlock()
		return q.refuse(expected)
	}
	w := q.enqueue(l, body)
	q.mutex.Unlock()
	return q.await(ctx, l, w, wait)
}

// Refuse reports whether a request of the flow would be refused on arrival, and counts it as refused in that case.
// Retry is the time after which a new attempt is likely to succeed.
func (q *Queue) Refuse(flow Flow) (retry time.Duration, refused bool) {
	q.mutex.Lock()
	if q.waiting.requests > 0 {
		if l := q.known(flow); q.running >= q.settings.Parallel || !l.free() {
			retry, refused = q.refuses(l, 0)
		}
	}
	q.mutex.Unlock()
	if !refused {
		return 0, false
	}
	q.refused.Add(1)
	return max(retry, time.Second), true
}

// refuses reports whether another request of the lane must be refused on arrival, and returns its expected wait. A request
// that would be the first one in the queue may always wait: an expectation from an earlier, slower time is then corrected.
func (q *Queue) refuses(l *lane, body int) (expected time.Duration, refused bool) {
	now := time.Now()
	expected = q.expected(l, now)
	switch {
	case q.full(l, body):
		return expected, true
	case q.settings.Patient, q.waiting.requests == 0, expected <= q.settings.Standing:
		return expected, false
	default:
		return expected, expected > q.settings.Wait || now.Sub(q.since) > q.settings.Wait
	}
}

// full reports whether the queue has no place for another request of the lane.
func (q *Queue) full(l *lane, body int) bool {
	most := load{q.settings.Waiting, q.settings.Bytes}
	return q.waiting.exceeds(most, body) || l.group.waiting.exceeds(most.part(3, 4), body) || l.load.exceeds(most.part(1, 2), body) //nolint:mnd // as documented
}

// pressed reports whether requests wait, or waited a moment ago: a group of requests that end together may empty the queue.
func (q *Queue) pressed(now time.Time) bool {
	return q.waiting.requests > 0 || now.Sub(q.emptied) < measureFor
}

// await returns when the request has a slot, has exceeded its wait, or its caller has left.
func (q *Queue) await(ctx context.Context, l *lane, w *waiter, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var failure error
	select {
	case <-w.admitted:
		return nil
	case <-ctx.Done():
		failure = ctx.Err()
	case <-timer.C:
		failure = q.refuse(wait)
	}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if w.element == nil { // it was admitted in the meantime
		q.finish(l)
		return failure
	}
	q.dequeue(l, w)
	q.forget(l)
	return failure
}

func (q *Queue) refuse(expected time.Duration) error {
	q.refused.Add(1)
	return &RefusalError{RetryAfter: max(expected, time.Second)}
}

// leave returns the slot of a request of the flow and admits waiting requests.
func (q *Queue) leave(flow Flow) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.finish(q.lane(flow))
}

func (q *Queue) finish(l *lane) {
	q.running--
	l.group.running--
	l.running--
	if now := time.Now(); q.pressed(now) {
		q.pace.completed(now)
	}
	q.offer(l)
	for q.running < q.settings.Parallel && q.admitNext() {
	}
	q.forget(l)
}

// admitNext assigns a slot to the next request in turn. It returns false if no group is in turn.
func (q *Queue) admitNext() bool {
	g, found := q.turns.next()
	if !found {
		return false
	}
	g.inTurn = false
	if l, found := g.turns.next(); found {
		l.inTurn = false
		if front := l.waiting.Front(); front != nil {
			w, _ := front.Value.(*waiter)
			q.dequeue(l, w)
			q.start(l)
			close(w.admitted)
		}
		q.offer(l)
		q.forget(l)
	}
	return true
}

func (q *Queue) start(l *lane) {
	q.running++
	l.group.running++
	l.running++
}

func (q *Queue) enqueue(l *lane, body int) *waiter {
	w := &waiter{admitted: make(chan struct{}), body: body}
	w.element = l.waiting.PushBack(w)
	if now := time.Now(); !q.pressed(now) {
		q.since = now
		q.pace.begin(now)
	}
	if l.group.waiting.requests == 0 {
		q.crowded++
	}
	if l.waiting.Len() == 1 {
		l.group.crowded++
	}
	q.waiting.add(1, body)
	l.group.waiting.add(1, body)
	l.load.add(1, body)
	q.offer(l)
	return w
}

func (q *Queue) dequeue(l *lane, w *waiter) {
	l.waiting.Remove(w.element)
	w.element = nil
	q.waiting.add(-1, -w.body)
	l.group.waiting.add(-1, -w.body)
	l.load.add(-1, -w.body)
	if q.waiting.requests == 0 {
		q.emptied = time.Now()
	}
	if l.waiting.Len() == 0 {
		l.group.crowded--
	}
	if l.group.waiting.requests == 0 {
		q.crowded--
	}
}

// offer adds the lane and its group to the turns if they have waiting requests and may hold another slot.
func (q *Queue) offer(l *lane) {
	g := l.group
	if !l.inTurn && l.waiting.Len() > 0 && l.running < q.callerLimit {
		l.inTurn = true
		g.turns.add(l)
	}
	if !g.inTurn && g.turns.len() > 0 && g.running < q.groupLimit {
		g.inTurn = true
		q.turns.add(g)
	}
}

// expected returns the expected wait of another request of the lane. It counts requests of other lanes and groups only
// if their turn comes first.
func (q *Queue) expected(l *lane, now time.Time) time.Duration {
	ahead := min((l.waiting.Len()+1)*max(l.group.crowded, 1), l.group.waiting.requests+1)
	ahead = min(ahead*max(q.crowded, 1), q.waiting.requests+1)
	if !q.pressed(now) {
		now = q.pace.since // nothing was measured since then
	}
	return q.pace.time(ahead, now)
}

// known returns the lane of the flow, or an empty lane that is not part of the queue.
func (q *Queue) known(flow Flow) *lane {
	g := q.groups[flow.Group]
	if g == nil {
		g = &group{}
	}
	if l := g.lanes[flow.Caller]; l != nil {
		return l
	}
	return &lane{queue: q, group: g, waiting: &q.none}
}

// lane returns the lane of the flow and creates it if necessary. [Queue.forget] removes an empty lane.
func (q *Queue) lane(flow Flow) *lane {
	g := q.groups[flow.Group]
	if g == nil {
		g = &group{name: flow.Group, lanes: map[string]*lane{}}
		q.groups[flow.Group] = g
	}
	l := g.lanes[flow.Caller]
	if l == nil {
		l = &lane{queue: q, group: g, name: flow.Caller, waiting: list.New()}
		g.lanes[flow.Caller] = l
	}
	return l
}

func (q *Queue) forget(l *lane) {
	g := l.group
	if l.running == 0 && l.waiting.Len() == 0 && !l.inTurn {
		delete(g.lanes, l.name)
	}
	if len(g.lanes) == 0 && !g.inTurn {
		delete(q.groups, g.name)
	}
}
