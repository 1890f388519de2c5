package membership_test

import (
	"context"
	"encoding/binary"
	"sync/atomic"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// crowd is an index in which many organizations know the address of one account. The organizations do not exist any more.
type crowd struct {
	membership.Index
	size          int
	own           []organization.ID
	verified      time.Time
	reads, lookup atomic.Int64
}

func numbered(n int) (id organization.ID) {
	binary.BigEndian.PutUint64(id[8:], uint64(n))
	return id
}

func (c *crowd) ByID(_ context.Context, id organization.UserID) (messages.User, error) {
	return messages.User{ID: id, Email: "ada@example.com", EmailVerifiedAt: c.verified}, nil
}

func (c *crowd) ByEmail(context.Context, string) (messages.User, error) {
	return messages.User{}, fault.Refuse(fault.UserNotFound, "No account.")
}

func (c *crowd) EntitiesByEmail(context.Context, string) (found []messages.KnownEntity, _ error) {
	c.lookup.Add(1)
	for n := range c.size {
		for entity := range 2 {
			found = append(found, messages.KnownEntity{Organization: numbered(n + 1), Entity: captable.EntityID{byte(entity)}})
		}
	}
	return found, nil
}

func (c *crowd) OrganizationsOf(context.Context, organization.UserID) ([]organization.ID, error) {
	return c.own, nil
}

func (c *crowd) View(context.Context, organization.ID) (*messages.View, error) {
	c.reads.Add(1)
	return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
}

func (c *crowd) Do(context.Context, messages.Command) (messages.Reply, error) {
	return messages.Reply{}, nil
}

// list returns the first organization after each page.
func (c *crowd) list(t *testing.T, reaches func(organization.ID) bool) (ends []organization.ID) {
	t.Helper()
	inbox := membership.InboxOf(membership.New(membership.Services{Organizations: c, Index: c, Accounts: c}))
	query := membership.ReceivedQuery{User: organization.UserID{1}, Limit: 50, Reaches: reaches}
	for {
		page, err := inbox.List(t.Context(), query)
		if err != nil || len(page.Data) > 0 {
			t.Fatal(page, err)
		}
		if page.Next.IsZero() {
			return ends
		}
		query.After = page.Next
		ends = append(ends, page.Next)
	}
}

func everywhere(organization.ID) bool { return true }

func TestPageOfReceivedInvitationsReadsABoundedNumberOfOrganizations(t *testing.T) {
	t.Parallel()
	c := &crowd{size: 450, verified: time.Unix(1, 0), own: []organization.ID{numbered(7)}}
	ends := c.list(t, everywhere)
	if len(ends) != 2 || ends[0] != numbered(201) || ends[1] != numbered(401) || c.reads.Load() != 449 {
		t.Errorf("%v, %d reads", ends, c.reads.Load())
	}
}

func TestReceivedInvitationsAreThoseOfReachableOrganizations(t *testing.T) {
	t.Parallel()
	c := &crowd{size: 10, verified: time.Unix(1, 0)}
	c.list(t, func(id organization.ID) bool { return id == numbered(3) })
	if c.reads.Load() != 1 {
		t.Errorf("%d reads", c.reads.Load())
	}
}

func TestUnverifiedAddressReceivesNoInvitations(t *testing.T) {
	t.Parallel()
	c := &crowd{size: 10}
	c.list(t, everywhere)
	if c.lookup.Load() != 0 {
		t.Error("an unverified address is searched")
	}
}
