package cluster

import (
	"context"
	"errors"
	"time"

	"equity/actors"
	"equity/organization"
)

const (
	// catchUpWithin bounds the time for which a change waits for the confirmation of the owner. It ends between two questions.
	catchUpWithin = 15*time.Second + catchUpRetry/2
	catchUpRetry  = 30 * time.Millisecond
)

// CatchUp returns when the owner serves the organization as of the sequence. It asks again while the organization moves.
func (m *Member) CatchUp(ctx context.Context, id organization.ID, sequence uint64) error {
	ctx, cancel := context.WithTimeout(ctx, catchUpWithin)
	defer cancel()
	for ctx.Err() == nil {
		changed := m.Changed()
		node, _, self, known := m.Owner(id)
		switch {
		case self && m.Standing(id) == actors.Owner:
			return nil // it loads the organization after the change, or has never lost it
		case !self && known:
			if err := m.settings.Links.CatchUp(ctx, node, id, sequence); err == nil {
				return nil
			}
		}
		pause := time.NewTimer(catchUpRetry)
		select {
		case <-changed:
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
	return ctx.Err()
}

var (
	errNoOwner = errors.New("the organization has no other owner")
	errGone    = errors.New("the server is no member")
)

// Follow requests a read lease of the owner.
func (m *Member) Follow(ctx context.Context, id organization.ID) (sequence uint64, length time.Duration, err error) {
	node, _, self, known := m.Owner(id)
	if self || !known {
		return 0, 0, errNoOwner
	}
	return m.settings.Links.Follow(ctx, node, m.settings.Self.ID, id)
}

// Revoke returns when the holder has ended its read lease.
func (m *Member) Revoke(ctx context.Context, holder string, id organization.ID) error {
	for _, other := range m.others() {
		if other.ID == holder {
			return m.settings.Links.Revoke(ctx, other, id)
		}
	}
	return errGone
}

// Announce notes that this server appends to an organization of another one. The note is removed by withdraw, or after the end of this server.
func (m *Member) Announce(ctx context.Context, id organization.ID) (withdraw func(), err error) {
	note, err := m.settings.Directory.Announce(ctx, m.settings.Self.ID, id)
	if err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.settings.Times.Expiry)
		defer cancel()
		err := m.settings.Directory.Withdraw(ctx, note)
		if err != nil { // its only effect is that the owner compares the organization with its journal at each renewal
			m.settings.Log.Warn("a note about an organization was not removed", "organization", id.String(), "cause", err)
		}
	}, nil
}

// Wake wakes a consumer at the owner. An alarm of an organization without a known owner is due again later.
func (m *Member) Wake(id organization.ID, name string) {
	if node, _, self, known := m.Owner(id); known && !self {
		m.settings.Links.Wake(node, id, name)
	}
}
