package admission

import "sync"

// Bounds limits the open tickets. A ticket is open until it is returned, with or without a slot. A request beyond a
// bound is refused on arrival. A bound of 0 means no limit.
type Bounds struct {
	// All limits the total, Group the tickets of one group, and Caller those of one caller across all groups.
	All, Group, Caller int
}

// open counts the open tickets. It is safe for concurrent use.
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

// add counts a ticket of the flow. It returns false if a bound is reached.
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

// remove subtracts a counted ticket.
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
