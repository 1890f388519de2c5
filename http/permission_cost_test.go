package http_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"

	"equity/captable"
	equityhttp "equity/http"
	"equity/messages"
	"equity/organization"
)

// countedIndex and countedAccounts count what is asked of the store. They and the session
// are all that a permission could be looked up in.
type countedIndex struct {
	equityhttp.Index
	asked *atomic.Int64
}

func (c countedIndex) Locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
	c.asked.Add(1)
	return c.Index.Locate(ctx, id)
}

func (c countedIndex) OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error) {
	c.asked.Add(1)
	return c.Index.OrganizationsOf(ctx, user)
}

func (c countedIndex) Particulars(
	ctx context.Context, id organization.ID, entities ...captable.EntityID,
) (map[captable.EntityID]map[string]json.RawMessage, error) {
	c.asked.Add(1)
	return c.Index.Particulars(ctx, id, entities...)
}

type countedAccounts struct {
	equityhttp.Accounts
	asked *atomic.Int64
}

func (c countedAccounts) ByID(ctx context.Context, id organization.UserID) (messages.User, error) {
	c.asked.Add(1)
	return c.Accounts.ByID(ctx, id)
}

func (c countedAccounts) ByEntity(ctx context.Context, entity captable.EntityID) (messages.User, error) {
	c.asked.Add(1)
	return c.Accounts.ByEntity(ctx, entity)
}

// A member who may do nothing is refused everything by what is in memory: after the first
// time, which finds out where a record belongs, nothing is asked of the store but the
// session. Who may is told from them by the same check.
func TestPermissionsCostNoQuery(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Index, s.Accounts = countedIndex{s.Index, &asked}, countedAccounts{s.Accounts, &asked}
	})
	e := b.estate(t, "zenobia")
	powerless, tried := e.member(t, "powerless"), 0
	for _, d := range b.contract.all() {
		if rights()[d.permission] == nil || d.permission == "canReadSite" || d.subject() {
			continue
		}
		e.wish(t, &d).as(t, powerless)
		before := asked.Load()
		if got := e.wish(t, &d).as(t, powerless); got.status != http.StatusForbidden {
			t.Errorf("%s: %d %s", d.id, got.status, got.body)
		}
		if queries := asked.Load() - before; queries > 0 {
			t.Errorf("%s: %d queries for a permission", d.id, queries)
		}
		tried++
	}
	if tried < 50 {
		t.Errorf("only %d operations were tried", tried)
	}
}
