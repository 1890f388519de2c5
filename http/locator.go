package http

import (
	"context"
	"fmt"
	"sync"

	"equity/organization"
)

// locator remembers to which organization a record belongs. That never changes, so
// what was found once need not be looked up again; what was not found may come to
// be, and is not remembered.
type locator struct {
	index Index

	mutex sync.RWMutex
	known map[[16]byte]place
}

type place struct {
	organization organization.ID
	kind         string
}

// mostPlaces bounds the memory, about 10 MB; beyond it the oldest are forgotten all
// at once, which costs a look-up each.
const mostPlaces = 100_000

func newLocator(index Index) *locator {
	return &locator{index: index, known: map[[16]byte]place{}}
}

// locate finds whose a record is. An answer holds for ever, as no record moves between
// organizations; that there is none may change at any moment, and is not kept.
func (l *locator) locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
	l.mutex.RLock()
	found, ok := l.known[id]
	l.mutex.RUnlock()
	if ok {
		return found.organization, found.kind, nil
	}
	home, kind, err := l.index.Locate(ctx, id)
	if err != nil || kind == "" {
		return organization.ID{}, "", wrapped("locate", err)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.known) >= mostPlaces {
		l.known = map[[16]byte]place{}
	}
	l.known[id] = place{home, kind}
	return home, kind, nil
}

func wrapped(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
