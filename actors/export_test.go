package actors

import (
	"context"

	"equity/organization"
)

// NewHeads returns a function that reads the end of a journal, and one that returns the number of running reads.
func NewHeads(journal Journal) (read func(context.Context, organization.ID) (uint64, error), running func() int) {
	h := newHeads(journal)
	return h.read, func() int { return len(h.running) }
}
