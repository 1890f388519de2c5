package api

import (
	"context"
	"fmt"

	"equity/http/lru"
	"equity/organization"
)

// locator caches the organization of each record. A record never moves, so found entries stay valid;
// missing records are not cached, because they may be created later.
type locator struct {
	index Index
	known *lru.Cache[[16]byte, place]
}

type place struct {
	organization organization.ID
	kind         string
}

// maxCached bounds the cache to about 20 MB.
const maxCached = 100_000

func newLocator(index Index, most int64) *locator {
	return &locator{index, lru.New(most, func([16]byte, place) int64 { return 1 })}
}

// Locate returns the organization of a record and its kind. It caches only found records.
func (l *locator) Locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
	if found, ok := l.known.Get(id); ok {
		return found.organization, found.kind, nil
	}
	home, kind, err := l.index.Locate(ctx, id)
	if err != nil || kind == "" {
		return organization.ID{}, "", wrapped("locate", err)
	}
	l.known.Put(id, place{home, kind})
	return home, kind, nil
}

func wrapped(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
