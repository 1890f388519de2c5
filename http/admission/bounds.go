package admission

import "sync"

// Bounds limit the tickets that were not returned yet, with and without a slot. A request beyond them is refused when it
// arrives. A bound of 0 sets no limit.
type Bounds struct {
	// All limits the tickets in total, Group those of a group, and Caller those of a caller in all groups together.
	All, Group, Caller int
}

// open counts the tickets that were not returned yet. It is safe for concurrent use.
type open struct {
	bounds Bounds

	mutex   sync.Mutex
	all     int
	groups  map[string]int
	callers map[string]int
}

func newOpen(bounds Bounds) *open {
	return &open{bounds: bounds, groups: map[string]int{}, callers: map[string]int{}}
}

// add counts a ticket of the flow, and reports whether the bounds allow it.
func (o *open) add(flow Flow) bool {
	if o.bounds == (Bounds{}) {
		return true
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if full(o.all, o.bounds.All) || full(o.groups[flow.Group], o.bounds.Group) || full(o.callers[flow.Caller], o.bounds.Caller) {
		return false
	}
	o.all++
	o.groups[flow.Group]++
	o.callers[flow.Caller]++
	return true
}

func full(number, bound int) bool { return bound > 0 && number >= bound }

// remove forgets a ticket that was counted.
func (o *open) remove(flow Flow) {
	if o.bounds == (Bounds{}) {
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.all--
	decrease(o.groups, flow.Group)
	decrease(o.callers, flow.Caller)
}

func decrease(counts map[string]int, name string) {
	if counts[name]--; counts[name] <= 0 {
		delete(counts, name)
	}
}
