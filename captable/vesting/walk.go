package vesting

import (
	"math/big"

	"equity/captable/exact"
)

// claim is what one condition vests each time, as a part of the grant, of what remains,
// or as shares. All steps of a run have one claim.
type claim struct {
	part    *big.Rat // of the grant or of what remains; with shares, how many
	of      Base
	inShare bool
	units   *big.Int // over the common denominator, once that is known
}

// step is one instalment before it is rounded.
type step struct {
	on      exact.Date
	claim   *claim
	order   int     // of several on one day: no less than that of the step before it on its path
	stretch int     // what comes to pass by time alone after one beginning
	joined  bool    // comes with the step behind it, if that has the same date
	shares  big.Int // in the grant's smallest parts, once they are allocated
}

// walker goes along the paths of a graph and notes the steps.
type walker struct {
	graph
	award      Award
	start      exact.Date
	happenings map[string]Happening
	steps      []step
	claims     []*claim
	stretches  int
}

// path is where a walker stands on its way from a beginning.
type path struct {
	root     exact.Date         // when it began
	arrived  exact.Date         // when its latest condition was met
	last     map[int]exact.Date // by condition: its last instalment
	order    int                // how far down the list of conditions it has come
	realized *big.Rat           // how far the milestones on the way were reached; nil for fully
}

// walk notes the steps of every path. It ends, for a graph has no circle.
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

// next chooses which of the conditions that the present one leads to is met first.
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

// met gives the day on which a condition is met, zero for never: at the earliest when
// the path comes to it.
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

// happened gives what made the condition true; zero when nothing did.
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

// enter notes the steps of a condition that is met.
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

// run notes the instalments of a condition that is met by time, and gives the last's date.
func (w *walker) run(c *Condition, p *path) (last exact.Date) {
	when, base := c.When, p.last[w.index[c.When.Of]]
	each := w.claimOf(c.Vests, p, nil)
	var cliff *claim
	stated := !when.CliffFraction.IsZero() // 0 is stated too: nothing vests at the cliff
	if stated {
		cliff, each = w.cliffOf(c, p)
	}
	on := func(k int) exact.Date {
		return max(when.Day.instalment(when.Every.Times(k), base, w.start, p.root), p.arrived)
	}
	for k, next := 1, on(1); k <= when.Times; k++ {
		last, next = next, on(k+1)
		switch {
		case k < when.CliffAt && !stated: // held back until then
			w.add(each, step{on: on(when.CliffAt), order: p.order, joined: true})
		case k == when.CliffAt && stated:
			w.add(cliff, step{on: last, order: p.order})
		case k >= when.CliffAt:
			w.add(each, step{on: last, order: p.order, joined: next == p.arrived && k < when.Times})
		}
	}
	return last
}

// cliffOf shares the whole of a condition between its cliff and the instalments behind it.
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

// claimOf gives what a portion vests, multiplied if need be; nil for nothing.
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

// add notes a step, unless it vests nothing.
func (w *walker) add(c *claim, s step) {
	if c != nil {
		s.claim, s.stretch = c, w.stretches
		w.steps = append(w.steps, s)
	}
}

// realize notes how far a milestone was reached.
func (p *path) realize(realized Fraction) {
	switch {
	case realized.IsZero():
	case p.realized == nil:
		p.realized = realized.Rat()
	default:
		p.realized = p.realized.Mul(p.realized, realized.Rat())
	}
}
