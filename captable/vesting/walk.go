package vesting

import (
	"math/big"

	"equity/captable/exact"
)

// claim is the quantity of one condition's instalments, as a fraction of the grant, a fraction of the remainder,
// or a number of shares. All steps of a run share one claim.
type claim struct {
	part    *big.Rat // a fraction, or a number of shares
	of      Base
	inShare bool
	units   *big.Int // over the common denominator, once it is known
}

// step is an instalment before rounding.
type step struct {
	on      exact.Date
	claim   *claim
	order   int     // orders the steps of one day: at least that of the previous step of the path
	stretch int     // the group of steps that depend only on time after the same event
	joined  bool    // joined with the next step if both have the same date
	shares  big.Int // in the grant's smallest units, after the allocation
}

// walker follows the paths of a graph and collects the steps.
type walker struct {
	graph
	award      Award
	start      exact.Date
	happenings map[string]Happening
	steps      []step
	claims     []*claim
	stretches  int
}

// path is the state of a walker on one path.
type path struct {
	root     exact.Date         // the first date of the path
	arrived  exact.Date         // the date of the last met condition
	last     map[int]exact.Date // by condition: the date of its last instalment
	order    int                // the highest index of a condition so far
	realized *big.Rat           // the product of the achieved fractions of milestones; nil means 1
}

// walk collects the steps of every path. It terminates, because the graph has no cycles.
func (w *walker) walk() {
	for i := range w.conditions {
		if w.follows[i] {
			continue
		}
		if on := w.met(i, &path{}); !on.IsZero() {
			p := &path{root: on, arrived: on, last: make(map[int]exact.Date, len(w.conditions))}
			w.stretches++
			for next, ok := i, true; ok; next, ok = w.next(next, p) {
				w.enter(next, p)
			}
		}
	}
}

// next returns the following condition that is met first.
func (w *walker) next(present int, p *path) (chosen int, ok bool) {
	var first exact.Date
	for _, id := range w.conditions[present].Next {
		i := w.index[id]
		if on := w.met(i, p); !on.IsZero() && (!ok || on < first) {
			chosen, first, ok = i, on, true
		}
	}
	p.arrived = first
	return chosen, ok
}

// met returns the date on which a condition is met, not before the path reaches it. It returns zero if the
// condition is never met.
func (w *walker) met(i int, p *path) exact.Date {
	when := &w.conditions[i].When
	var on exact.Date
	switch when.Kind {
	case AtStart, OnEvent:
		on = w.happened(i).Date
	case OnDate:
		on = when.Date
	case After:
		if base, known := p.last[w.index[when.Of]]; known {
			on = when.Day.instalment(when.Every, base, w.start, p.root)
		}
	}
	if on.IsZero() {
		return on
	}
	return max(on, p.arrived)
}

// happened returns the happening of the condition, or the zero value.
func (w *walker) happened(i int) Happening {
	c := &w.conditions[i]
	if h, ok := w.happenings[c.ID]; ok {
		return h
	}
	if h, ok := w.happenings[c.When.Event]; ok && c.When.Event != "" {
		return h
	}
	if c.When.Kind == AtStart {
		return Happening{Date: w.award.Start}
	}
	return Happening{}
}

// enter adds the steps of a met condition.
func (w *walker) enter(i int, p *path) {
	c := &w.conditions[i]
	p.order = max(p.order, i)
	if c.When.Kind == AtStart || c.When.Kind == OnEvent {
		w.stretches++
		p.realize(w.happened(i).Realized)
	}
	if c.When.Kind == After {
		p.last[i] = w.run(c, p)
		return
	}
	p.last[i] = p.arrived
	w.add(w.claimOf(c.Vests, p, nil), step{on: p.arrived, order: p.order})
}

// run adds the instalments of a condition that depends on time, and returns the last date.
func (w *walker) run(c *Condition, p *path) (last exact.Date) {
	when, base := c.When, p.last[w.index[c.When.Of]]
	each := w.claimOf(c.Vests, p, nil)
	var cliff *claim
	stated := !when.CliffFraction.IsZero() // a stated 0 vests no quantity at the cliff
	if stated {
		cliff, each = w.cliffOf(c, p)
	}
	on := func(k int) exact.Date {
		return max(when.Day.instalment(when.Every.Times(k), base, w.start, p.root), p.arrived)
	}
	for k, next := 1, on(1); k <= when.Times; k++ {
		last, next = next, on(k+1)
		switch {
		case k < when.CliffAt && !stated: // withheld until the cliff
			w.add(each, step{on: on(when.CliffAt), order: p.order, joined: true})
		case k == when.CliffAt && stated:
			w.add(cliff, step{on: last, order: p.order})
		case k >= when.CliffAt:
			w.add(each, step{on: last, order: p.order, joined: next == p.arrived && k < when.Times})
		}
	}
	return last
}

// cliffOf divides a condition between its cliff and the later instalments.
func (w *walker) cliffOf(c *Condition, p *path) (cliff, each *claim) {
	whole, fraction := big.NewRat(int64(c.When.Times), 1), c.When.CliffFraction.Rat()
	cliff = w.claimOf(c.Vests, p, new(big.Rat).Mul(whole, fraction))
	behind := int64(c.When.Times - c.When.CliffAt)
	if behind == 0 {
		return cliff, nil
	}
	rest := fraction.Sub(big.NewRat(1, 1), fraction)
	return cliff, w.claimOf(c.Vests, p, rest.Mul(rest, whole).Quo(rest, big.NewRat(behind, 1)))
}

// claimOf returns the claim of a portion with an optional factor, or nil for no quantity.
func (w *walker) claimOf(v Portion, p *path, times *big.Rat) *claim {
	c := &claim{of: v.Of, inShare: v.Fraction.IsZero()}
	if c.inShare {
		c.part = v.Shares.Rat()
	} else {
		c.part = v.Fraction.Rat()
	}
	for _, factor := range []*big.Rat{times, p.realized} {
		if factor != nil {
			c.part.Mul(c.part, factor)
		}
	}
	if c.part.Sign() == 0 {
		return nil
	}
	w.claims = append(w.claims, c)
	return c
}

// add adds a step, unless it has no quantity.
func (w *walker) add(c *claim, s step) {
	if c != nil {
		s.claim, s.stretch = c, w.stretches
		w.steps = append(w.steps, s)
	}
}

// realize multiplies the path's factor by the achieved fraction of a milestone.
func (p *path) realize(realized Fraction) {
	switch {
	case realized.IsZero():
	case p.realized == nil:
		p.realized = realized.Rat()
	default:
		p.realized = p.realized.Mul(p.realized, realized.Rat())
	}
}
