package vesting

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// graph indexes the conditions of terms by id.
type graph struct {
	conditions  []Condition
	index       map[string]int
	follows     []bool // by condition: whether it follows another one
	instalments int    // of all conditions together
}

// newGraph returns the graph of the terms. It may be walked only if there are no faults.
func newGraph(t Terms) (graph, Faults) {
	var faults Faults
	if len(t.Conditions) > MaxConditions {
		faults.add("/conditions", "tooMany", fmt.Sprintf("At most %d conditions are allowed.", MaxConditions))
		return graph{}, faults
	}
	g := graph{conditions: t.Conditions, index: make(map[string]int, len(t.Conditions)), follows: make([]bool, len(t.Conditions))}
	for i, c := range t.Conditions {
		pointer := "/conditions/" + strconv.Itoa(i) + "/id"
		_, twice := g.index[c.ID]
		switch {
		case c.ID == "" || len(c.ID) > maxLength:
			faults.add(pointer, "required", "id is required, with at most 100 bytes.")
		case twice:
			faults.add(pointer, "duplicate", fmt.Sprintf("There are two conditions %q.", c.ID))
		}
		g.index[c.ID] = i
		g.instalments += min(max(c.When.Times, 1), MaxInstalments+1)
	}
	for _, c := range t.Conditions {
		for _, next := range c.Next {
			if i, known := g.index[next]; known {
				g.follows[i] = true
			}
		}
	}
	faults.within("", g.check(t.Allocation))
	return g, faults
}

// The states of a condition in the search for cycles.
const (
	unseen = iota
	entered
	left
)

// cycles reports one cycle of the graph, if any. A path through a cycle would never end.
func (g graph) cycles() Faults {
	var faults Faults
	states := make([]uint8, len(g.conditions))
	for i := range g.conditions {
		if way := g.cycle(i, states, nil); way != nil {
			faults.add("/conditions/"+strconv.Itoa(g.index[way[0]])+"/next", "cyclic",
				"The conditions form a cycle: "+strings.Join(way, ", ")+".")
			return faults
		}
	}
	return faults
}

// cycle returns the ids of a cycle that is reachable from the condition, with the first id repeated at the end, or
// nil.
func (g graph) cycle(i int, states []uint8, way []string) []string {
	id := g.conditions[i].ID
	switch states[i] {
	case left:
		return nil
	case entered:
		for at := range way {
			if way[at] == id {
				return append(slices.Clip(way[at:]), id)
			}
		}
	}
	states[i] = entered
	for _, next := range g.conditions[i].Next {
		if circle := g.cycle(g.index[next], states, append(way, id)); circle != nil {
			return circle
		}
	}
	states[i] = left
	return nil
}

// most returns the largest sum of the fractions of the grant on a path. The graph must have no faults.
func (g graph) most() *big.Rat {
	sums := make([]*big.Rat, len(g.conditions))
	var sum func(i int) *big.Rat
	sum = func(i int) *big.Rat {
		if sums[i] != nil {
			return sums[i]
		}
		sums[i] = new(big.Rat)
		for _, next := range g.conditions[i].Next {
			if after := sum(g.index[next]); after.Cmp(sums[i]) > 0 {
				sums[i].Set(after)
			}
		}
		if c := g.conditions[i]; c.Vests.Of == OfGrant && !c.Vests.Fraction.IsZero() {
			own := big.NewRat(int64(max(c.When.Times, 1)), 1)
			sums[i].Add(sums[i], own.Mul(own, c.Vests.Fraction.Rat()))
		}
		return sums[i]
	}
	most := new(big.Rat)
	for i := range g.conditions {
		if path := sum(i); path.Cmp(most) > 0 {
			most = path
		}
	}
	return most
}
