package api

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Homes returns a call for each organization of the caller, in order of creation. Operations without
// an organization in the path run over all of them.
func (s *Kernel) Homes(ctx context.Context, c *Call) ([]*Call, error) {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return nil, Unavailable(Wrap(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, func(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) })
	var all []*Call
	for _, one := range s.homesOf(ctx, c, ids) {
		if IsDamaged(one.err) {
			continue
		}
		if one.err != nil {
			return nil, one.err
		}
		if one.home != nil {
			all = append(all, one.home)
		}
	}
	return all, nil
}

// homeResult is the result of [Kernel.HomeOf].
type homeResult struct {
	home *Call
	err  error
}

// parallelHomes bounds the organizations that are read at the same time.
const parallelHomes = 8

// homesOf returns the results of HomeOf in the order of the ids. In a cluster each may need a query, so that several run at a time.
func (s *Kernel) homesOf(ctx context.Context, c *Call, ids []organization.ID) []homeResult {
	results := make([]homeResult, len(ids))
	slots := 1
	if s.settings.Clustered {
		slots = parallelHomes
	}
	turns := make(chan struct{}, slots)
	var group sync.WaitGroup
	for i, id := range ids {
		turns <- struct{}{}
		read := func() {
			defer func() { <-turns }()
			results[i].home, results[i].err = s.HomeOf(ctx, c, id)
		}
		if slots == 1 {
			read()
			continue
		}
		group.Go(read)
	}
	group.Wait()
	return results
}

// IsDamaged reports whether an organization is refused because its journal is damaged. Lists over
// several organizations omit it, so that the others stay available. Sums over several organizations
// are refused instead, because they would be wrong.
func IsDamaged(err error) bool {
	refusal, ok := errors.AsType[*fault.Error](err)
	return ok && refusal.Code == messages.ErrDamaged.Code
}

// HomeOf returns the call for the organization; nil if the caller is not a member of it.
func (s *Kernel) HomeOf(ctx context.Context, c *Call, id organization.ID) (*Call, error) {
	if !c.Caller.Token.Reaches(id) {
		return nil, nil //nolint:nilnil // nil means no membership
	}
	view, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	home := *c
	home.Organization, home.View = id, view
	member, ok := view.State.MemberBy(c.Caller.User)
	if !ok {
		return nil, nil //nolint:nilnil // nil means no membership
	}
	home.Member = member
	home.Permissions, _ = view.State.Permissions(c.Caller.User)
	return &home, nil
}
