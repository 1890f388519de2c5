package actors

import (
	"context"

	"equity/organization"
)

// NewHeads returns a function that reads the end of a journal, and one that reports whether a query is running.
func NewHeads(journal Journal) (read func(context.Context, organization.ID) (uint64, error), running func() bool) {
	h := newHeads(journal)
	return h.read, func() bool { return h.running }
}
