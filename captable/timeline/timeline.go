// Package timeline keeps a quantity that changes from day to day. It finds the highest
// value over a range of days without walking through the days.
package timeline

import (
	"iter"
	"math"

	"equity/captable/exact"
)

// Line is a quantity over time: the sum of all changes until the end of a day. It is an
// immutable value; the zero Line is 0 on every day. A change on the last day or later costs
// constant time, any other change the logarithm of the number of days.
type Line struct {
	past *node // the changes before the last day
	day  exact.Date
	last exact.Decimal // the change on the last day
}

// node is a node of a treap: ordered by day, and a heap by rank. Nodes never change.
type node struct {
	left, right *node
	day         exact.Date
	rank        uint32
	change      exact.Decimal
	// total is the sum of all changes of the subtree. peak is the highest running sum at
	// the end of one of its days.
	total, peak exact.Decimal
}

// Add returns the line with a further change from the day on.
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

// Most returns the highest value at the end of a day from the one to the other; both are
// included.
func (l Line) Most(from, to exact.Date) exact.Decimal {
	most := l.On(from)
	l.past.most(span{from, to}, span{math.MinInt32, math.MaxInt32}, exact.Decimal{}, &most)
	if from < l.day && l.day <= to {
		most = most.Max(l.On(l.day))
	}
	return most
}

// Days lists the days on which the value changes and the values at their ends, in order.
func (l Line) Days() iter.Seq2[exact.Date, exact.Decimal] {
	return func(yield func(exact.Date, exact.Decimal) bool) {
		value := exact.Decimal{}
		if l.past.walk(&value, yield) && !l.last.IsZero() {
			yield(l.day, value.Add(l.last))
		}
	}
}

// span is a range of days; both ends are included.
type span struct{ from, to exact.Date }

// rank spreads the days evenly, so that the tree is balanced whatever the order of entry.
func rank(day exact.Date) uint32 {
	h := uint32(day) * 0x9E3779B1 //nolint:gosec // the bits count, not the number
	h ^= h >> 15
	h *= 0x85EBCA77
	return h ^ h>>13
}

// add returns the tree with a further change. Only the nodes on the way are copied.
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

// summed sets the sums of a new node.
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

// most raises the value to the highest running sum on a day after asked.from and not after
// asked.to. All days of the subtree are in own; before is the sum of the changes before them.
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
