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

// EachHome calls visit with a call for each organization of the caller, in order of creation. Operations without an organization
// in the path run over all of them. A caller may belong to thousands of organizations, so visit keeps no view.
func (s *Kernel) EachHome(ctx context.Context, c *Call, visit func(home *Call)) error {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return Unavailable(Wrap(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, func(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) })
	step := 1
	if s.settings.Clustered {
		step = parallelHomes
	}
	for some := range slices.Chunk(ids, step) {
		for _, one := range s.homesOf(ctx, c, some) {
			if IsDamaged(one.err) {
				continue
			}
			if one.err != nil {
				return one.err
			}
			if one.home != nil {
				visit(one.home)
			}
		}
	}
	return nil
}

// homeResult is the result of [Kernel.HomeOf].
type homeResult struct {
	home *Call
	err  error
}

// parallelHomes is the number of organizations that are read at the same time in a cluster, where each may need a query.
const parallelHomes = 8

// homesOf returns the results of HomeOf in the order of the ids. Several ids are read at the same time.
func (s *Kernel) homesOf(ctx context.Context, c *Call, ids []organization.ID) []homeResult {
	results := make([]homeResult, len(ids))
	if len(ids) == 1 {
		results[0].home, results[0].err = s.HomeOf(ctx, c, ids[0])
		return results
	}
	var group sync.WaitGroup
	for i, id := range ids {
		group.Go(func() { results[i].home, results[i].err = s.HomeOf(ctx, c, id) })
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
