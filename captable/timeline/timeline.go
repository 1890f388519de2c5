// Package timeline stores a quantity that changes from day to day. It finds the maximum over a
// range of days in logarithmic time.
package timeline

import (
	"iter"
	"math"

	"equity/captable/exact"
)

// Line is a quantity by day: the sum of all changes until the end of the day. It is an immutable
// value; the zero Line is 0 on every day. Adding a change on the last day takes constant time,
// any other change logarithmic time in the number of days.
type Line struct {
	past *node // the changes before the last day
	day  exact.Date
	last exact.Decimal // the change on the last day
}

// node is a node of a treap, which is ordered by day and is a heap by rank. Nodes are immutable.
type node struct {
	left, right *node
	day         exact.Date
	rank        uint32
	change      exact.Decimal
	// total is the sum of all changes of the subtree. peak is the maximum of its running sums at
	// the end of a day.
	total, peak exact.Decimal
}

// Add returns the line with an additional change from the day on.
func (l Line) Add(day exact.Date, change exact.Decimal) Line {
	switch {
	case change.IsZero():
	case day == l.day:
		l.last = l.last.Add(change)
	case day < l.day:
		l.past = l.past.add(day, change)
	default:
		if !l.last.IsZero() {
			l.past = l.past.add(l.day, l.last)
		}
		l.day, l.last = day, change
	}
	return l
}

// On returns the value at the end of the day.
func (l Line) On(day exact.Date) exact.Decimal {
	value := l.past.until(day)
	if l.day <= day {
		value = value.Add(l.last)
	}
	return value
}

// Most returns the maximum of the values at the ends of the days in the range. Both days are
// included.
func (l Line) Most(from, to exact.Date) exact.Decimal {
	most := l.On(from)
	l.past.most(span{from, to}, span{math.MinInt32, math.MaxInt32}, exact.Decimal{}, &most)
	if from < l.day && l.day <= to {
		most = most.Max(l.On(l.day))
	}
	return most
}

// Days iterates over the days with a change and the values at their ends, in ascending order.
func (l Line) Days() iter.Seq2[exact.Date, exact.Decimal] {
	return func(yield func(exact.Date, exact.Decimal) bool) {
		value := exact.Decimal{}
		if l.past.walk(&value, yield) && !l.last.IsZero() {
			yield(l.day, value.Add(l.last))
		}
	}
}

// span is a range of days. Both ends are included.
type span struct{ from, to exact.Date }

// rank is a hash of the day. It balances the tree for any order of entry.
func rank(day exact.Date) uint32 {
	h := uint32(day) * 0x9E3779B1 //nolint:gosec // only the bits are used
	h ^= h >> 15
	h *= 0x85EBCA77
	return h ^ h>>13
}

// add returns the tree with an additional change. It copies only the nodes on the path.
func (n *node) add(day exact.Date, change exact.Decimal) *node {
	if n == nil {
		return (&node{day: day, rank: rank(day), change: change}).summed()
	}
	next := *n
	switch {
	case day == n.day:
		next.change = n.change.Add(change)
	case day < n.day:
		if next.left = n.left.add(day, change); next.left.rank > next.rank {
			top := *next.left
			next.left = top.right
			top.right = next.summed()
			return top.summed()
		}
	default:
		if next.right = n.right.add(day, change); next.right.rank > next.rank {
			top := *next.right
			next.right = top.left
			top.left = next.summed()
			return top.summed()
		}
	}
	return next.summed()
}

// summed sets total and peak of a new node and returns it.
func (n *node) summed() *node {
	n.total = n.change
	if n.left != nil {
		n.total = n.left.total.Add(n.change)
	}
	n.peak = n.total
	if n.left != nil {
		n.peak = n.peak.Max(n.left.peak)
	}
	if n.right != nil {
		n.peak = n.peak.Max(n.total.Add(n.right.peak))
		n.total = n.total.Add(n.right.total)
	}
	return n
}

// until returns the sum of the changes until the end of the day.
func (n *node) until(day exact.Date) exact.Decimal {
	sum := exact.Decimal{}
	for n != nil {
		if day < n.day {
			n = n.left
			continue
		}
		sum = sum.Add(n.change)
		if n.left != nil {
			sum = sum.Add(n.left.total)
		}
		n = n.right
	}
	return sum
}

// most raises the value to the maximum of the running sums on the days after asked.from and not
// after asked.to. The range own contains all days of the subtree. The quantity before is the sum
// of the changes before own.
func (n *node) most(asked, own span, before exact.Decimal, most *exact.Decimal) {
	if n == nil || own.to <= asked.from || own.from > asked.to {
		return
	}
	if own.from > asked.from && own.to <= asked.to {
		*most = most.Max(before.Add(n.peak))
		return
	}
	n.left.most(asked, span{own.from, n.day - 1}, before, most)
	if n.left != nil {
		before = before.Add(n.left.total)
	}
	before = before.Add(n.change)
	if asked.from < n.day && n.day <= asked.to {
		*most = most.Max(before)
	}
	n.right.most(asked, span{n.day + 1, own.to}, before, most)
}

func (n *node) walk(value *exact.Decimal, yield func(exact.Date, exact.Decimal) bool) bool {
	if n == nil {
		return true
	}
	if !n.left.walk(value, yield) {
		return false
	}
	*value = value.Add(n.change)
	return yield(n.day, *value) && n.right.walk(value, yield)
}
