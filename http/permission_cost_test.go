package http_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"

	"equity/account"
	"equity/captable"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// countedIndex and countedAccounts count store accesses. Apart from the session, permissions
// could be looked up only there.
type countedIndex struct {
	api.Index
	queries *atomic.Int64
}

func (c countedIndex) Locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
	c.queries.Add(1)
	return c.Index.Locate(ctx, id)
}

func (c countedIndex) OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error) {
	c.queries.Add(1)
	return c.Index.OrganizationsOf(ctx, user)
}

func (c countedIndex) Particulars(
	ctx context.Context, id organization.ID, entities ...captable.EntityID,
) (map[captable.EntityID]map[string]json.RawMessage, error) {
	c.queries.Add(1)
	return c.Index.Particulars(ctx, id, entities...)
}

type countedAccounts struct {
	account.Accounts
	queries *atomic.Int64
}

func (c countedAccounts) ByID(ctx context.Context, id organization.UserID) (messages.User, error) {
	c.queries.Add(1)
	return c.Accounts.ByID(ctx, id)
}

func (c countedAccounts) ByEntity(ctx context.Context, entity captable.EntityID) (messages.User, error) {
	c.queries.Add(1)
	return c.Accounts.ByEntity(ctx, entity)
}

// A member is refused from memory. The first request locates the record;
// afterwards only the session is read from the store. Permitted callers pass the same check.
func TestPermissionChecksNeedNoQuery(t *testing.T) {
	t.Parallel()
	var queries atomic.Int64
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Index, s.Accounts = countedIndex{s.Index, &queries}, countedAccounts{s.Accounts, &queries}
	})
	e := newEstate(t, b, "zenobia")
	holder, checked := e.member(t, "roleless"), 0
	standing := standing{signedIn: true, member: true, may: []string{"viewOrganization", "viewSelf"}}
	for _, d := range declaredOperations(b.Contract) {
		if rights()[d.permission] == nil || d.permission == "canReadSite" || d.subject() || rights()[d.permission](&standing, &d) {
			continue
		}
		e.wish(t, &d).as(t, holder)
		before := queries.Load()
		if got := e.wish(t, &d).as(t, holder); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d %s", d.id, got.Status, got.Body)
		}
		if used := queries.Load() - before; used > 0 {
			t.Errorf("%s: %d queries for a permission", d.id, used)
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d operations were checked", checked)
	}
}
