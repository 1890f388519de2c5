package api

import (
	"context"
	"fmt"
	"sync"

	"equity/organization"
)

// locator caches the organization of each record. A record never moves, so found entries stay valid;
// missing records are not cached, because they may be created later.
type locator struct {
	index Index

	mutex sync.RWMutex
	known map[[16]byte]place
}

type place struct {
	organization organization.ID
	kind         string
}

// maxCached bounds the cache to about 10 MB. A full cache is discarded; each entry then costs one
// look-up.
const maxCached = 100_000

func newLocator(index Index) *locator {
	return &locator{index: index, known: map[[16]byte]place{}}
}

// Locate returns the organization of a record and its kind. It caches only found records.
func (l *locator) Locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
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
	if len(l.known) >= maxCached {
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
