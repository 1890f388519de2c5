package api

import (
	"bytes"
	"context"
	"errors"
	"slices"

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
	for _, id := range ids {
		home, err := s.HomeOf(ctx, c, id)
		if IsDamaged(err) {
			continue
		}
		if err != nil {
			return err
		}
		if home != nil {
			visit(home)
		}
	}
	return nil
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
