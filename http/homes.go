package http

import (
	"bytes"
	"context"
	"slices"

	"equity/organization"
)

// homes gives a call for each organization that the caller belongs to, in the order in
// which these were made: what a question without an organization is asked of.
func (s *Server) homes(ctx context.Context, c *Call) ([]*Call, error) {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return nil, unavailable(doing(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, func(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) })
	var all []*Call
	for _, id := range ids {
		home, err := s.homeOf(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if home != nil {
			all = append(all, home)
		}
	}
	return all, nil
}

// homeOf gives the call as one about the organization; nil when the caller is not, or no
// longer, a member of it.
func (s *Server) homeOf(ctx context.Context, c *Call, id organization.ID) (*Call, error) {
	view, err := s.view(ctx, id)
	if err != nil {
		return nil, err
	}
	home := *c
	home.Organization, home.View = id, view
	member, ok := view.State.MemberBy(c.Caller.User)
	if !ok {
		return nil, nil //nolint:nilnil // no membership is a value of its own here
	}
	home.Member = member
	home.Permissions, _ = view.State.Permissions(c.Caller.User)
	return &home, nil
}
