package actors

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// damages is the set of organizations with a damaged journal. A successful load removes
// an organization from it. It is safe for concurrent use.
type damages struct {
	mu  sync.Mutex
	ids map[organization.ID]struct{}
}

func newDamages() *damages { return &damages{ids: map[organization.ID]struct{}{}} }

func (d *damages) add(id organization.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids[id] = struct{}{}
}

func (d *damages) clear(id organization.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ids, id)
}

func (d *damages) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ids)
}

// isUnreadable reports whether loading again cannot cure the error: the journal is damaged, or has events that this server does not know.
func isUnreadable(err error) bool {
	return errors.Is(err, errDamaged) || errors.Is(err, messages.ErrUnreadable) || isUnknown(err)
}

func isUnknown(err error) bool {
	_, unknown := errors.AsType[*organization.UnknownEventError](err)
	return unknown
}

// unreadable records the cause and returns the refusal for callers.
func (s *shared) unreadable(id organization.ID, cause error) error {
	if isUnknown(cause) {
		s.log.Error("organization uses a feature that this server lacks", "organization", id.String(), "cause", cause)
		return messages.ErrUnknownEvent
	}
	s.damages.add(id)
	s.log.Error("organization is damaged; run 'equity verify'", "organization", id.String(), "cause", cause)
	return messages.ErrDamaged
}

// suspendedFor is the time after which a damaged journal is read again, in case an
// operator has restored it. Until then requests are refused without reading.
const suspendedFor = time.Minute

// suspend makes the actor refuse all requests, because its journal cannot be read.
func (o *organizationActor) suspend(c actor.Context, cause error) {
	o.suspended = o.shared.unreadable(o.id, cause)
	o.refuseQueued(c, o.suspended)
	self, parent, root, id := c.Self(), c.Parent(), c.ActorSystem().Root, o.id
	o.tick = time.AfterFunc(suspendedFor, func() { root.Send(parent, &passivate{id, self}) })
}

// neverExisted returns the refusal for an organization without a journal. A stored head
// proves that the journal existed.
func (o *Organizations) neverExisted(ctx context.Context, id organization.ID) error {
	last, _, err := o.shared.journal.StoredHead(ctx, id)
	switch {
	case isUnreadable(err):
		return o.shared.unreadable(id, err)
	case err != nil:
		o.shared.log.Warn("stored head not read", "organization", id.String(), "cause", err)
		return messages.ErrUnavailable
	case last > 0:
		return o.shared.unreadable(id, errDamaged)
	default:
		return errNoOrganization()
	}
}

func errNoOrganization() error {
	return fault.Refuse(fault.NotFound, "There is no such organization.")
}
