package document

import (
	"context"
	"slices"
	"sync"

	"equity/http/api"
	"equity/organization"
	room "equity/organization/document"
)

// reservations lists the contents of uploads that are not decided yet, by organization, so that concurrent uploads do not store more bytes
// than the organization may keep.
type reservations struct {
	mutex    sync.Mutex
	contents map[organization.ID][]room.Content
}

func newReservations() *reservations {
	return &reservations{contents: map[organization.ID][]room.Content{}}
}

// admitStorage refuses contents beyond the storage of the organization before their bytes are stored. It reserves their bytes until release
// is called, after the decision, which checks them again. An upload counts the reservations before its own, and then the stored bytes:
// an upload that was decided in between is one of these.
func (s *base) admitStorage(ctx context.Context, c *api.Call, contents ...room.Content) (release func(), err error) {
	earlier := s.pending.reserve(c.Organization, contents)
	release = func() { s.pending.release(c.Organization, contents) }
	view, err := s.View(ctx, c.Organization)
	if err == nil {
		err = view.State.Documents().AdmitsStorage(s.Settings.StorageLimit, slices.Concat(earlier, contents)...)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// reserve adds the contents, and returns those that were reserved before.
func (p *reservations) reserve(id organization.ID, contents []room.Content) (earlier []room.Content) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	earlier = slices.Clone(p.contents[id])
	p.contents[id] = slices.Concat(earlier, contents)
	return earlier
}

// release ends the reservation of the contents.
func (p *reservations) release(id organization.ID, contents []room.Content) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, content := range contents {
		if at := slices.Index(p.contents[id], content); at >= 0 {
			p.contents[id] = slices.Delete(p.contents[id], at, at+1)
		}
	}
	if len(p.contents[id]) == 0 {
		delete(p.contents, id)
	}
}
