package schema

import (
	"equity/fault"
)

// alternative checks a value with several possible schemas. Of the schemas that accept its type, it reports the
// faults of the one with the fewest.
func (c *checker) alternative(s *Schema) bool {
	k := c.peek()
	at, faults := c.at, c.faults
	var best fault.Fields
	found, walked, end := false, true, at
	for _, alternative := range s.alternatives {
		if alternative.alternatives == nil && alternative.kinds&k == 0 {
			continue
		}
		c.at, c.faults = at, nil
		ok := c.value(alternative)
		if !found || len(c.faults) < len(best) {
			best, walked, end, found = c.faults, ok, c.at, true
		}
		if len(best) == 0 {
			break
		}
	}
	c.at, c.faults = end, faults
	if !found {
		c.wrongType(s)
		return c.value(anything)
	}
	if room := mostFaults - len(c.faults); len(best) > room {
		best = best[:room]
	}
	c.faults = append(c.faults, best...)
	return walked
}
