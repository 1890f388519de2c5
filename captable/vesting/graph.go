package vesting

import (
	"fmt"
	"strconv"
	"strings"
)

// graph is terms with their conditions found by id.
type graph struct {
	conditions  []Condition
	index       map[string]int
	follows     []bool // by condition: whether another leads to it
	instalments int    // of all conditions together
}

// newGraph reads the terms; the graph is to be walked only where there are no faults.
func newGraph(t Terms) (graph, Faults) {
	var faults Faults
	if len(t.Conditions) > MaxConditions {
		faults.add("/conditions", "tooMany", fmt.Sprintf("There may be %d conditions at most.", MaxConditions))
		return graph{}, faults
	}
	g := graph{conditions: t.Conditions, index: make(map[string]int, len(t.Conditions)), follows: make([]bool, len(t.Conditions))}
	for i, c := range t.Conditions {
		pointer := "/conditions/" + strconv.Itoa(i) + "/id"
		_, twice := g.index[c.ID]
		switch {
		case c.ID == "" || len(c.ID) > maxLength:
			faults.add(pointer, "required", "A condition has an id of at most 100 bytes.")
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

// The states of a condition while cycles are looked for.
const (
	unseen = iota
	entered
	left
)

// cycles names one way round in the graph, if there is any. Conditions are a tree of
// choices without one; with one, a path would never end.
func (g graph) cycles() Faults {
	var faults Faults
	states := make([]uint8, len(g.conditions))
	for i := range g.conditions {
		if way := g.cycle(i, states, nil); way != nil {
			faults.add("/conditions/"+strconv.Itoa(g.index[way[0]])+"/next", "cyclic",
				"The conditions lead round in a circle: "+strings.Join(way, ", ")+".")
			return faults
		}
	}
	return faults
}

// cycle gives the ids of a circle that can be reached from the condition, the first
// once more at the end; nil when there is none.
func (g graph) cycle(i int, states []uint8, way []string) []string {
	id := g.conditions[i].ID
	switch states[i] {
	case left:
		return nil
	case entered:
		for at := range way {
			if way[at] == id {
				return append(way[at:], id)
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
